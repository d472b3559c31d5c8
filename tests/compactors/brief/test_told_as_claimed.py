"""What is told of a deed where not all of it was seen, or only claimed."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, edit, texts, use, write
from compactors.conversations import lines, run, say
from tamis.compactors.brief.copying.passages import passages_of

ROWS = "/work/shop/src/rows.go"


def test_what_others_changed_in_a_file_between_two_looks_is_told() -> None:
    path, page = "/work/shop/README.md", "# Shop\n\n## Why a shop?\n\nRows are kept.\n\n## Use\n\nmake rows\n"
    shown = page.replace("## Why a shop?\n\n", "")
    made, seen = write("a", path, page), use("b", "Read", shown, file_path=path)
    (line,) = (text for text in texts([TASK, *made, *seen]) if text.startswith("saw "))
    assert line == f"saw {path} changed by others (the user, a command): removed `## Why a shop?`"
    cut = use("b", "Read", page.removesuffix("make rows\n"), file_path=path)
    same = use("b", "Read", page, file_path=path)
    assert not any(t.startswith("saw ") for look in (cut, same) for t in texts([TASK, *made, *look]))


def test_what_a_line_of_several_commands_printed_is_not_told_of_one_that_may_not_have() -> None:
    [told] = texts(run("a", "grep -rl rows src && ./till list", "src/rows.go\nTill seven", 0))
    assert told == "ran `grep -rl rows src && ./till list` → src/rows.go ⏎ Till seven"
    [told] = texts(run("b", "git rebase main && git show ab12 --stat", "Done.\n rows.go | 7 +++++++", 0))
    assert told == "ran `git rebase main`"
    moved = texts(run("c", "git checkout rows && ./till list", "Till seven", 0))
    assert "ran `git checkout rows`" in moved


def test_of_a_long_line_of_several_commands_the_last_is_named_which_printed_what_stands_last() -> None:
    line = f"till link seven --to {'eight-' * 9} || till link seven; till note seven --text {'of_rows_' * 9}"
    [told] = texts(run("a", line, "usage: till link\nUpdated seven", 0))
    assert " … till note seven --text" in told.partition(" → ")[0]


def test_a_run_that_passed_is_not_called_red_by_the_one_before_it() -> None:
    red = run("a", "pytest -q", "1 failed, 3 passed in 0.1s", 1)
    edited = edit("e", "/work/shop/src/rows.py", "x = 1", "x = 2")
    green = run("b", "pytest -q", "4 passed in 0.1s", 0)
    said = texts([TASK, *red, *edited, *green, say("assistant", "All the new tests pass.")])
    assert not any("had failures" in text for text in said)


def test_to_call_something_correct_is_no_claim_to_have_mended_it() -> None:
    span = [
        *edit("e", "/work/shop/tests/test_rows.py", "x = 1", "x = 2"),
        *run("t", "pytest -q", "1 passed", 0),
    ]
    said = texts([TASK, *span, say("assistant", "For one till, the count of `rows` is correct.")])
    assert not any("(claimed" in text for text in said)


def test_programs_of_one_line_that_ran_in_several_folders_are_told_apart() -> None:
    [told] = texts(
        [*run("a", "make till && cd /tmp && rm -rf x && cd x && till list", "Till seven", 0)], "tested"
    )
    assert told.startswith("ran `make till … till list`")


def test_the_rules_of_a_table_are_told_with_it() -> None:
    table = "==== ====\nname till\n==== ====\nrows 7\n==== ===="
    [told] = texts(run("a", "./till list", table, 0))
    assert told.endswith("==== ==== ⏎ name till ⏎ ==== ==== ⏎ rows 7 ⏎ ==== ====")


def test_the_last_lines_of_a_shown_file_are_not_copied_without_what_they_end() -> None:
    names = ["till", "lamp", "desk", "door", "cup", "plate", "chair", "shelf"]
    body = "\n".join(f"{names[n % 8]}_{n} = table.cells[{n}] + kept" for n in range(37))
    shown = use("v", "Read", body, file_path="/work/shop/src/rows.cfg")
    span = [TASK, *shown, say("assistant", f"Kept are {body[:600]}.", id="d")]
    assert len([*passages_of(span, range(len(span)), 2_000)]) == 1


def test_a_claim_of_passing_tests_says_that_far_fewer_were_run_than_before() -> None:
    first = run("t1", "pytest tests/rows", "== 30 passed, 2 failed in 1s ==", 1)
    again = run("t2", "pytest tests/rows", "== 2 passed in 1s ==", 0)
    for claim in ("The tests have passed successfully.", "This has fixed the issue of the shop."):
        said = texts([TASK, *first, *again, say("assistant", claim)], "said", "found", "concluded")
        assert any("(claimed; 2 tests were run, 32 at #" in text for text in said)


def test_what_only_a_script_of_its_own_showed_says_so() -> None:
    span = [TASK, *write("w", "/work/shop/test_edges.py", "print(1)")]
    span += [*run("t", "python test_edges.py", "1e-10", 0)]
    said = texts([*span, say("assistant", "The fix works as expected.")], "said", "found", "concluded")
    assert said == ["The fix works as expected. (claimed; the newest run was of its own test_edges.py)"]


HELP = "Type 'mill help <subcommand>' for help.\n\nAvailable subcommands:\n" + lines("grind", 30)
SUMMARY = "We tested the mill with a script that shows:\n- with `--fine`, flour is fine"


@pytest.mark.parametrize(
    ("printed", "code", "how"),
    [(HELP, 0, "only a help text"), ("GritError: 7", 1, "failed"), ("flour: 7", 0, "")],
)
def test_a_script_that_failed_or_only_printed_its_use_shows_nothing_of_a_claim(
    printed: str, code: int, how: str
) -> None:
    span = [
        TASK,
        *write("w", "/work/mill/test_mill.py", "grind()"),
        *run("t", "python test_mill.py", printed, code),
    ]
    said = "\n".join(texts([*span, say("assistant", SUMMARY)], "said", "found", "concluded"))
    assert f"that shows:{f' (claimed; its own test_mill.py, #3: {how})' * bool(how)}\n" in said


def test_of_what_the_agent_only_counts_up_no_run_is_told() -> None:
    span = [
        TASK,
        *write("w", "/work/shop/test_edges.py", "print(1)"),
        *run("t", "python test_edges.py", "1", 0),
    ]
    said = texts([*span, say("assistant", "It handles edge cases well:\n\n1. Rows are few.")])
    assert not any("claimed" in text for text in said)


def test_a_script_that_runs_nothing_of_the_work_says_so() -> None:
    change = edit("e", ROWS.replace(".go", ".py"), "rows = []", "rows = ()")
    for imports, beside in (("import re", True), ("import rows", False)):
        made = write("w", "/work/shop/verify.py", f"{imports}\nprint(f'{{check()}} passed')")
        [ran] = texts([TASK, *change, *made, *run("t", "python verify.py", "3 passed", 0)], "tested")
        assert ran.endswith("(runs nothing of the work)") is beside


def test_a_failure_that_was_to_come_is_told_with_the_agents_word_on_it() -> None:
    ran = run("t", "python twice.py", "errors: 1\nerror: two rows have one name", 0)
    span = [TASK, *ran, say("assistant", "Good! It correctly rejects a name that is there twice.")]
    told = texts(span)
    assert "errors: 1 ⏎ error: two rows have one name = It correctly rejects a name that is" in told[1]
    assert sum("rejects" in text for text in told) == 1
    assert " = It correctly" not in "".join(
        texts([TASK, *run("t", "python twice.py", "rows: 1", 0), span[-1]])
    )


def test_a_line_that_only_opens_a_summary_is_not_told() -> None:
    words = "Let's summarize what we've done:\n\n1. `read_rows` skips blank rows.\n2. `head` counts them."
    told = " ".join(texts([TASK, say("assistant", words)]))
    assert "summarize" not in told
    assert "skips blank rows" in told


def test_tests_are_run_on_the_work_as_it_stands_though_a_document_was_edited_since() -> None:
    ran = run("t", "go test ./...", "ok  shop/rows 0.1s", 0)
    for path, note in (("/w/README.md", ""), ("/w/rows.go", " (claimed; no test run seen)")):
        span = [TASK, *ran, *edit("e", path, "old rows", "new rows"), say("assistant", "All tests pass.")]
        assert texts(span, "concluded") == [f"All tests pass.{note}"]


def test_what_the_agent_changed_by_another_name_of_the_file_is_not_told_as_made_by_others() -> None:
    page = "a = 1\nb = 2\nc = 3\nd = 4\n"
    made = write("a", "src/rows.go", page)
    own = use("b", "Edit", f"The file {ROWS} has been updated.", file_path=ROWS)
    seen = use("c", "Read", page.replace("c = 3\n", ""), file_path="src/rows.go")
    assert not any(text.startswith("saw ") for text in texts([TASK, *made, *own, *seen]))


def test_an_editor_that_breaks_down_has_written_nothing() -> None:
    broken = "-" * 75 + "\nRuntimeError       Traceback (most recent call last)\nCell In[1], line 1"
    tried = use("a", "str_replace_editor", broken, path=ROWS, new_str="one", old_str="two")
    assert not any(text.startswith("edited ") for text in texts([TASK, *tried]))
