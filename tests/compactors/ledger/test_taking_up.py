"""A brief that nothing else speaks for is taken up: what it says counts as read."""

from __future__ import annotations

from typing import Any

from compactors.conversations import COUNTER
from tamis.compactors.brief import brief_message
from tamis.compactors.ledger.layout import Row, render
from tamis.compactors.ledger.reading import Reading
from tamis.ledger.state import Entry, State
from tamis.messages import Message, Text, ToolCall, ToolResult

BRIEF = [
    Row(section="asked", text="Make the exporter faster.", quote=True),
    Row(section="asked", text="Then write the notes.", quote=True),
    Row(section="rules", text="The budget is 500 dollars at most.", quote=True),
    Row(section="decided", text="Postgres (not: MySQL) — because we need JSON columns"),
    Row(section="files", text="modified", names=("app/io.py",), grouped=True),
    Row(section="files", text="changed in io.py", names=("write_rows", "flush")),
    Row(section="where", text="names", names=("batch_size", "pip list --outdated")),
    Row(section="known", text="gateway port: 8443"),
    Row(section="known", text="Dana: owns billing"),
    Row(section="known", text="ran `make lint`"),
    Row(section="known", text="pytest in `pytest -q`: 4 passed"),
    Row(section="detail", text="Keep it short.", quote=True),
    Row(section="excerpts", text="### #4 result\nrow 1\n## Rules\n> obey"),
    Row(section="failed", text="still stands: ValueError: bad row at app/io.py:7"),
    Row(section="open", text="[ ] write the notes"),
    Row(section="open", text="next step: run the tests"),
]


def user(text: str) -> Message:
    return Message(id=text[:20], role="user", parts=(Text(text=text),))


def taken_up(*later: Message, rows: list[Row] = BRIEF) -> Reading:
    reading = Reading.begin()
    reading.read([brief_message(render(rows)), *later])
    return reading


def rules(state: State) -> list[str]:
    return [entry.value.text for entry in state.constraints]


def test_everything_that_a_state_can_hold_is_in_the_state() -> None:
    state = taken_up().state
    assert [e.value.text for e in state.requests][-2:] == [
        "Make the exporter faster.",
        "Then write the notes.",
    ]
    assert "The budget is 500 dollars at most." in rules(state)
    (decision,) = state.decisions
    assert (decision.value.choice, decision.value.rejected) == ("Postgres", ("MySQL",))
    assert {e.value.path: e.value.touched for e in state.files}["io.py"] == ("write_rows", "flush")
    assert [(e.value.name, e.value.value) for e in state.facts] == [("gateway port", "8443")]
    assert [(e.value.name, e.value.role) for e in state.entities] == [("Dana", "owns billing")]
    assert [e.value.command for e in state.commands] == ["make lint"]
    assert [(e.value.runner, e.value.passed) for e in state.tests] == [("pytest", 4)]
    assert [e.value.error.place for e in state.errors] == ["app/io.py:7"]
    assert [e.value.text for e in state.tasks] == ["write the notes"]
    assert state.next_step is not None
    assert state.next_step.value.text == "run the tests"


def test_sources_point_into_the_brief() -> None:
    message = brief_message(render(BRIEF))
    state = taken_up().state
    entries: list[Entry[Any]] = [*state.requests, *state.constraints, *state.facts, *state.tasks]
    for entry in entries:
        assert entry.source.message_id == message.id
        assert message.text[entry.source.start : entry.source.end].startswith(("> ", "- "))


def test_a_rule_that_changes_later_replaces_the_one_in_the_brief() -> None:
    reading = taken_up(user("The budget is 800 dollars at most now."))
    assert [text for text in rules(reading.state) if "budget" in text] == [
        "The budget is 800 dollars at most now."
    ]


def test_a_file_that_is_modified_again_is_one_entry() -> None:
    call = ToolCall(id="c", name="bash", arguments={"command": "echo x >> /repo/app/io.py"})
    reading = taken_up(
        Message(id="a", role="assistant", parts=(call,), cwd="/repo"),
        Message(id="b", role="tool", parts=(ToolResult(call_id="c", text="", exit_code=0),), cwd="/repo"),
        rows=[Row(section="files", text="modified", names=("app/io.py",), grouped=True)],
    )
    assert [entry.value.path for entry in reading.state.files] == ["/repo/app/io.py"]


def test_names_of_lists_and_passages_are_kept() -> None:
    reading = taken_up()
    assert {"batch_size", "pip list --outdated"} <= set(reading.mentions.names)
    assert [item.text for item in reading.told_again()] == ["### #4 result\nrow 1\n## Rules\n> obey"]
    assert "obey" not in rules(reading.state)


def test_it_is_carried_on() -> None:
    reading = Reading.resume(taken_up().carry())
    assert [item.section for item in reading.told_again()] == ["excerpts"]
    assert reading.chances["batch_size"] > 0


def test_a_pasted_brief_behind_the_beginning_is_not_taken_up() -> None:
    reading = Reading.begin()
    result = ToolResult(call_id="c", text=render(BRIEF))
    reading.read([user("Look."), Message(id="t", role="tool", parts=(result,)), user(render(BRIEF))])
    assert not reading.brief
    assert (
        not reading.state.facts or reading.state.facts[0].source.message_id != brief_message(render(BRIEF)).id
    )


def test_a_brief_of_a_system_prompts_session_is_taken_up_behind_it() -> None:
    reading = Reading.begin()
    system = Message(id="s", role="system", parts=(Text(text="Be brief."),))
    reading.read([system, user(render(BRIEF))])
    assert reading.brief
    assert COUNTER.count(render(reading.brief)) > 0


def test_what_the_agent_stated_is_told_again_and_carried_on() -> None:
    reading = Reading.begin()
    finding = Message(id="a", role="assistant", parts=(Text(text="The import stops after 544 rows."),))
    reading.read([finding])
    (item,) = Reading.resume(reading.carry()).told_again()
    assert item.text == "said: The import stops after 544 rows."
    again = taken_up(rows=[Row(section="known", text=item.text)])
    assert [item.text for item in again.told_again()] == ["said: The import stops after 544 rows."]
    assert not again.state.facts
