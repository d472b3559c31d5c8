from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from compactors.conversations import run, say
from tamis.ledger import LedgerReader, read_ledger
from tamis.ledger.events import ErrorMessage, Request, Source, Task, TestRun
from tamis.ledger.files.worktree import MAX_KNOWN
from tamis.ledger.reader import MOST, bounded
from tamis.ledger.state import Entry, ErrorState, FileState, State
from tamis.ledger.state_json import state_to_json
from tamis.messages import Message

HERE = Source(message_id="m", part=0, start=0, end=1)


def entry(subject: str, value: Any, turn: int, count: int = 1) -> Entry[Any]:
    return Entry(subject=subject, value=value, source=HERE, first_turn=turn, last_turn=turn, count=count)


def requests(many: int) -> tuple[Entry[Request], ...]:
    return tuple(entry(f"r{n}", Request(text=f"do {n}"), n) for n in range(many))


def test_what_is_within_the_bounds_is_the_same() -> None:
    state = State(requests=requests(MOST["requests"]), turns=9)
    assert bounded(state) == state


def test_the_first_request_and_the_newest_stay_in_their_order() -> None:
    kept = bounded(State(requests=requests(2 * MOST["requests"]))).requests
    assert len(kept) == MOST["requests"]
    assert kept[0].subject == "r0"
    assert [e.subject for e in kept[1:]] == [
        e.subject for e in requests(2 * MOST["requests"])[-len(kept) + 1 :]
    ]


@pytest.mark.parametrize(
    ("table", "stands", "is_over"),
    [
        ("files", FileState(path="p", status="modified"), FileState(path="p", status="read")),
        ("tasks", Task(text="t", status="open"), Task(text="t", status="done")),
        (
            "errors",
            ErrorState(error=ErrorMessage(message="e"), resolved=False),
            ErrorState(error=ErrorMessage(message="e"), resolved=True),
        ),
        ("tests", TestRun(runner="pytest", failed=1), TestRun(runner="pytest", passed=1)),
    ],
)
def test_what_stands_goes_before_what_is_newer_and_over(table: str, stands: object, is_over: object) -> None:
    old = [entry("old", stands, 0)]
    newer = [entry(f"new{n}", is_over, n + 1) for n in range(MOST[table] + 5)]
    kept = getattr(bounded(State(**{table: (*old, *newer)})), table)
    assert len(kept) == MOST[table]
    assert kept[0].subject == "old"
    assert kept[-1].subject == newer[-1].subject


def test_what_was_said_often_outlives_what_was_said_once() -> None:
    often = entry("often", Request(text="x"), 10, count=64)
    others = [entry(f"r{n}", Request(text="y"), 11 + n) for n in range(MOST["requests"] + 100)]
    first = entry("first", Request(text="z"), 0)
    kept = bounded(State(requests=(first, often, *others))).requests
    assert [e.subject for e in kept[:2]] == ["first", "often"]


def reading(turns: int, start: int = 0) -> Iterator[Message]:
    for n in range(start, start + turns):
        yield from run(f"c{n}", f"cat src/part{n}/file.py", f"x = {n}", 0)


def test_what_is_put_away_does_not_grow_with_the_session() -> None:
    reader = LedgerReader()
    sizes = []
    for begin in range(0, 8_000, 2_000):
        for message in reading(2_000, begin):
            reader.read(message)
        sizes.append(len(str(reader.snapshot())))
        reader = LedgerReader.restore(reader.snapshot())
    assert sizes[-1] < 1.1 * sizes[-2]
    assert len(reader.state.files) == MOST["files"]
    assert len(reader.snapshot()["context"]["memory"]["files"]["tree"]["there"]) == MAX_KNOWN
    assert reader.state.turns == 16_000


def test_a_rule_of_the_user_outlives_a_long_session() -> None:
    reader = LedgerReader()
    reader.read(say("user", "Never change prices.csv, another program writes it.", id="u"))
    for message in reading(1_500):
        reader.read(message)
    state = LedgerReader.restore(reader.snapshot()).state
    assert [e.value.text for e in state.constraints] == [
        "Never change prices.csv, another program writes it."
    ]
    assert len(state.requests) == 1


def test_a_session_of_usual_length_is_put_away_whole() -> None:
    messages = [say("user", "Make rows.py skip empty rows, please.", id="u"), *reading(100)]
    whole = read_ledger(messages).state
    reader = LedgerReader()
    for message in messages:
        reader.read(message)
    assert reader.snapshot()["state"] == state_to_json(whole)
