"""Dead ends: what an agent that works alone tried in vain, why, and what its scripts are for."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, edit, texts, told, use, write
from compactors.conversations import run, say
from tamis.compactors.brief.choice.signals import signals_of
from tamis.compactors.brief.reading.settling.dead_ends import dead_ends
from tamis.compactors.brief.reading.settling.overtaken import overtaken
from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.messages import Message, Text

CHECK = "python check.py"
WHERE = "/repo/src/rows.py"


def look(call_id: str) -> list[Message]:
    return run(call_id, "ls", "rows.py", 0)


def test_a_failed_run_behind_which_something_else_was_tried_is_told() -> None:
    span = [TASK, *run("a", CHECK, "KeyError: 'rows'", 1), *look("b"), *run("c", CHECK, "all is well", 0)]
    assert texts(span, "tested", "failed") == [
        "ran `python check.py` → KeyError: 'rows'",
        "ran `python check.py` → all is well",
    ]


def test_the_same_error_is_told_once_with_how_often_it_came() -> None:
    fails = [m for name in "ab" for m in (*run(name, CHECK, "KeyError: 'rows'", 1), *look(f"{name}2"))]
    span = [TASK, *fails, *run("c", CHECK, "all is well", 0)]
    assert texts(span, "failed") == ["ran `python check.py` → KeyError: 'rows' (2 times so far)"]


def test_an_error_that_came_again_behind_a_change_is_not_counted_with_the_one_before() -> None:
    fails = [m for name in "ab" for m in (*run(name, CHECK, "KeyError: 'rows'", 1), *look(f"{name}2"))]
    changed = edit("e", WHERE, "limit = 9", "limit = read_limit(10)")
    span = [TASK, *fails[:4], *changed, *fails[4:], *run("c", CHECK, "all is well", 0)]
    assert texts(span, "failed") == ["ran `python check.py` → KeyError: 'rows'"]


def test_errors_that_differ_in_the_name_at_their_end_are_two() -> None:
    error = "rows.core.exceptions.FieldError: Cannot resolve the keyword"
    first, other = f"{error} 'shelf'", f"{error} 'shelf_set'"
    span = [TASK, *run("a", CHECK, first, 1), *look("b"), *run("c", CHECK, other, 1)]
    assert texts(span, "failed") == [f"ran `python check.py` → {first}", f"ran `python check.py` → {other}"]


def test_what_the_agent_concludes_from_a_failed_run_leans_on_it() -> None:
    reason = "It seems that the `rows` key was never set."
    span = [TASK, *run("a", CHECK, "KeyError: 'rows'", 1), say("assistant", reason), *look("b")]
    made = {s.text: s for s in told(span)}
    assert [lead.kind for lead in made[reason].leads] == ["failed"]
    assert "why" in made[reason].flags


def test_an_edit_that_was_tested_and_taken_out_again_is_told_as_such() -> None:
    span = [
        TASK,
        *edit("a", WHERE, "limit = read_limit(9)", "limit = read_limit(10)"),
        *run("b", CHECK, "KeyError: 'rows'", 1),
        *edit("c", WHERE, "limit = read_limit(10)", "limit = read_limit(11)"),
    ]
    assert any(text.endswith("(not there now)") for text in texts(span, "changed"))


def test_what_a_tool_refused_is_not_told_once_it_was_done() -> None:
    answer = "ERROR: /repo/check.py is there already. Cannot overwrite files using `create`."
    span = [TASK]
    for name in "ab":
        given = {"command": "create", "path": "/repo/check.py", "file_text": "print(1)"}
        span += use(name, "str_replace_editor", answer, **given)
        span += edit(f"{name}2", "/repo/check.py", f"rows = {name}1", f"rows = {name}2")
    assert texts(span, "failed") == []
    again = {"command": "create", "path": "/repo/check.py", "file_text": "print(1)"}
    [refusal] = texts([*span, *use("c", "str_replace_editor", answer, **again)], "failed")
    assert "ERROR: check.py is there already." in refusal


@pytest.mark.parametrize("why", ["Sibling tool call errored", "File has not been read yet. Read it first."])
def test_a_call_that_is_only_to_be_made_anew_is_not_told(why: str) -> None:
    answer = f"<tool_use_error>{why}</tool_use_error>"
    refused = use("a", "Edit", answer, file_path=WHERE, old_string="limit", new_string="most")
    assert texts([TASK, *refused, *run("b", "make rows", answer, None)], "failed", "ran") == []


def test_a_call_that_failed_is_not_told_where_it_went_well_with_other_options() -> None:
    failed = run("a", "crate tie 7 9", "error: a kind is needed", 2)
    retried = "Tying 7 to 9 failed. Let me look at the kinds and retry."
    well = run("b", "crate tie 7 9 --kind=near", "tied 7 to 9", 0)
    again = Message(id="m", role="assistant", parts=(Text(text=retried), *well[0].parts))
    assert not any("failed" in text or "error" in text for text in texts([TASK, *failed, again, well[1]]))
    elsewhere = run("b", "crate tie 7 8 --kind=near", "tied 7 to 8", 0)
    assert len(texts([TASK, *failed, *elsewhere], "failed")) == 1


@pytest.mark.parametrize(
    ("sentence", "seeks"),
    [
        ("We've found the `read_rows` function.", True),
        ("It is likely to be in the `rows.py` file.", True),
        ("This should fix the problem.", True),
        ("Line 13 is the closing brace.", True),
        ("Look at the `read_rows` method", True),
        ("Actually, no - the rows are there.", True),
        ("No row is there where the file is empty.", False),
        ("The `read_rows` function drops the last row.", False),
    ],
)
def test_what_an_agent_only_looks_for_or_hopes_is_not_told(sentence: str, *, seeks: bool) -> None:
    span = [
        TASK,
        say("assistant", sentence, id="s"),
        *run("c", CHECK, "ok", 0),
        say("assistant", "All rows are read."),
    ]
    assert (sentence not in texts(span)) is seeks


def test_what_goes_back_to_a_sentence_that_is_not_told_goes_with_it() -> None:
    spoken = "Now let me look at `read_rows`. It returns `None` for no file. The reader of `cells` is whole."
    span = [
        TASK,
        say("assistant", spoken, id="s"),
        *run("c", CHECK, "ok", 0),
        say("assistant", "All is read."),
    ]
    assert not any("It returns" in text for text in texts(span))
    assert "The reader of `cells` is whole." in texts(span)


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("There are two `read_rows` functions in this file.", False),
        ("There are two `read_rows` functions in this file, `rows.py`.", True),
    ],
)
def test_what_is_said_of_this_file_is_told_where_it_is_named(sentence: str, *, told: bool) -> None:
    span = [
        TASK,
        *run("b", "cat src/rows.py", "def read_rows", 0),
        say("assistant", sentence, id="s"),
        *run("c", CHECK, "ok", 0),
        say("assistant", "All is read."),
    ]
    assert (sentence in texts(span)) is told


def test_a_figure_that_is_put_right_later_is_not_told() -> None:
    wrong = "The release binary of the shop costs +21MB with `cells`."
    right = "The release binary of the shop is stripped: it costs +15M, not +21M."
    span = [TASK, say("assistant", wrong, id="s"), *run("c", CHECK, "ok", 0), say("assistant", right)]
    assert wrong not in texts(span)
    assert any("+15M" in text for text in texts(span))


def test_the_last_cause_before_a_change_overrules_the_guesses_of_the_same_names() -> None:
    def stated(kind: StatementKind, text: str, turn: int, *flags: str) -> Statement:
        return Statement(kind=kind, text=text, turn=turn, place=(0, 0), flags=("alone", *flags))

    made = [
        stated("said", "Maybe `read_rows` is called twice.", 1, "guess"),
        stated("said", "Maybe `open_file` is slow.", 2, "guess"),
        stated("found", "The bug is that `read_rows` drops the last one.", 3, "cause"),
        stated("said", "The issue is on line 12 of `read_rows`.", 3),
        stated("changed", "edited rows.py: `rows[:-1]` → `rows`", 4, "source"),
    ]
    judged = [{"diagnosis", "overruled"} & signals.flags for signals in signals_of(made, [9] * 5, 5)]
    assert judged == [{"overruled"}, set(), {"diagnosis"}, set(), set()]


def test_a_list_of_the_faults_is_a_diagnosis_and_a_fault_that_only_may_be_is_none() -> None:
    texts = ("The issues are:\n1. `read_rows` skips.\n2. It blocks.", "Maybe the issue is `open_file` alone.")
    made = [
        Statement(kind="found", text=text, turn=turn, place=(0, 0), flags=("alone", "item", "cause"))
        for turn, text in enumerate(texts)
    ]
    assert ["diagnosis" in signals.flags for signals in signals_of(made, [9, 9], 2)] == [True, False]


def test_what_was_found_lacking_right_before_a_change_is_why_it_was_made() -> None:
    def stated(kind: StatementKind, text: str, turn: int, *flags: str) -> Statement:
        return Statement(kind=kind, text=text, turn=turn, place=(0, 0), flags=("alone", *flags))

    made = [
        stated("said", "The issue might be in `open_file` too.", 1, "stale"),
        stated("said", "We still have a problem: `read_rows` drops the last one.", 2, "stale"),
        stated("changed", "edited rows.py: `rows[:-1]` → `rows`", 3, "source"),
    ]
    marks = [{"diagnosis", "stale"} & signals.flags for signals in signals_of(made, [9] * 3, 4)]
    assert marks == [{"stale"}, {"diagnosis"}, set()]


def test_a_script_that_failed_is_overtaken_by_its_copy_that_did_not() -> None:
    def ended(kind: StatementKind, name: str, came: str, turn: int) -> Statement:
        key = f"python {name}.py"
        return Statement(kind=kind, text=f"ran `{key}` → {came}", turn=turn, place=(0, -1), key=key)

    runs = [ended("failed", "try_rows", "AssertionError", 1), ended("tested", "try_rows2", "rows: 3", 9)]
    assert overtaken(runs) == {id(runs[0])}
    assert dead_ends(runs, overtaken(runs)) == {}
    others = [ended("failed", "try_rows1", "AssertionError", 1), ended("tested", "try_rows2", "rows: 3", 9)]
    assert overtaken(others) == set()


def test_failures_that_end_otherwise_are_not_counted_as_one() -> None:
    def failed(came: str, turn: int) -> Statement:
        text = f"ran `make`: 1 failed — AssertionError: '{'row, ' * 18}' in {came} (at #1, before: {turn})"
        return Statement(kind="tested", text=text, turn=turn, place=(0, -1), key="make")

    runs = [failed("[]", 1), failed("[]", 9), failed("['row']", 19), failed("7 lists", 29)]
    assert dead_ends(runs, {*map(id, runs[:3])}) == {id(runs[2]): 1, id(runs[1]): 2}


def test_that_a_module_is_missing_is_told_once_and_counts_for_little_where_it_was_tested_otherwise() -> None:
    lacks = "ModuleNotFoundError: No module named 'rowtest'"
    span = [TASK, *run("a", "python -m rowtest", lacks, 1), *run("b", "python -c 'import rowtest'", lacks, 1)]
    assert sum("rowtest'" in text for text in texts(span, "failed")) == 1
    [failed] = [
        s for s in told([*span, *run("c", CHECK, "3 rows, as they should be", 0)]) if s.kind == "failed"
    ]
    assert "stale" in failed.flags


def test_an_attempt_at_a_file_that_the_agent_made_itself_is_worth_little() -> None:
    made = "/repo/demo/settings.py"
    span = [
        TASK,
        *write("w", made, "limit = read_limit(9)\n"),
        *edit("a", made, "limit = read_limit(9)", "limit = read_limit(10)\nkeep_rows(table)"),
        *run("b", CHECK, "KeyError: 'rows'", 1),
        *edit("c", made, "keep_rows(table)", "keep_rows(table, limit)"),
    ]
    (tried,) = [s for s in told(span) if s.kind == "changed" and s.turn == 3]
    assert tried.text.endswith("(the file edited again, #7)")
    assert {"tried", "slight"} <= {*tried.flags}


def test_a_failure_that_was_set_right_before_the_work_was_changed_is_not_told() -> None:
    failed = run("a", CHECK, "ModuleNotFoundError: No module named 'sacks'", 1)
    span = [TASK, *failed, *run("b", "pip install sacks", "Successfully installed sacks-2", 0)]
    assert texts([*span, *run("c", CHECK, "left: 4", 0)], "failed") == []


def test_what_ran_in_a_throw_away_folder_before_the_last_edit_is_not_told() -> None:
    span = [
        TASK,
        *run("a", "cd /tmp/try && /tmp/till enable", "till is on", 0),
        *edit("b", WHERE, "limit = 9", "limit = read_limit(10)"),
        *run("c", "cd /tmp/try && /tmp/till list", "left: 4", 0),
    ]
    assert texts(span, "ran", "tested") == ["ran `/tmp/till list` → left: 4"]


def test_an_edit_that_a_later_look_shows_is_there() -> None:
    span = [
        TASK,
        *edit("a", WHERE, "limit = read_limit(9)", "limit = read_limit(10)"),
        *run("b", CHECK, "KeyError: 'rows'", 1),
        *edit("c", WHERE, "limit = read_limit(10)", "limit = read_limit(11)"),
    ]
    again = run("d", f"grep -n limit {WHERE}", "7:limit = read_limit(10)", 0)
    assert not any("not there now" in text for text in texts([*span, *again]))


def test_what_a_look_shows_was_put_in_by_the_newest_edit_that_did() -> None:
    old, new = "limit = read_limit(9)", "limit = read_limit(10)"
    failed = run("f", CHECK, "KeyError: 'rows'", 1)
    span = [
        TASK,
        *edit("a", WHERE, old, new),
        *failed,
        *edit("b", WHERE, new, old),
        *edit("c", WHERE, old, new),
    ]
    again = run("d", f"grep -n limit {WHERE}", f"7:{new}", 0)
    put_in = [text for text in texts([*span, *again], "changed") if text.endswith(f"→ `{new}`")]
    assert len(put_in) == 1
