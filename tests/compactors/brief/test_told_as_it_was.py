"""What a line of the brief must not leave out, so that it does not say something else."""

from __future__ import annotations

from compactors.brief.talk import DONE, TASK, brief, edit, reading_of, section, texts, use, write
from compactors.conversations import run, say
from tamis.compactors.brief.copying.passages import passages_of
from tamis.compactors.brief.reading.deeds.run_words import short_run
from tamis.compactors.brief.reading.edits.hunks import compared
from tamis.compactors.brief.reading.speech.pieces import pieces_of
from tamis.compactors.brief.reading.speech.utterances import agent_statements
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.next_lines import next_lines
from tamis.messages import Message, Text
from tamis.text.sentences import split_sentences

ROWS = "/work/shop/src/rows.go"


def test_a_run_beside_what_its_line_writes_is_told_and_is_the_last_run() -> None:
    built = run("a", "go build -o /tmp/shop ./cmd && /tmp/shop list", "Rows: 0", 0)
    tried = run("b", 'cd /tmp && mkdir -p t && echo "seven" > t/id && /tmp/shop list 2>&1', "Row seven", 0)
    told = section(brief([TASK, *built, *tried]), "State")
    assert any(line.startswith("- last run (#3): ran `/tmp/shop list` → Row seven") for line in told)


def test_what_a_line_writes_by_an_edit_is_told_as_the_edit_alone() -> None:
    made = run("a", "python -c 'print(1)' > src/one.txt", "done", 0)
    assert not any("→ done" in text for text in texts([TASK, *made]))


def test_a_short_text_put_into_a_file_is_told_itself() -> None:
    assert any(
        "seven" in t and "mkdir" not in t for t in texts([*run("a", 'mkdir t && echo "seven" > t/id', "", 0)])
    )


def test_a_return_that_stood_there_before_is_told_with_its_new_condition() -> None:
    old = "err = show(id)\nif err != nil && is(err, Gone) {\n  return overview(id)\n}\nreturn err"
    new = "_, err = find(id)\nif err != nil {\n  if is(err, Gone) {\n    return overview(id)\n  }\n"
    new += '  return wrap("no id: %w", err)\n}\nreturn show(id)'
    assert "if is(err, Gone) { ⏎     return overview(id)" in compared(old, new, ROWS, 400)


def test_a_line_that_is_only_put_in_is_told_as_added() -> None:
    assert compared('"fmt"', '"fmt"\n"os/exec"', ROWS, 100) == 'added `"os/exec"`'


def test_a_definition_that_an_edit_renamed_is_not_among_what_it_left() -> None:
    old = "func TestRows(t *testing.T) {\n\tkeep(t, 1)\n}"
    new = "func TestRows_Empty(t *testing.T) {\n\tkeep(t, 2)\n}"
    assert "edited /w/rows_test.go (TestRows_Empty)" in texts([*edit("a", "/w/rows_test.go", old, new)])


def test_folders_that_are_deleted_are_told_as_they_were_named() -> None:
    made = run("a", "mkdir -p /tmp/t/keep && echo one two three four > /tmp/t/keep/id", "", 0)
    gone = run("b", "rm -rf /tmp/t /tmp/shop", "", 0)
    assert [t for t in texts([TASK, *made, *gone]) if t.startswith("deleted")] == [
        "deleted /tmp/t/, /tmp/shop"
    ]


STATUS = "On branch rows\nYour branch is up to date with 'origin/rows'.\n\n" + (
    'All conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)\n\n'
)


def test_a_merge_that_is_not_concluded_is_told_until_it_is() -> None:
    span = [TASK, *run("a", "git status", STATUS + "\tmodified:   src/rows.py", 0)]
    told = "git was in the midst of merging (#1): not concluded since"
    assert told in brief(span)
    assert StatementReader.resume(reading_of(span).carry()).under_way == ("merging", 1)
    done = run("b", "git commit -m 'Merge main'", "[rows 0a1b2c3] Merge main", 0)
    assert "midst" not in brief([*span, *done])


def test_a_request_that_was_broken_off_is_told_beside_the_newest() -> None:
    asked = say("user", "Please commit it all.", id="commit")
    aborted = use("t", "task", "Tool execution aborted", description="Commit all", subagent_type="gitter")
    newest = say("user", "Shorten the notes.", id="newest")
    text = brief([TASK, *edit("e", "/w/rows.py", "a", "b"), asked, *aborted, newest])
    assert "- no commit made by a call" in section(text, "State")
    aborted_call = "handed to another agent (gitter): Commit all → aborted, no result (#4)"
    assert section(text, "Next")[-1] == f"- the request before (#3) was broken off: {aborted_call}"
    assert "> Please commit it all. (broken off at #4)" in text


def test_a_request_whose_work_the_user_stopped_says_so() -> None:
    words = (Text(text="[Request interrupted by user]"),)
    stop = Message(id="s", role="user", origin="meta", parts=words)
    begun = run("r", "python load.py", "12 rows", 0)
    text = brief([TASK, *begun, stop, say("user", "Name it rows.", id="b"), say("assistant", "Done.")])
    assert "> Please make src/rows.py skip empty rows. (stopped by the user at #3)" in text
    assert "- the user stopped the agent" not in text


def test_a_request_of_which_one_call_was_stopped_stands() -> None:
    words = (Text(text="[Request interrupted by user for tool use]"),)
    stop = Message(id="s", role="user", origin="meta", parts=words)
    text = brief([TASK, stop, say("user", "Name it rows.", id="b"), say("assistant", "Done.")])
    assert "> Please make src/rows.py skip empty rows." in text
    assert "(stopped by the user" not in text
    assert "was broken off before" not in text


def test_a_request_that_was_stopped_to_be_put_otherwise_stands_once() -> None:
    stop = Message(id="s", role="user", origin="meta", parts=(Text(text="[Request interrupted by user]"),))
    first = say("user", "Also count the empty rows of the till.", id="a")
    again = say("user", "Also count the empty rows of the till, and name them.", id="b")
    text = brief([TASK, DONE, first, stop, again, say("assistant", "Three rows, named.", id="c")])
    assert [line for line in text.splitlines() if "empty rows of the till" in line] == [f"> {again.text}"]


def test_who_forbids_commits_misses_none() -> None:
    asked = say("user", "Mend the rows. Do not commit your changes.", id="asked")
    assert "no commit made by a call" not in brief([asked, *edit("e", "/w/rows.py", "a", "b")])


def test_sentences_of_a_short_item_are_said_together() -> None:
    text = "Places:\n\n1. `read` takes a prefix. It may be short. A string is right here.\n\n2. `show` does."
    told = [piece.text for piece in [*pieces_of(text, split_sentences(text))]]
    assert "1. `read` takes a prefix. It may be short. A string is right here." in told


def test_items_that_run_into_one_another_are_told_apart() -> None:
    words = "The fixes are these:1. Bring in the `rows` package2. Call it in line 7 of `main`3. Test `main`"
    told = texts([TASK, say("assistant", words)], "said", "found", "concluded")
    assert any("\n2. Call it in line 7 of `main`\n" in text for text in told)


def test_a_heading_that_says_nothing_is_not_told() -> None:
    told = texts([TASK, say("assistant", "## Summary\n\nThe blank rows of `rows.py` are skipped now.")])
    assert "Summary" not in told


def test_a_run_of_tests_that_passed_is_told_once() -> None:
    passed = "".join(f"=== RUN   TestRow{n}\n--- PASS: TestRow{n} (0.01s)\n" for n in range(9)) + "PASS\n"
    ran = run("a", "go test -v ./rows", f"{passed}ok  \tshop/rows\t0.2s", 0)
    told = texts(
        [TASK, *ran, say("assistant", "TestRow1 and TestRow2 pass, see TestRow3 and the RUN lines.")]
    )
    assert sum("go test" in text for text in told) == 1


def test_a_command_of_the_program_that_the_user_sits_at_is_no_request() -> None:
    assert "/ide" not in texts([TASK, say("user", "/ide", id="ide")], "asked")


def test_a_passage_that_is_not_the_beginning_says_so() -> None:
    text = "\n".join(f"rows = keep({n}, 'a row of many words and more')" for n in range(60))
    told = [
        s.text.partition("\n")[0] for s in passages_of(edit("a", "/w/rows.txt", "old", text), range(2), 9_000)
    ]
    assert told[:2] == ["#0 put into rows.txt:", "#0 put into rows.txt, further down:"]


def test_what_an_edit_takes_out_is_told_by_the_definitions_that_go() -> None:
    gone = "func keep(row int) bool {\n\tif row > 7 {\n\t\treturn true\n\t}\n\treturn false\n}"
    assert (
        compared(f"{gone}\n// tail", "// tail", ROWS, 400) == "removed `func keep(row int) bool {` (6 lines)"
    )


def test_the_newest_edit_is_not_told_cut() -> None:
    old, new = (
        f"// read the rows of the shop from the ledger ({how})" for how in ("all of them", "the first")
    )
    upcoming = section(brief([TASK, *edit("a", "/work/shop/src/rows.go", old * 2, new * 2)], 150), "Next")
    assert any(line.endswith("edited /work/shop/src/rows.go") for line in upcoming)


def test_of_the_newest_edit_what_stands_now_is_told_where_the_whole_is_too_long() -> None:
    old, new = (f"// the rows of the shop, as the ledger has them: {how}" for how in ("all", "one"))
    reading = reading_of([TASK, *edit("a", "/work/shop/src/rows.go", old, new)])
    assert any(line.text.endswith(f"rows.go: now `{new}`") for line in next_lines(reading, "", 400))


def test_what_the_newest_edit_takes_out_is_told() -> None:
    lines = "\n".join(f"loop_back(rows, {n}, 'one of them all')" for n in range(9))
    done = edit("a", "/work/shop/src/rows.go", f"x = 1\n{lines}", "x = 1")
    upcoming = section(brief([TASK, *done], 150), "Next")
    assert any("rows.go: removed `loop_back(rows, 0" in line for line in upcoming)


def test_of_an_earlier_run_a_line_that_shows_no_effect_is_not_told() -> None:
    span = [*run("a", "python try.py", "17", 0), *edit("b", ROWS, "a = 1", "a = 2")]
    span += run("c", "python try.py", "all rows kept", 0)
    assert not any("before the change" in text for text in texts([TASK, *span]))


def test_a_run_is_told_by_its_last_line_that_says_something() -> None:
    for end in ("Done.", "All tests completed!"):
        told = short_run(f"ran `make rows` → row seven was kept in the ledger ⏎ {end}", 50)
        assert told.endswith("row seven was kept in the ledger …")


def test_that_something_still_runs_is_not_told_once_the_agent_has_gone_on() -> None:
    waits = say("assistant", "The suite of `src/rows.py` is still running.", id="waits")
    assert not any("still running" in text for text in texts([TASK, waits, say("assistant", "It passed.")]))
    assert any("still running" in text for text in texts([TASK, waits]))


def test_tests_that_all_pass_by_the_agents_word_stand_beside_the_run_that_failed() -> None:
    span = [*edit("a", ROWS, "x = 1", "x = 2"), *run("b", "pytest -q", "1 failed, 3 passed in 0.1s", 1)]
    for claim, mark in (("All tests pass.", True), ("All tests pass but the one of the till.", False)):
        said = texts([TASK, *span, say("assistant", claim)], "said", "concluded", "found")
        assert any("(claimed; the run at #3 had failures)" in text for text in said) is mark


def test_a_line_that_lays_a_file_out_and_tests_it_is_a_run_and_no_edit() -> None:
    line = "gofmt -w src/rows.go\ngo build ./... && go test ./..."
    told = texts([TASK, *run("a", line, "ok  \tshop/src\t0.1s", 0)])
    assert not any(text.startswith("edited") for text in told)
    assert any(text.startswith("ran `gofmt -w src/rows.go && go build") and "ok" in text for text in told)


def test_what_was_taken_out_is_not_paired_with_what_was_put_in_elsewhere() -> None:
    old = "# Rows\nif shut:\n    # the flag wins\n    rows = none\nelse:\n    rows = all\nreturn rows"
    new = "# Rows\n# Note: all is gone\nif shut:\n    rows = none\nreturn rows"
    told = compared(old, new, "a.py", 400)
    assert " → " not in told
    assert "added `# Note: all is gone`" in told
    assert "removed `else: ⏎   rows = all`" in told
    wide = compared("a = 1\nsize.add(rows)\n", "if rows:\na = 1\nsize.add(rows or 1)\n", "a.py", 200)
    assert wide == "added `if rows: ⏎ a = 1` ; `size.add(rows)` → `size.add(rows or 1)`"


def test_signs_of_a_pattern_are_not_told_as_text_of_the_file() -> None:
    told = texts([TASK, *run("a", "sed -i '7s/^limit$/limit, 2/' src/rows.py", "", 0)])
    assert "edited src/rows.py: line 7: `limit` → `limit, 2`" in told


def test_a_search_that_leaves_lines_out_is_told_with_what_it_left_of_an_output() -> None:
    looked = texts(run("a", "git status --porcelain | grep -v '^??'", " M src/rows.py", 0))
    assert any(text.startswith("ran `git status --porcelain | grep -v") for text in looked)
    assert any("ran `pytest -q`" in t for t in texts(run("b", "pytest -q | tail -3", "no rows\n3 passed", 0)))


def test_a_patch_that_was_asked_for_is_among_what_was_made() -> None:
    span = [say("user", "Put the diff into patch.txt."), *run("a", "git diff -- src > patch.txt", "", 0)]
    assert any("patch.txt" in line for line in section(brief(span), "State") if line.startswith("- made"))


def test_what_git_printed_last_tells_where_the_work_stands() -> None:
    edits = [*edit("e", "/w/src/rows.py", "a", "b"), *edit("f", "/w/src/show.py", "a", "b")]
    status = run("s", "git status -s", " M src/show.py", 0)
    log = run("l", "git log --oneline -1", "0a1b2c3 Skip rows", 0)
    told = section(brief([TASK, *edits, *status, *log]), "State")
    assert "- HEAD is 0a1b2c3 (git log at #7)" in told
    assert "- changed before, clean in `git status` at #5: rows.py" in told
    assert "- changed: show.py" in told
    every = run("s", "git status", "nothing to commit, working tree clean", 0)
    assert not any("was changed" in line for line in section(brief([TASK, *edits, *every]), "State"))
    assert "- no commit made by a call; HEAD is 0a1b2c3 (git log at #1)" in section(
        brief([TASK, *log, *edits]), "State"
    )


def test_what_git_prints_of_another_folder_says_nothing_of_the_work() -> None:
    status = run("s", "cd /other && git status -s", " M notes.md", 0)
    told = section(brief([TASK, *edit("e", "/w/src/rows.py", "a", "b"), *status]), "State")
    assert "- changed: /w/src/rows.py" in told


def test_what_a_review_praises_is_worth_less_than_what_it_finds() -> None:
    review = "## Strengths\n\n- `load` is quick\n\n## Issues\n\n- `save` loses the last row\n"
    flags = {s.text: s.flags for s in agent_statements(say("assistant", review), 0)}
    assert "praise" in flags["- `load` is quick"]
    assert "praise" not in flags["- `save` loses the last row"]


def test_lines_of_a_diff_keep_how_far_they_are_set_in() -> None:
    shown = "@@ -7,3 +7,5 @@\n         try:\n+            with quiet():\n             load(row)\n"
    told = texts([TASK, *run("c", "./show", shown, 0)], "tested")
    assert told == ["ran `./show` → @@ -7,3 +7,5 @@ ⏎  try: ⏎ +    with quiet(): ⏎      load(row)"]


def test_the_same_edit_in_two_files_names_both() -> None:
    edits = [*edit("e", "/w/a/run.sh", "set -e", "set -eu"), *edit("f", "/w/b/run.sh", "set -e", "set -eu")]
    found = say("assistant", "It now stops at the first name that is not set.")
    told = [t for t in texts([TASK, *edits, found]) if t.startswith("edited")]
    assert told == ["edited /w/a/run.sh and /w/b/run.sh: `set -e` → `set -eu`"]


def test_all_files_that_one_call_deletes_are_named() -> None:
    made = [m for name in "abc" for m in write(name, f"/w/{name}.py", f"print('{name}')")]
    gone = run("d", "rm -f /w/a.py /w/b.py /w/c.py", "", 0)
    assert "deleted /w/a.py, /w/b.py and /w/c.py" in texts([TASK, *made, *gone])


def test_an_edit_that_does_something_goes_before_an_import() -> None:
    real = edit("e", "/w/rows.go", "a := 1", "a := skipEmpty(rows)")
    slight = edit("f", "/w/rows.go", '"fmt"', '"fmt"\n"strings"')
    text = brief([TASK, *real, *slight, *run("t", "./check", "ok", 0)], 100)
    assert "skipEmpty" in text
    assert "strings" not in text


def test_items_under_a_heading_lean_on_no_item_above_it() -> None:
    text = "Steps:\n\n1. Read\n2. Write\n\n## Strengths\n\n- `load` is quick\n"
    last = [*pieces_of(text, split_sentences(text))][-1]
    assert [lead.text for lead in last.leads] == ["Strengths"]


def test_what_is_said_to_be_fixed_where_only_tests_were_changed_is_only_claimed() -> None:
    fixed = say("assistant", "We have successfully fixed the issue with the rows.")
    for path, mark in (("/w/shop/tests/test_rows.py", True), (ROWS, False)):
        span = [*edit("e", path, "x = 1", "x = 2"), *run("t", "pytest -q", "1 passed in 0.1s", 0), fixed]
        said = texts([TASK, *span], "said", "concluded", "found")
        assert any("(claimed; only tests and documents were changed)" in text for text in said) is mark


def test_a_new_file_is_told_by_what_no_file_that_was_read_holds() -> None:
    common = "type Page = { url: string };\nfunction decode(text: string): string {\n  return text;\n}\n"
    span = [
        say("user", "Write a second reader.", id="u"),
        *use("r", "Read", common, file_path="/w/first.ts"),
        *write("w", "/w/second.ts", f"{common}function keeps(url: string): boolean {{\n  return true;\n}}\n"),
    ]
    assert texts(span, "changed")[-1].endswith("function keeps(url: string): boolean { ⏎   return true;")


def test_what_another_agent_committed_stands_behind_what_it_was_asked() -> None:
    report = (
        "Done.\n- `9c02910425c8a0e15af250ce06d2f3629aa22c4b` `Docs // Add the mill`\nIt is the only commit."
    )
    asked = use("t", "Task", report, description="Commit", prompt="Go")
    lines = brief([say("user", "Commit it.", id="u"), *asked])
    assert lines.index("handed to another agent") < lines.index("committed 9c02910425")


def test_a_traceback_that_was_cut_is_no_outcome_of_its_source_line() -> None:
    trace = 'Traceback (most recent call last):\n  File "/repo/use.py", line 3, in <module>\n'
    trace += "    from rows import get_rows\n"
    told = [t for t in texts([TASK, *run("a", "python use.py 2>&1 | head -3", trace)]) if "use.py" in t]
    assert 'a traceback, cut before its error, in File "/repo/use.py", line 3' in told[-1]
    assert not any("get_rows" in t for t in told)
    told = texts([TASK, *run("a", "python use.py", f"{trace}ImportError: no get_rows", 1)])
    assert any("→ ImportError: no get_rows" in t for t in told)


def test_what_a_run_came_to_before_is_not_told_without_its_end() -> None:
    place = "place=(1169238.5, -4363657.7, 4487348.4) m, pressure=0.0 hPa, temperature=0.0 deg_C, width=1.0 m"
    before = run("a", "python show.py", f"Sight: <Sight ({place}): 7 of 9>", 0)
    after = run("b", "python show.py", "ValueError: no Sight there", 1)
    told = texts([TASK, *before, *edit("e", "/work/shop/src/rows.py", "a = 1", "a = 2"), *after])
    assert told[-1].endswith("→ ValueError: no Sight there")


def test_an_installer_is_told_by_what_it_came_to() -> None:
    steps = "".join(
        f"Collecting part_{n}<2 (from rows==7)\n  Downloading part_{n}-1.whl (9 kB)\n" for n in range(9)
    )
    ends = "Installing collected packages: part_1, part_2\nSuccessfully installed part_1-1.0 rows-7"
    told = texts([TASK, *run("a", "pip install -e . | tail -30", steps + ends, 0)])
    assert any(t.endswith("→ Successfully installed part_1-1.0 rows-7") for t in told)
