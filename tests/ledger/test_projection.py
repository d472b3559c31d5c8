"""The state as the published benchmark's artifact."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from ledger.states import states
from tamis.ledger.events import (
    CommandRun,
    Constraint,
    Decision,
    Entity,
    ErrorMessage,
    Fact,
    NextStep,
    Source,
    Task,
    TestRun,
)
from tamis.ledger.projection import MAX_ITEM_CHARS, MAX_ITEMS, MAX_SUMMARY_CHARS, to_artifact
from tamis.ledger.state import Entry, ErrorState, FileState, State, V


def entry(value: V, turn: int = 0) -> Entry[V]:
    here = Source(message_id="m", part=0, start=0, end=1)
    return Entry(subject=repr(value), value=value, source=here, first_turn=turn, last_turn=turn)


STATE = State(
    constraints=(
        entry(Constraint(text="Ship from the EU only.", polarity="must", by="user"), 1),
        entry(Constraint(text="Never call the vendor.", polarity="must_not", by="user"), 2),
    ),
    decisions=(entry(Decision(choice="use SQLite", reason="it is simple", rejected=("Postgres",)), 3),),
    files=(
        entry(FileState(path="a.py", status="modified", touched=("total",)), 4),
        entry(FileState(path="b.py", status="read"), 5),
    ),
    commands=(entry(CommandRun(command="ls"), 5),),
    tests=(entry(TestRun(runner="pytest", command="pytest", failed=2, failing=("t::a",)), 6),),
    errors=(
        entry(ErrorState(error=ErrorMessage(message="KeyError: 1", place="a.py:3"), resolved=False), 7),
        entry(ErrorState(error=ErrorMessage(message="gone"), resolved=True), 8),
    ),
    tasks=(
        entry(Task(text="write docs", status="open"), 9),
        entry(Task(text="ship", status="deferred"), 10),
        entry(Task(text="read", status="done"), 11),
    ),
    facts=(entry(Fact(name="port", value="8080"), 12),),
    entities=(entry(Entity(name="Dana", role="owner"), 13),),
    next_step=entry(NextStep(text="run the tests"), 14),
    turns=15,
)


def test_each_kind_goes_to_its_list() -> None:
    artifact = to_artifact(STATE, summary="short", metadata={"method": "ledger"})
    assert artifact == {
        "schemaVersion": "1.0.0",
        "summaryText": "short",
        "structured_state": {
            "immutable_facts": ["port: 8080", "a.py: modified (total)"],
            "locked_decisions": ["use SQLite because it is simple (not Postgres)", "Ship from the EU only."],
            "deferred_items": ["ship"],
            "forbidden_behaviors": ["Never call the vendor."],
            "entity_map": {"Dana": "owner"},
            "unresolved_items": [
                "write docs",
                "error: KeyError: 1 at a.py:3",
                "pytest: 2 failed: t::a",
                "next: run the tests",
            ],
        },
        "selectedSourceTurnIds": [1, 2, 3, 4, 6, 7, 9, 10, 12, 13, 14],
        "warnings": [],
        "methodMetadata": {"method": "ledger"},
    }


def test_a_stated_fact_stands_in_the_words_that_state_it() -> None:
    fact = Fact(name="van small", value="", text="The van is rather small.")
    artifact = to_artifact(State(facts=(entry(fact, 1),)))
    assert artifact["structured_state"]["immutable_facts"] == ["The van is rather small."]


def test_the_newest_items_stay_where_there_are_too_many_and_a_warning_says_so() -> None:
    facts = tuple(entry(Fact(name=f"f{n}", value="x"), n) for n in range(MAX_ITEMS + 5))
    artifact = to_artifact(State(facts=facts))
    assert artifact["structured_state"]["immutable_facts"][0] == "f5: x"
    assert artifact["warnings"] == ["immutable_facts: the 5 oldest of 205 items left out"]


def test_a_long_text_is_cut_between_words() -> None:
    artifact = to_artifact(State(tasks=(entry(Task(text="word " * 200, status="open")),)))
    [item] = artifact["structured_state"]["unresolved_items"]
    assert len(item) <= MAX_ITEM_CHARS
    assert item.endswith("word …")


@given(states, st.text(max_size=20).map(lambda text: text * 600))
def test_the_schema_is_kept(state: State, summary: str) -> None:
    artifact = to_artifact(state, summary=summary)
    structured = artifact["structured_state"]
    assert len(artifact["summaryText"]) <= MAX_SUMMARY_CHARS
    for key, items in structured.items():
        assert len(items) <= MAX_ITEMS, key
    assert all(
        len(text) <= MAX_ITEM_CHARS for key in structured if key != "entity_map" for text in structured[key]
    )
    json.dumps(artifact)
