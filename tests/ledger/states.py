"""Made-up states for property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tamis.ledger.events import (
    CommandRun,
    Constraint,
    Decision,
    Entity,
    Fact,
    NextStep,
    Request,
    Source,
    Task,
    TestRun,
)
from tamis.ledger.state import Entry, ErrorState, FileState, State

sources = st.builds(
    Source,
    message_id=st.text(max_size=5),
    part=st.integers(0, 3),
    start=st.integers(0, 9),
    end=st.integers(9, 20),
)


def entries(kind: Any) -> SearchStrategy[Entry[Any]]:
    values = st.from_type(kind)
    return st.builds(
        Entry,
        subject=st.text(max_size=5),
        value=values,
        source=sources,
        first_turn=st.integers(0, 5),
        last_turn=st.integers(5, 9),
        count=st.integers(1, 3),
        superseded=st.lists(values, max_size=1).map(tuple),
        event=st.sampled_from(["e1", "e22"]),
    )


def several(kind: Any) -> SearchStrategy[tuple[Entry[Any], ...]]:
    return st.lists(entries(kind), max_size=2).map(tuple)


states: SearchStrategy[State] = st.builds(
    State,
    requests=several(Request),
    constraints=several(Constraint),
    decisions=several(Decision),
    files=several(FileState),
    commands=several(CommandRun),
    tests=several(TestRun),
    errors=several(ErrorState),
    tasks=several(Task),
    facts=several(Fact),
    entities=several(Entity),
    next_step=st.none() | entries(NextStep),
    turns=st.integers(0, 9),
)
