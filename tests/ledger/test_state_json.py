"""State and events to JSON and back."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.conversation import said
from ledger.states import sources, states
from tamis.errors import InputError
from tamis.ledger import (
    LedgerReader,
    events_from_json,
    events_to_json,
    read_ledger,
    state_from_json,
    state_schema,
    state_to_json,
)
from tamis.ledger.events import Event
from tamis.ledger.state import State
from tamis.ledger.state_json import VALUES

values = st.sampled_from(sorted(VALUES)).flatmap(
    lambda kind: st.builds(
        Event,
        id=st.text(max_size=4),
        kind=st.just(kind),
        subject=st.text(max_size=5),
        value=st.from_type(VALUES[kind]),  # type: ignore[type-abstract]
        source=sources,
        turn=st.integers(0, 9),
        supersedes=st.none() | st.text(max_size=4),
    )
)


@given(states)
def test_a_state_comes_back_equal(state: State) -> None:
    written = json.dumps(state_to_json(state))
    assert state_from_json(json.loads(written)) == state
    assert json.dumps(state_to_json(state_from_json(json.loads(written)))) == written


@given(st.lists(values, max_size=3))
def test_events_come_back_equal(events: list[Event]) -> None:
    assert events_from_json(json.loads(json.dumps(events_to_json(events)))) == events


def test_every_field_of_every_dataclass_is_written() -> None:
    data = state_to_json(read_ledger([said("user", "Never touch the lock file.")]).state)
    assert set(data) == {"format", *(field.name for field in fields(State))}
    [rule] = data["constraints"]
    assert rule["value"] == {"text": "Never touch the lock file.", "polarity": "must_not", "by": "user"}


def test_the_schema_names_every_list() -> None:
    assert set(state_schema()["properties"]) == {field.name for field in fields(State)}
    assert all(is_dataclass(value) for value in VALUES.values())


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"format": "tamis-state/0"},
        {"format": "tamis-state/1", "turns": "many"},
        {"format": "tamis-state/1", "facts": [{"subject": "x"}]},
    ],
)
def test_another_format_or_a_broken_field_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="compact from the start"):
        state_from_json(data)


@pytest.mark.parametrize("item", [{}, {"kind": "rumour"}, {"kind": "fact", "id": "e1", "value": {"name": 1}}])
def test_a_broken_event_is_refused(item: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        events_from_json([item])


def test_a_snapshot_with_the_names_of_modules_is_taken_up() -> None:
    reader = LedgerReader()
    reader.read(said("user", "Never touch the billing module. Then add a test."))
    snapshot = json.loads(json.dumps(reader.snapshot()))
    memory = snapshot["context"]["memory"]
    snapshot["context"]["memory"] = {f"tamis.ledger.{name}": kept for name, kept in memory.items()}
    assert LedgerReader.restore(snapshot).snapshot()["context"]["memory"] == memory
