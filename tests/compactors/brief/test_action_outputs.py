"""Deeds: which part of what a call printed, or put into a file, is told."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, brief, edit, texts, use, write
from compactors.conversations import lines, run, say
from tamis.compactors.brief.copying.passages import passages_of
from tamis.compactors.brief.reading.deeds.call_text import arguments_of
from tamis.compactors.brief.reading.deeds.run_words import short_run
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
    assert told.startswith("ran `… python check.py` →")


def test_an_output_in_which_nothing_is_found_is_no_failure() -> None:
    assert texts([TASK, *run("a", "pip list | grep -i flask", "", 1)])[-1:] == [
        "ran `pip list | grep -i flask` → nothing found"
    ]


def test_the_links_of_a_page_that_was_asked_for_are_no_hits() -> None:
    page = "[All features](https://a.example/features) [Pricing](https://a.example/price)" + lines("word", 60)
    told = texts([TASK, *use("a", "webfetch", page, url="https://a.example/shop", format="markdown")])
    assert not any("hit" in text or "Pricing" in text for text in told)


def test_a_run_is_gone_when_a_later_one_holds_it() -> None:
    span = [
        TASK,
        *run("a", "make test", "ok", 0),
        *run("b", "make lint && make test", "0 issues\nok", 0),
    ]
    assert len(texts(span, "tested")) == 1


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


def test_of_a_long_output_the_passage_that_the_agent_goes_on_to_speak_of_is_copied() -> None:
    filler = "".join(lines(a + b, 4) for a in "klmnprstvz" for b in "aeiou")
    shown = f"{filler}def load_rows(shop):\n    return shop.open()\n{filler}"
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
    found = next(text for text in spoken if "read_rows (tests.Rows)" in text)
    assert "KeyError: 'prices'" in found
    assert "return table[path]" not in found


def test_what_a_tool_puts_around_its_output_is_not_told() -> None:
    printed = "Chunk ID: 09de9a\nWall time: 0.05 seconds\nProcess exited with code 0\nOutput:\nsrc is clean"
    assert texts([TASK, *run("a", "ls src", printed)], "ran") == ["ran `ls src` → src is clean"]


def test_what_a_tool_says_of_its_shell_is_no_output() -> None:
    waits = "<command with shellId: 3 is still running after 30 seconds. Use read_bash to wait.>"
    assert not texts([TASK, *run("a", "sh count.sh", waits)], "ran")


def test_where_a_tool_says_which_file_it_shows_is_not_told() -> None:
    head = "The user approved this operation:\n\n<files>\n<file><path>src/rows.py</path>\n"
    printed = head + '<content lines="1-9">\n 1 | def read_rows(path): return []'
    shown = texts([TASK, *run("a", "cat src/rows.py", printed)], "ran")
    assert not any("<path>" in text or "approved" in text for text in shown)


def test_a_look_at_a_file_that_was_changed_since_is_not_copied() -> None:
    look = run("a", "cat src/rows.cfg", "limit = till\n" * 3)
    span = [TASK, *look, *run("b", "cat src/shop.cfg # limit of the till", "shop = 1\n" * 3)]
    assert len([*passages_of(span, range(len(span)), 500)]) == 2
    [left] = passages_of(span, range(len(span)), 500, {"rows.cfg": 3})
    assert "shop = 1" in left.text


def test_imports_and_green_lines_are_not_copied() -> None:
    printed = "import os\nimport re\nfrom rows import read\n"
    assert not [*passages_of(run("a", "head -3 src/rows.py", printed), range(2), 500)]
    green = "ok  \tshop/rows\t0.1s\nok  \tshop/prices\t(cached)\n?   \tshop/docs\t[no test files]\n"
    assert not [*passages_of(run("a", "make all", green), range(2), 500)]


def test_a_file_that_is_read_is_told_once_and_by_what_mattered() -> None:
    read = use("a", "Read", lines("def load_row", 60), file_path="/repo/rows.py")
    assert texts([TASK, *read], "ran", "posted") == []


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


def test_what_a_read_of_several_files_printed_names_them_all() -> None:
    read = use("r", "read_file", "rows = read(path)\ntotal = len(rows)", paths=["src/a.py", "src/b.py"])
    [passage] = passages_of([TASK, *read], range(3), 2_000)
    assert passage.text.startswith("#2 `read_file a.py, b.py` printed:")


def test_how_a_runner_says_what_it_starts_is_not_what_a_chain_came_to() -> None:
    printed = "ok  \tshop/rows\t0.3s\n[lint] $ lint run ./..."
    assert "[lint]" not in " ".join(texts([TASK, *run("t", "go vet ./... && go test ./...", printed, 0)]))


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
    assert "All tests pass. (claimed; the newest run was of its own test_rows.py)" in brief(span)
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


def test_a_long_command_is_told_by_its_own_words_alone() -> None:
    long = "gofmt -w " + " ".join(f"pkg/rows/file_{n}.go" for n in range(12))
    [told] = texts([TASK, *run("a", f"{long} && python check.py pkg/rows/ all", "fine", 0)], "tested")
    assert told.endswith("… python check.py pkg/rows/ all` → fine")


def test_what_a_file_is_given_is_no_part_of_the_command() -> None:
    written = "made=$(mktemp)\ncat > \"$made\" <<'EOF'\nThe plan.\n\nWe sort the rows.\n" + lines("Row", 40)
    told = texts([TASK, *run("a", written + "EOF\nprintf '%s\\n' \"$made\"", "/tmp/made.7", 0)])[-1]
    assert "sort" not in told
    assert "#" not in told
    assert '"$made" <<…; printf' in told


def test_the_columns_of_a_table_stand_over_each_other() -> None:
    table = "==== =====\n  kg     m\nmass depth\n==== =====\n 1.0   2.5\n"
    [told] = texts([TASK, *run("a", "python table.py", f"Written:\n{table}", 0)], "tested")
    assert "==== ===== ⏎   kg     m ⏎ mass depth ⏎ ==== ===== ⏎  1.0   2.5" in told


def test_a_long_output_is_told_from_the_beginning_of_a_part() -> None:
    cases = "\n\n".join(f"Case {n}: rows\n==== =====\n{lines('row', 6)}==== =====" for n in range(9))
    [told] = texts([TASK, *run("a", "python table.py", cases, 0)], "tested")
    assert "→ … Case 6: rows ⏎ ==== =====" in told


def test_a_line_that_was_printed_twice_is_told_so() -> None:
    printed = lines("The reader opens another file of rows", 9) + "called: rows\ncalled: rows\n"
    [told] = texts([TASK, *run("a", "python calls.py", printed, 0)], "tested")
    assert told.endswith("called: rows (printed 2 times)")


def test_that_a_script_came_to_its_end_is_no_result() -> None:
    printed = f"ran `python a.py` → rows: 4 ⏎ Error: no such row ⏎ {'row ⏎ ' * 20}rows kept: 0 ⏎ "
    printed += "Script completed successfully."
    assert short_run(printed, 80).endswith("→ Error: no such row … Script completed successfully.")
    assert short_run(printed.replace("Error: ", ""), 70).endswith("⏎ rows kept: 0 …")
    assert short_run(printed.replace("Error: ", "")[:-1] + ", no errors.", 70).endswith("⏎ rows kept: 0 …")


def test_of_a_table_for_which_there_is_no_room_no_row_is_told() -> None:
    rows = " ⏎ ".join(f"row {n}      {n}.5   {'many columns of it ' * 3}" for n in range(30))
    assert short_run(f"ran `python table.py` → {rows}", 60) == "ran `python table.py` → no error printed"


def test_a_check_that_failed_is_told_so() -> None:
    said = "rows.py:9:1: name of a row is used twice; consider another\n"
    [told] = texts([TASK, *run("a", "npm run lint", said, 1)], "failed")
    assert told == f"ran `npm run lint` → failed: {said.strip()}"


def test_any_of_few_parts_of_a_long_command_may_be_what_printed() -> None:
    long = (
        "ls /srv/mill/grain-store/all-of-it/ || ls /srv/mill/backup/ ; find /srv -name rows -o -name tables"
    )
    [told] = texts([TASK, *run("a", f"{long} -o -name {'x' * 40}", "sacks.lock", 0)], "ran")
    assert "/all-of-it/ … ls /srv/mill/backup/ … find /srv" in told


def test_what_is_fed_to_a_program_is_marked() -> None:
    [told] = texts([TASK, *run("a", "cd /srv && echo '{\"sack\": 3}' | mill hook; echo $?", "0", 0)], "ran")
    assert told == "ran `… | mill hook` → 0"


def test_a_check_that_ends_with_a_code_of_its_own_is_told_with_it() -> None:
    [told] = texts([TASK, *run("a", "npm run lint", "style pass\nlinks pending\n", 8)], "failed")
    assert told == "ran `npm run lint` → exit code 8: style pass ⏎ links pending"


def test_of_a_run_whose_last_line_is_long_the_line_before_is_told_whole() -> None:
    came = f"ran `python mill.py` → grain: 3 ⏎ flour: 2 ⏎ SQL: SELECT {', '.join(map(str, range(90)))}"
    assert short_run(came, 60) == "ran `python mill.py` → grain: 3 ⏎ flour: 2 …"
    fault = came.replace("SQL: SELECT", "MillError: no sack of")
    assert "MillError: no sack of" in short_run(fault, 60)
