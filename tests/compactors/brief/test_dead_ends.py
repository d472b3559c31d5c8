"""Dead ends: what an agent that works alone tried in vain, why, and what its scripts are for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compactors.brief.talk import TASK, edit, texts, told, use, write
from compactors.conversations import run, say
from tamis.compactors.brief.choice.signals import signals_of
from tamis.compactors.brief.reading.statement import Statement
from tamis.messages import Message

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
    assert texts(span, "failed") == ["ran `python check.py` → KeyError: 'rows' (2 times)"]


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
    assert any(text.endswith("(taken out again)") for text in texts(span, "changed"))


def test_what_a_tool_refuses_again_and_again_is_told_once() -> None:
    answer = "ERROR: /repo/check.py is there already. Cannot overwrite files using `create`."
    span = [TASK]
    for name in "ab":
        given = {"command": "create", "path": "/repo/check.py", "file_text": "print(1)"}
        span += use(name, "str_replace_editor", answer, **given)
        span += edit(f"{name}2", "/repo/check.py", f"rows = {name}1", f"rows = {name}2")
    [refusal] = texts(span, "failed")
    assert "ERROR: check.py is there already." in refusal
    assert refusal.endswith("(2 times)")


def test_a_script_is_told_by_what_the_agent_made_it_for() -> None:
    says = say("assistant", "Let me write a small script to see what an empty row does:")
    made, done = write("a", "/repo/test_empty.py", "print(read_rows([]))")
    span = [TASK, replace(made, parts=(*says.parts, *made.parts)), done]
    span += [*edit("b", WHERE, "limit = 9", "limit = read_limit(10)"), *run("c", CHECK, "all is well", 0)]
    assert "wrote /repo/test_empty.py to see what an empty row does" in texts(span, "changed")


@pytest.mark.parametrize(
    ("sentence", "seeks"),
    [
        ("We've found the `read_rows` function.", True),
        ("It is likely to be in the `rows.py` file.", True),
        ("This should fix the problem.", True),
        ("The `read_rows` function drops the last row.", False),
    ],
)
def test_what_an_agent_only_looks_for_or_hopes_is_known(sentence: str, *, seeks: bool) -> None:
    said = Statement(kind="said", text=sentence, turn=1, place=(0, 0), flags=("alone",))
    [signals] = signals_of([said], [9], 2)
    assert ("seeks" in signals.flags) is seeks
