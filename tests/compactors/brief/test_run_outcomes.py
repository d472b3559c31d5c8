"""Deeds: what a run came to, by the lines of what it printed that tell."""

from __future__ import annotations

from compactors.brief.talk import TASK, texts, write
from compactors.conversations import lines, run, say
from tamis.compactors.brief.reading.deeds.call_text import is_trouble, last_lines
from tamis.compactors.brief.reading.deeds.run_words import short_run

STACK = 'Traceback (most recent call last):\n  File "mill.py", line {}, in grind\n    turn()\n'


def test_how_long_something_took_is_not_told() -> None:
    printed = "[lint] 0 issues.\n[lint] Finished in 2.4s\nDone in 5.0ms\n"
    assert texts(run("a", "make lint", printed, 0), "tested") == ["ran `make lint` → [lint] 0 issues."]
    assert last_lines("Done in 5.0ms\n", 230) == ""


def test_a_row_that_never_ends_hides_no_line_before_it() -> None:
    page = f"body: b'<html>{'<td>grit</td>' * 900}'"
    told = last_lines(f"Invalid sack: 7\nrows: <class 'sack'>\n{page}", 230)
    assert told == "Invalid sack: 7 ⏎ rows: <class 'sack'> …"


def test_code_that_a_script_prints_is_not_what_it_came_to() -> None:
    code = "def grind(rows):\n    for row in rows:\n        mill.add(row)\n    return mill.rows()\n" * 3
    told = last_lines(f"✓ rows are read\n✓ rows are few\n{code}\n✓ All checks passed!", 230)
    assert told == "✓ rows are read ⏎ ✓ rows are few … ✓ All checks passed!"


def test_what_a_script_that_only_prints_its_use_came_to_is_how_much_it_printed() -> None:
    made = write("w", "/work/mill/try.py", "main(['help'])")
    printed = "Usage: mill [options]\n\nCommands:\n" + lines("grind", 40)
    [told] = texts([TASK, *made, *run("a", "python try.py", printed, 0)], "tested")
    assert told == "ran `python try.py` → exit code 0, only a help text of 43 lines"


def test_of_two_errors_the_first_is_told_with_the_last() -> None:
    printed = f"{STACK.format(3)}SackError: the sack is torn\n{STACK.format(9)}TypeError: no flour\n"
    [told] = texts(run("a", "python mill.py", printed, 1), "failed")
    assert told == "ran `python mill.py` → SackError: the sack is torn … TypeError: no flour"


def test_what_a_compiler_says_is_told_with_its_place() -> None:
    [told] = texts(run("a", "go build ./...", "mill/sack.go:7:2: torn is not used", 1), "failed")
    assert told == "ran `go build ./...` → failed: mill/sack.go:7:2: torn is not used"


def test_what_a_program_turns_down_is_trouble() -> None:
    assert all(map(is_trouble, ("Invalid sack: 7", "Bad Request: /", "sent: {'status': 400}")))
    assert not any(map(is_trouble, ("status: 200", "4 sacks", "the sack is valid")))
    rows = "a  1 ⏎ b  2 ⏎ c  3"
    assert "no error printed" not in short_run(f"ran `python mill.py` → Invalid sack: 7 ⏎ {rows * 9}", 60)


def test_a_trial_is_told_with_what_came_of_it() -> None:
    trials = (f"Trial of rows:\n  the rows of mill {n} are ground\n\n" for n in range(30))
    headed = "".join(f"Test {n}: grain of kind {n}\n  flour {n}{n}\n\n" for n in (4, 7))
    spoken = say("assistant", "Grain of kind 7 is what the test is for.")
    made = write("w", "/work/mill/try.py", "grind()")
    shown = texts([TASK, *made, *run("a", "python try.py", headed + "".join(trials), 0), spoken], "tested")
    assert any("Test 7: grain of kind 7 ⏎ flour 77" in text for text in shown)


def test_a_heading_under_which_nothing_was_printed_is_not_told() -> None:
    printed = "=== sacks ===\n---\n--- mill ---\nthe mill runs"
    [told] = texts(run("a", "sack list; mill list", printed, 0), "ran")
    assert "sacks" not in told.partition(" → ")[2]
    assert "the mill runs" in told


def test_a_run_that_was_stopped_for_its_time_says_so_and_not_by_what_started_it() -> None:
    started = (
        "['docker', 'exec', '-w', '/testbed', '-e', 'PAGER=cat', '4b25f731ca26', 'bash', '-c', 'pytest -q']"
    )
    why = f"<exception>An error occurred: Command '{started}' timed out after 60 seconds</exception>"
    ended = f"{why}\n<returncode>-1</returncode>\n<output>\n</output>"
    assert texts([TASK, *run("a", "pytest -q", ended)], "failed") == [
        "ran `pytest -q` → timed out after 60 seconds"
    ]
    printed = "tests/test_rows.py F\nAssertionError: 2 rows, not 3"
    told = texts([TASK, *run("a", "pytest -q", f"{why}\n{printed}", 1)], "failed", "tested")
    assert "timed out after 60 seconds" not in told


def test_a_script_that_edits_a_file_whose_name_is_in_its_own_is_told_as_its_edit() -> None:
    script = "import re\ntext = open('src/rows.py').read()\ntext = re.sub(r'(a)\\\\s', r'\\\\1b', text)\n"
    script += "open('src/rows.py', 'w').write(text)\nprint('Fixed rows.py')"
    fixed = run("a", f"cat > fix_rows.py << 'EOF'\n{script}\nEOF\npython fix_rows.py", "Fixed rows.py", 0)
    back = run("b", "cp src/rows.py.orig src/rows.py", "", 0)
    span = [TASK, *run("o", "cp src/rows.py src/rows.py.orig", "", 0), *fixed, *back]
    assert not any("python fix_rows.py" in text for text in texts(span, "ran", "tested"))
