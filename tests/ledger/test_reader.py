"""The reader: stable, resumable, and every event points at what it quotes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.conversation import answered, called, ran, said
from strategies import messages, sessions, texts
from tamis.errors import InputError
from tamis.ledger import LedgerReader, events_to_json, read_ledger, state_to_json
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.reader import MAX_OPEN_CALLS
from tamis.messages import Message, Text, ToolCall, identify, part_text

SPOKEN = (
    "Never touch the lock file. The port is 8080.",
    "Actually use port 9090; must not exceed $500.",
    "TODO: write the docs\n- [ ] ship it",
    "I decided to use SQLite because it is simple. Next, I will run the tests.",
    "必须保持端口 8080。接下来：\n- 更新文档",
)
RUNS = (
    ("pytest -q", "E   ValueError: x\n=== 1 failed, 2 passed in 0.1s ===", 1),
    ("pytest -q", "=== 3 passed in 0.1s ===", 0),
    (
        "cat > a.py <<'E'\nx = 1\nE\npython a.py",
        'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: 1',
        1,
    ),
    ("mv a.py b.py && ls", "b.py", 0),
    ("cd src && grep -n x y", "grep: y: No such file or directory", 2),
)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[Message, ...]:
    """Turns that the extractors find something in, among others."""
    listed: list[Message] = []
    for number in range(draw(st.integers(1, 8))):
        if draw(st.booleans()):
            command, output, code = draw(st.sampled_from(RUNS))
            listed += ran(command, output, number, exit_code=draw(st.sampled_from([code, None])))
        else:
            role = draw(st.sampled_from(["user", "assistant", "system"]))
            listed.append(said(role, draw(st.sampled_from(SPOKEN) | texts()), f"s{number}"))
    return tuple(listed)


few = settings(max_examples=40)
anything = conversations() | messages(missing=True, repeated_ids=True)


@few
@given(anything, st.data())
def test_reading_in_two_goes_is_reading_at_once(listed: tuple[Message, ...], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(listed)))
    first = LedgerReader()
    events = [event for message in listed[:cut] for event in first.read(message)]
    snapshot = json.loads(json.dumps(first.snapshot()))
    rest = read_ledger(listed[cut:], start=snapshot)
    whole = read_ledger(listed)
    assert (*events, *rest.events) == whole.events
    assert rest.state == whole.state


def test_what_is_announced_behind_a_deed_replaces_nothing() -> None:
    plan = "Next, I will run the tests."
    events = read_ledger(
        [said("assistant", plan, "a"), *ran(*RUNS[1][:2], 1), said("assistant", plan, "b")]
    ).events
    assert [event.supersedes for event in events if event.kind == "next_step"] == [None, None]


@few
@given(anything)
def test_the_same_messages_give_the_same_bytes(listed: tuple[Message, ...]) -> None:
    def bytes_of() -> str:
        ledger = read_ledger(listed)
        return json.dumps([events_to_json(ledger.events), state_to_json(ledger.state)])

    assert bytes_of() == bytes_of()


@few
@given(anything)
def test_every_source_lies_in_the_messages(listed: tuple[Message, ...]) -> None:
    parts = {(m.id, p): part_text(part) for m in listed for p, part in enumerate(m.parts)}
    for event in read_ledger(listed).events:
        text = parts[event.source.message_id, event.source.part]
        assert 0 <= event.source.start <= event.source.end <= len(text)


@few
@given(anything)
def test_what_is_quoted_stands_at_its_source(listed: tuple[Message, ...]) -> None:
    parts = {(m.id, p): part for m in listed for p, part in enumerate(m.parts)}
    for event in read_ledger(listed).events:
        part = parts[event.source.message_id, event.source.part]
        quoted = part_text(part)[event.source.start : event.source.end]
        value: Any = event.value
        if event.kind in ("request", "constraint") or (event.kind == "task" and isinstance(part, Text)):
            assert quoted == value.text
        elif event.kind == "error":
            assert quoted == value.message


@few
@given(anything)
def test_events_are_numbered_in_order_and_supersede_earlier_ones_on_their_subject(
    listed: tuple[Message, ...],
) -> None:
    seen: dict[str, tuple[str, str]] = {}
    for number, event in enumerate(read_ledger(listed).events, 1):
        assert event.id == f"e{number}"
        if event.supersedes and event.kind != "next_step":
            assert seen[event.supersedes] == (event.kind, event.subject)
        seen[event.id] = (event.kind, event.subject)


@few
@given(anything)
def test_the_state_points_at_events_of_the_ledger(listed: tuple[Message, ...]) -> None:
    ledger = read_ledger(listed)
    by_id = {event.id: event for event in ledger.events}
    state = ledger.state
    entries = (*state.facts, *state.constraints, *state.errors, *state.tasks, *state.files, *state.commands)
    for entry in entries:
        assert by_id[entry.event].source == entry.source
    assert state.turns == len(listed)


@few
@given(sessions(missing=True))
def test_any_session_is_read(session: Any) -> None:
    assert read_ledger(session.messages).state.turns == len(session.messages)


def test_calls_are_shown_to_extractors_until_their_result_was_read() -> None:
    waiting: list[list[str]] = []

    def watch(_message: Message, context: ReadContext) -> list[EventDraft]:
        waiting.append(list(context.calls))
        return []

    reader = LedgerReader(extractors=(watch,))
    for message in (called("bash", {"command": "ls"}), answered("a.py"), said("user", "thanks")):
        reader.read(message)
    assert waiting == [[], ["c"], []]


def test_calls_that_never_get_a_result_do_not_pile_up() -> None:
    reader = LedgerReader()
    for number in range(MAX_OPEN_CALLS + 50):
        reader.read(called("bash", {"command": "ls"}, call_id=f"c{number}", message_id=f"m{number}"))
    assert len(reader.snapshot()["context"]["calls"]) == MAX_OPEN_CALLS


def test_the_working_directory_is_that_of_the_newest_message_that_has_one() -> None:
    seen: list[str | None] = []

    def watch(_message: Message, context: ReadContext) -> list[EventDraft]:
        seen.append(context.cwd)
        return []

    reader = LedgerReader(cwd="/start", extractors=(watch,))
    for cwd in (None, "/a", None):
        reader.read(Message(id="m", role="user", parts=(Text(text="x"),), cwd=cwd))
    assert seen == ["/start", "/a", "/a"]


@pytest.mark.parametrize("broken", [{}, {"events": "x", "context": {}, "state": {}}, {"events": 1}])
def test_what_is_no_snapshot_is_refused_in_one_line(broken: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="compact from the start"):
        LedgerReader.restore(broken)


def test_a_snapshot_is_a_copy() -> None:
    reader = LedgerReader()
    reader.read(called("TodoWrite", {"todos": [{"content": "a b c", "status": "pending"}]}))
    snapshot = reader.snapshot()
    before = json.dumps(snapshot)
    reader.read(called("TodoWrite", {"todos": [{"content": "d e f", "status": "pending"}]}))
    LedgerReader.restore(snapshot).read(ran("make", "x", 3)[0])
    assert json.dumps(snapshot) == before


def test_a_repeated_call_id_belongs_to_the_latest_call() -> None:
    listed = identify(
        [
            called("bash", {"command": "make a"}, message_id=""),
            called("bash", {"command": "make b"}, message_id=""),
            answered("done", message_id="", exit_code=0),
        ]
    )
    commands = [event.subject for event in read_ledger(listed).events if event.kind == "command"]
    assert commands == ["make b"]


def test_a_tool_call_in_a_snapshot_comes_back_as_it_was() -> None:
    call = ToolCall(id="c", name="bash", raw_arguments="ls -la")
    reader = LedgerReader()
    reader.read(Message(id="1", role="assistant", parts=(call,)))
    snapshot = json.loads(json.dumps(reader.snapshot()))
    assert LedgerReader.restore(snapshot).snapshot() == reader.snapshot()
