"""Deeds: which part of what a call printed, or put into a file, is told."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, brief, edit, section, texts, use, write
from compactors.conversations import lines, run, say
from tamis.compactors.brief.copying.passages import passages_of
from tamis.compactors.brief.reading.call_text import arguments_of, short_run
from tamis.compactors.brief.reading.salience import PendingOutput, evidence
from tamis.messages import ToolCall

ROWS = "/work/shop/src/rows.py"
TABLE = "first:\n[1 0]\n[0 1]\nsecond:\n[1 0]\n[0 1]"


def test_a_row_that_an_earlier_table_has_too_stands_in_the_last_one() -> None:
    [told] = texts([TASK, *run("a", "python table.py", lines("row", 60) + TABLE, 0)], "tested")
    assert told.endswith("second: ⏎ [1 0] ⏎ [0 1]")


def test_of_an_output_of_which_the_head_was_asked_the_head_is_told() -> None:
    printed = "load: 12ms\nsend: 600ms\n" + lines("help", 60)
    [told] = texts([TASK, *run("a", "python app.py 2>&1 | head -62", printed, 0)], "tested")
    assert "load: 12ms ⏎ send: 600ms" in told


def test_a_run_that_has_little_room_is_told_by_its_end() -> None:
    told = short_run("ran `python table.py` → " + " ⏎ ".join(f"row {n} holds" for n in range(30)), 90)
    assert told.endswith("row 29 holds")
    assert len(told) <= 90


def test_a_run_that_has_little_room_is_told_by_the_error_that_it_printed() -> None:
    told = short_run(
        "ran `python a.py` → rows: 3 ⏎ Error in read(7): no such row ⏎ The script ended, no errors.", 70
    )
    assert "Error in read(7)" in told


def test_of_a_long_output_its_verdict_is_told_before_the_words_behind_it() -> None:
    printed = lines("row", 60) + "✓ All checks passed!\n" + lines("The new loop reads the row again", 9)
    [told] = texts([TASK, *run("a", "python table.py", printed, 0)], "tested")
    assert "All checks passed!" in told


def test_a_run_that_has_little_room_is_told_by_its_program() -> None:
    told = short_run("ran `PYTHONPATH=/work/shop/of/many/rows python check.py` → fine ⏎ all is well", 60)
    assert told.startswith("ran `python check.py` →")


def test_an_output_in_which_nothing_is_found_is_no_failure() -> None:
    assert texts([TASK, *run("a", "pip list | grep -i flask", "", 1)])[-1:] == [
        "ran `pip list | grep -i flask` → nothing found"
    ]


def test_the_links_of_a_page_that_was_asked_for_are_no_hits() -> None:
    page = "[All features](https://a.example/features) [Pricing](https://a.example/price)" + lines("word", 60)
    told = texts([TASK, *use("a", "webfetch", page, url="https://a.example/shop", format="markdown")])
    assert not any("hit" in text or "Pricing" in text for text in told)


def test_a_patch_of_several_files_tells_of_each_what_is_new_in_it() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: src/rows.py\n@@\n-limit = 1\n+limit = 2\n"
        "*** Update File: src/shop.py\n@@\n-name = 'a'\n+name = 'b'\n*** End Patch"
    )
    told = texts([TASK, *use("a", "apply_patch", "Success.", patchText=patch)], "changed")
    assert told == [
        "edited src/rows.py: `limit = 1` → `limit = 2`",
        "edited src/shop.py: `name = 'a'` → `name = 'b'`",
    ]


def test_lines_that_a_patch_only_moves_are_not_what_is_new() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: a.py\n@@\n-import b_rows\n-import a_rows\n"
        "+import a_rows\n+import b_rows\n@@\n-limit = 1\n+limit = 2\n*** End Patch"
    )
    told = texts([TASK, *use("a", "apply_patch", "Success.", patchText=patch)], "changed")
    assert told == ["edited a.py: `limit = 1` → `limit = 2`"]


def test_a_branch_of_an_edit_keeps_its_else() -> None:
    new = "x = 0\nif rows:\n    x = count(rows)\nelse:\n    x = None\n    y = 1\n"
    [told] = [t for t in texts([TASK, *edit("a", ROWS, "x = 0\n", new)], "changed") if ": " in t]
    assert "⏎ else: ⏎" in told


@pytest.mark.parametrize("again", [True, False])
def test_a_change_that_was_refused_goes_once_it_is_made(again: bool) -> None:
    patch = "*** Begin Patch\n*** Update File: src/rows.py\n@@\n-{}\n+limit = 2\n*** End Patch"
    refusal = "Error: apply_patch verification failed: Failed to find expected lines"
    span = [TASK, *use("a", "apply_patch", refusal, patchText=patch.format("limit = 9"))]
    if again:
        span += use("b", "apply_patch", "Success.", patchText=patch.format("limit = 1"))
    left = [] if again else [f"apply_patch src/rows.py failed: {refusal}"]
    assert texts(span, "failed") == left


def test_a_run_is_gone_when_a_later_one_holds_it() -> None:
    span = [
        TASK,
        *run("a", "make test", "ok", 0),
        *run("b", "make lint && make test", "0 issues\nok", 0),
    ]
    assert len(texts(span, "tested")) == 1


def test_a_backup_is_not_told() -> None:
    assert texts([TASK, *run("a", f"cp {ROWS} {ROWS}.backup", "", 0)], "changed") == []


@pytest.mark.parametrize(
    ("ran", "said", "marked"),
    [
        ("python repro.py", "The rows are skipped and the tests are passing.", True),
        ("pytest -q", "The rows are skipped and the tests are passing.", False),
        ("python repro.py", "The tests should pass now, with the rows skipped.", False),
    ],
)
def test_passing_tests_that_were_not_run_are_a_claim(ran: str, said: str, marked: bool) -> None:
    span = [TASK, *edit("a", ROWS, "x = 1", "x = 2"), *run("b", ran, "3 passed in 0.1s", 0)]
    [told] = texts([*span, say("assistant", said)], "said", "concluded", "found")
    assert ("(claimed; no test run seen)" in told) is marked


def test_the_commits_of_another_agent_are_told() -> None:
    report = "Done, 2 commits:\n- `0a1b2c3` — `Skip rows`\n- `1b2c3d4` — `Count rows`\nWorking tree is clean."
    span = [TASK, *use("t", "task", report, description="Commit all", prompt="Commit all.")]
    assert texts(span, "committed") == [
        "committed 0a1b2c3: Skip rows (by another agent)",
        "committed 1b2c3d4: Count rows (by another agent)",
    ]


def test_what_is_printed_into_one_file_is_not_what_another_holds() -> None:
    line = 'printf \'{"enabled": true, "rows": 3}\' > conf.json && make all 2> note.md'
    told = texts([TASK, *run("a", line, "", 0)], "changed")
    assert any(t.startswith("wrote conf.json") and "enabled" in t for t in told)
    assert not any(t.startswith("wrote note.md") and "enabled" in t.partition("`")[0] for t in told)


def test_of_two_texts_each_stands_with_the_file_it_went_into() -> None:
    line = "cat > one.txt <<'A'\nthe first text of all\nA\ncat > two.txt <<'B'\nthe second text of all\nB"
    assert texts([TASK, *run("a", line, "", 0)], "changed") == [
        "wrote one.txt: the first text of all",
        "wrote two.txt: the second text of all",
    ]


def test_of_a_long_output_the_passage_that_the_agent_goes_on_to_speak_of_is_copied() -> None:
    shown = lines("alpha", 200) + "def load_rows(shop):\n    return shop.open()\n" + lines("omega", 200)
    span = [
        TASK,
        *use("r", "get_rows", shown, shop="7"),
        say("assistant", "`load_rows` opens the shop."),
    ]
    [passage] = passages_of(span, range(len(span)), 2_000)
    assert "def load_rows(shop):" in passage.text


TRIALS = (
    "Trial 1 with blank rows:\n  kept 12 rows\nTrial 2, wide:\n  kept 3\n"
    "Trial 3 with the price table:\n  ERROR price column is missing\nall trials are done\n" + lines("row", 40)
)


def test_a_line_that_is_set_in_takes_along_the_one_that_it_belongs_to_and_gaps_are_marked() -> None:
    said = say("assistant", "The error of the missing price column is wanted, and blank rows are kept.")
    [*_, found] = texts([TASK, *run("a", "python trials.py", TRIALS), said], "tested", "failed")
    assert "Trial 3 with the price table: ⏎ ERROR price column is missing" in found
    assert "kept 12 rows … Trial 3" in found


WANTED = lines("step", 30) + "ERROR: the form must refuse this\nEverything is as it should be\n"


def test_trouble_in_what_ended_well_comes_in_its_place() -> None:
    command = "cat > check.py <<'E'\nprint(1)\nE\n\npython check.py"
    assert texts([TASK, *run("a", command, WANTED, 0)], "tested")[-1].endswith(
        "Everything is as it should be"
    )


TRACE = (
    "Traceback (most recent call last):\n"
    '  File "load.py", line 3, in load\n    rows = read_rows(path)\n'
    '  File "rows.py", line 9, in read_rows\n    return table[path]\n'
    "KeyError: 'prices'\n\nRan 1 test in 0.1s\n\nFAILED (errors=1)\n"
)


def test_a_failing_run_is_told_with_its_error_and_not_with_the_way_there() -> None:
    printed = "ERROR: test_read_rows (tests.Rows)\n" + lines("note", 30) + TRACE
    said = say("assistant", "The path of `read_rows` fails in test_read_rows: the table has no such row.")
    spoken = texts([TASK, *run("a", "python run_tests.py", printed), said])
    found = next(text for text in spoken if "read_rows (tests.Rows)" in text and " → " in text)
    assert "KeyError: 'prices'" in found
    assert "return table[path]" not in found


def test_what_a_tool_puts_around_its_output_is_not_told() -> None:
    printed = "Chunk ID: 09de9a\nWall time: 0.05 seconds\nProcess exited with code 0\nOutput:\nsrc is clean"
    assert texts([TASK, *run("a", "ls src", printed)], "ran") == ["ran `ls src` → src is clean"]


def test_what_a_tool_says_of_its_shell_is_no_output() -> None:
    waits = "<command with shellId: 3 is still running after 30 seconds. Use read_bash to wait.>"
    assert not texts([TASK, *run("a", "sh count.sh", waits)], "ran")


def test_a_patch_that_was_refused_is_not_copied_once_its_file_was_changed() -> None:
    patch = "*** Begin Patch\n*** Update File: src/rows.py\n@@\n-a\n+b\n*** End Patch"
    span = [
        TASK,
        *use("p", "apply_patch", "Failed to find expected lines in src/rows.py:\na row", input=patch),
    ]
    assert not [*passages_of(span, range(len(span)), 500, {"rows.py": 3})]


def test_where_a_tool_says_which_file_it_shows_is_not_told() -> None:
    head = "The user approved this operation:\n\n<files>\n<file><path>src/rows.py</path>\n"
    printed = head + '<content lines="1-9">\n 1 | def read_rows(path): return []'
    shown = texts([TASK, *run("a", "cat src/rows.py", printed)], "ran")
    assert not any("<path>" in text or "approved" in text for text in shown)


def test_a_function_that_is_taken_out_is_told_as_that() -> None:
    old = "# Old.\ndef read(path):\n    return path\n\n# Reads all the rows.\ndef rows(path):\n    return []"
    new = "# Reads all rows.\ndef rows(path):\n    return []"
    told = texts([TASK, *edit("e", "/repo/a.py", old, new)], "changed")[-1]
    assert "removed `def read(path):`" in told
    assert "`def read(path):` →" not in told


def test_of_two_long_lines_what_differs_is_seen() -> None:
    words = "the summary of the week that is sent to everybody in the house on the first day of the week "
    told = texts([TASK, *edit("e", "/repo/a.md", words * 2 + "by post", words * 2 + "by mail")], "changed")[
        -1
    ]
    assert "by post` → `" in told
    assert told.endswith("by mail`")


def test_an_edit_that_was_stopped_is_told_by_what_it_would_have_changed() -> None:
    refusal = "The user doesn't want to proceed with this tool use. the user said:\nNo."
    told = texts(
        [
            TASK,
            *use(
                "e",
                "Edit",
                refusal,
                replace_all=False,
                file_path="/repo/a.py",
                old_string="x = 1",
                new_string="x = 2",
            ),
        ],
        "asked",
    )[-1]
    assert told == "(stopped the agent's Edit a.py: `x = 1` → `x = 2`) No."


def test_a_look_at_a_file_that_was_changed_since_is_not_copied() -> None:
    look = run("a", "cat src/rows.py", "limit = 1\n" * 3)
    span = [TASK, *look, *run("b", "cat src/shop.py", "shop = 1\n" * 3)]
    assert len([*passages_of(span, range(len(span)), 500)]) == 2
    [left] = passages_of(span, range(len(span)), 500, {"rows.py": 3})
    assert "shop = 1" in left.text


def test_imports_and_green_lines_are_not_copied() -> None:
    printed = "import os\nimport re\nfrom rows import read\n"
    assert not [*passages_of(run("a", "head -3 src/rows.py", printed), range(2), 500)]
    green = "ok  \tshop/rows\t0.1s\nok  \tshop/prices\t(cached)\n?   \tshop/docs\t[no test files]\n"
    assert not [*passages_of(run("a", "make all", green), range(2), 500)]


def test_a_file_that_is_read_is_told_once_and_by_what_mattered() -> None:
    read = use("a", "Read", lines("def load_row", 60), file_path="/repo/rows.py")
    assert texts([TASK, *read], "ran", "posted") == []


def test_a_view_by_an_editor_changes_nothing() -> None:
    view = use("a", "str_replace_editor", lines("def load_row", 60), command="view", path="/repo/rows.py")
    assert texts([TASK, *view], "ran", "posted", "changed") == []


def test_where_a_run_finds_its_modules_is_told_and_the_run_is_the_same() -> None:
    first = run("a", "python check.py", "KeyError: 'rows'", 1)
    again = run("b", "cd /repo && PYTHONPATH=/repo/src python check.py", "all is well", 0)
    assert texts([TASK, *first, *again], "tested", "failed") == [
        "ran `PYTHONPATH=/repo/src python check.py` → all is well"
    ]


def test_output_kept_in_a_temporary_file_is_no_file_that_was_made() -> None:
    assert texts([TASK, *run("a", "cd $(mktemp -d) && shop init > /tmp/init.out", "", 0)], "changed") == []
    assert texts([TASK, *run("a", "echo 'limit = 1' > /tmp/shop.cfg", "", 0)], "changed")


def test_what_a_list_of_tasks_gives_back_is_not_copied() -> None:
    span = [TASK, *use("t", "todowrite", lines("task", 9), todos=[])]
    assert list(passages_of(span, range(len(span)), 2_000)) == []


def test_records_among_arguments_are_not_told() -> None:
    call = ToolCall(id="q", name="ask", arguments={"title": "Port", "choices": [{"label": "8443"}]})
    assert arguments_of(call) == "title: Port"
    broken = ToolCall(id="q", name="ask", arguments={"two\nlines": True})
    assert arguments_of(broken) == "two lines: True"


def test_of_a_script_that_writes_several_files_each_is_told_with_its_own_text() -> None:
    code = "open('a/x.py', 'w').write('')\nopen('a/y.py', 'w').write('import rows\\nrows.read()\\n')\n"
    told = texts([TASK, *run("s", f"cat > s.py <<'E'\n{code}E\npython s.py", "", 0)], "changed")
    assert "wrote a/x.py" not in told
    assert any(line.startswith("wrote a/y.py: ") and "rows.read()" in line for line in told)


def test_what_a_read_of_several_files_printed_names_them_all() -> None:
    read = use("r", "read_file", "rows = read(path)\ntotal = len(rows)", paths=["src/a.py", "src/b.py"])
    [passage] = passages_of([TASK, *read], range(3), 2_000)
    assert passage.text.startswith("#2 `read_file a.py, b.py` printed:")


def test_a_diff_that_a_call_gave_back_is_not_told_by_its_head() -> None:
    span = [
        TASK,
        *use("s", "submit", "diff --git a/src/rows.py b/src/rows.py\n--- a/src/rows.py", command="submit"),
    ]
    assert "diff --git" not in " ".join(texts(span))


def test_how_a_runner_says_what_it_starts_is_not_what_a_chain_came_to() -> None:
    printed = "ok  \tshop/rows\t0.3s\n[lint] $ lint run ./..."
    assert "[lint]" not in " ".join(texts([TASK, *run("t", "go vet ./... && go test ./...", printed, 0)]))


def test_a_refusal_of_the_editor_goes_where_the_edit_is_made_later() -> None:
    refused = use("a", "edit", "No file open. Use the `open` command first.", command="edit src/rows.py")
    made = edit("b", "/work/shop/src/rows.py", "rows = []", "rows = [last]")
    assert "No file open" in " ".join(texts([TASK, *refused]))
    assert "No file open" not in " ".join(texts([TASK, *refused, *made]))


def test_a_search_that_prints_nothing_has_found_nothing() -> None:
    assert texts([TASK, *run("a", "grep -rn 'E7' tests/", "", 1)])[-1:] == [
        "ran `grep -rn 'E7' tests/` → nothing found"
    ]
    assert "grep" not in "".join(texts([TASK, *run("a", "grep -rn 'E7' tests/ > hits.txt", "", 0)], "ran"))


def test_failing_tests_of_one_class_are_told_with_their_class_once() -> None:
    failing = "".join(f"ERROR: test_{name} (shop.tests.Rows)\n----\n" for name in ("empty", "last"))
    [told] = texts(
        [TASK, *run("a", "python -m unittest", f"{failing}Ran 3 tests in 0.1s\n\nFAILED (errors=2)", 1)],
        "tested",
    )
    assert "(test_empty, test_last (shop.tests.Rows))" in told


def test_a_list_of_files_that_an_editor_shows_is_not_told() -> None:
    listed = "Here are the files in /w/src:\n/w/src/errors.py\n/w/src/rows.py\n"
    look = use("v", "str_replace_editor", listed, command="view", path="/w/src")
    assert texts([TASK, *look], "ran") == []
    many = "\n".join(f"/w/src/errors_{n}.py" for n in range(60))
    far = use("v", "str_replace_editor", many, command="view", path="/w/src")
    assert texts([TASK, *far, say("assistant", "The errors are in errors_7.py of src.")], "ran") == []


def test_a_look_through_an_editor_is_told_by_its_file() -> None:
    look = use("v", "str_replace_editor", "limit = 7 rows", command="view", path="/w/src/rows.txt")
    assert texts([TASK, *look], "ran") == ["view /w/src/rows.txt → limit = 7 rows"]


def test_a_line_of_several_commands_is_told_as_it_is_joined_and_with_what_printed_last() -> None:
    build = 'go build -o till\necho "rows: $(ls *.csv | wc -l)"'
    assert 'ran `go build -o till; echo "rows: $(ls *.csv | wc -l)"` → rows: 9' in texts(
        run("a", build, "rows: 9")
    )
    gathered = "git ls-files | xargs -n1 tilt"
    assert f"ran `{gathered}` → rows: 9" in texts(run("c", gathered, "rows: 9"))
    watch = "./till watch > /dev/null 2>&1 &\nPID=$!\nsleep 3\nlsof -p $PID\nkill $PID"
    assert "ran `./till watch & PID=$!; sleep 3; lsof -p $PID; kill $PID` → 7 files" in texts(
        run("b", watch, "7 files")
    )


def test_a_script_that_ends_well_is_not_told_by_an_error_it_printed_on_its_way() -> None:
    text = "ran `python try.py` → rows: 4 ⏎ Error: no row 9, as wanted ⏎ " + "row ⏎ " * 40
    assert short_run(text + "Script completed successfully.", 80).endswith("Script completed successfully.")
    assert "Error: no row 9" in short_run(text + "The end of the rows.", 80)


def test_passing_tests_of_the_agents_own_script_are_told_as_such() -> None:
    claim = say("assistant", "All tests pass.", id="claim")
    made = write("w", "/w/test_rows.py", "assert True\n")
    span = [TASK, *made, *run("r", "python test_rows.py", "ok", 0), claim]
    assert "All tests pass. (of its own test_rows.py)" in brief(span)
    part = run("r", "go test -run TestRows ./till", "ok  \ttill\t0.1s", 0)
    look = run("l", "git diff till_test.go", "+func TestRows", 0)
    span = [TASK, *edit("e", "/w/till.go", "a := 1", "a := 2"), *part, *look, claim]
    assert "All tests pass. (only `-run TestRows` was run)" in brief(span)


@pytest.mark.parametrize(
    ("claim", "note"),
    [
        ("All tests pass.", " (only `-run TestLamps` was run)"),
        ("All lamps tests pass.", ""),
        ("All new tests pass.", ""),
    ],
)
def test_all_tests_are_no_more_than_those_that_were_run(claim: str, note: str) -> None:
    span = [
        TASK,
        *run("t", "go test ./... -run TestLamps", "ok shop 0.1s", 0),
        *run("d", "git diff test.go", "x", 0),
    ]
    assert claim + note in texts([*span, say("assistant", claim, id="c")])


def test_what_is_said_to_work_now_where_only_tests_were_changed_is_a_claim() -> None:
    claim = say("assistant", "This confirms that empty rows are now skipped.", id="claim")
    changed = edit("e", "/w/tests/test_rows.py", "assert a", "assert b")
    note = " (claimed; only tests and documents were changed)"
    assert claim.text + note in brief([TASK, *changed, claim])


DIFF_OF_TWO = """diff --git a/src/rows.py b/src/rows.py
--- a/src/rows.py
+++ b/src/rows.py
@@ -7,3 +7,3 @@ def read_rows(path):
     rows = []
-    limit = rows_of(path)
+    limit = kept_rows_of(path, limit=7)
     return rows
diff --git a/src/tills.py b/src/tills.py
--- a/src/tills.py
+++ b/src/tills.py
@@ -2,2 +2,2 @@ def open_till(name):
-    till = till_of(name)
+    till = locked(till_of(name))
"""


def test_a_line_that_a_diff_puts_in_is_told_with_its_file() -> None:
    shown = PendingOutput(words="ran `git diff`", output=DIFF_OF_TWO, turn=3, part=0, key="")
    told = evidence(shown, frozenset({"till", "of", "name", "till_of"}), most=110)
    assert told is not None
    assert told.text == ("ran `git diff` → +++ b/src/tills.py … +    till = locked(till_of(name))")


def test_of_a_diff_that_nobody_has_spoken_of_the_files_are_told() -> None:
    shown = run("p", "cat my.patch", DIFF_OF_TWO, 0)
    told = section(brief([TASK, *edit("e", "src/rows.py", "rows_of", "kept_rows_of"), *shown], 900), "Next")
    assert "- newest result (of #3): ran `cat my.patch` → a diff of src/rows.py, src/tills.py" in told
