"""The rules that hold for every method, whatever it does."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from compactors.conversations import COUNTER, compact, fates, ids, lines, request, run, say, tokens
from tamis.compactors import (
    METHODS,
    CompactionRequest,
    Material,
    Method,
    Replacement,
    get_method,
    run_compactor,
)
from tamis.compactors.methods.truncate import Truncate
from tamis.messages import Message, ToolCall, count_messages, identify

SPAN = (say("user", "Fix src/app.py, please.", id="u"), *run("c", "cat src/app.py", lines("app", 60)))


class TooMuch(Method):
    """Makes more than was asked for."""

    name = "too-much"

    async def replace(self, material: Material) -> Replacement:
        return material.condense(*(material.messages[:-1] or material.messages), reason="most of it")


@pytest.mark.parametrize("method", METHODS)
def test_a_span_within_the_budget_stands_as_it_was(method: str) -> None:
    made = compact(method, SPAN, tokens(SPAN))
    assert made.outcome == "unchanged"
    assert made.messages == SPAN
    assert fates(made) == ["kept"] * 3
    assert made.warnings == ()


@pytest.mark.parametrize("method", sorted({*METHODS} - {"nothing"}))
def test_what_cannot_fit_leaves_the_span_and_says_why(method: str) -> None:
    made = compact(method, SPAN, 1)
    assert made.outcome == "unmet"
    assert made.messages == SPAN
    assert made.tokens_after == made.tokens_before == tokens(SPAN)
    assert made.warnings


def test_an_answer_over_the_budget_is_not_used() -> None:
    span = [say("user", lines("first", 50)), say("assistant", "last")]
    made = compact(TooMuch(), span, 20)
    assert made.outcome == "unmet"
    assert "more than the budget of 20" in made.warnings[0]


def test_the_latency_is_read_off_the_clock_that_was_handed_in() -> None:
    times = iter([10.0, 10.25])
    made = run_compactor(Truncate(clock=lambda: next(times)), request(SPAN, 10))
    assert made.latency_ms == 250.0


def test_counts_that_the_caller_made_are_used() -> None:
    span = identify(SPAN)
    asked = CompactionRequest(
        span=span, budget_tokens=30, counter=COUNTER, counts=tuple(count_messages(span, COUNTER))
    )
    assert run_compactor(Truncate(), asked) == run_compactor(Truncate(), request(span, 30))


def test_counts_of_another_length_are_refused() -> None:
    asked = CompactionRequest(span=identify(SPAN), budget_tokens=30, counter=COUNTER, counts=(1,))
    with pytest.raises(ValueError, match="1 counts were given for 3 messages"):
        run_compactor(Truncate(), asked)


def test_the_previous_answer_stands_in_front_and_counts_against_the_budget() -> None:
    first = compact("truncate", [say("user", lines("old", 40)), say("user", "newer", id="n")], 20)
    assert ids(first) == ["n"]
    second = compact(
        "truncate", [say("assistant", lines("big", 40)), say("user", "newest", id="z")], 20, first
    )
    assert ids(second) == ["n", "z"]
    assert second.tokens_before == tokens(first.messages) + tokens(
        [say("assistant", lines("big", 40)), say("user", "newest")]
    )
    assert fates(second) == ["archived", "kept"]


def test_a_call_without_its_result_is_left_out_and_accounted_for() -> None:
    torn = Message(
        id="torn", role="assistant", parts=(say("assistant", "Look:").parts[0], ToolCall(id="x", name="ls"))
    )
    made = compact("truncate", [say("user", lines("old", 90)), torn], 40)
    assert ids(made) == ["torn"]
    assert made.messages[0].calls == ()
    assert made.account[1].fate == "condensed"
    assert "a call without its result" in made.account[1].reason


def test_a_message_that_is_only_half_of_a_pair_is_archived() -> None:
    result = run("x", "ls", "a.py")[1]
    made = compact("truncate", [result, say("user", lines("old", 90)), say("user", "go on", id="n")], 20)
    assert ids(made) == ["n"]
    assert made.account[0].fate == "archived"
    assert "a result without its call" in made.account[0].reason


async def test_a_method_runs_from_inside_a_running_loop() -> None:
    assert asyncio.get_running_loop()
    assert compact("truncate", SPAN, 20).outcome == "fits"


def test_every_method_has_a_name_and_a_version() -> None:
    for name in METHODS:
        method = get_method(name)
        assert method.name == name
        assert method.version


class Remembers(Method):
    """Keeps the last message, and carries the ids of all that it ever read."""

    name = "remembers"

    async def replace(self, material: Material) -> Replacement:
        read = [*material.carry.get("read", []), *(m.id for m in material.messages[material.from_previous :])]
        brief = say("user", "brief", origin="summary", id="brief")
        return replace(material.condense(brief, reason="read"), carry={"read": read})


def test_a_carry_speaks_only_for_what_was_read_into_it() -> None:
    """An answer that left the span as it was has not read it; the next one must."""
    first = compact(Remembers(), [say("user", "word " * 90, id="a")], 20)
    second = compact(Remembers(), [say("user", "b", id="b")], 40, first)
    assert (second.outcome, ids(second)) == ("unchanged", ["brief", "b"])
    third = compact(Remembers(), [say("user", "word " * 90, id="c")], 20, second)
    assert third.carry == {"read": ["a", "b", "c"]}


def test_another_methods_carry_is_not_taken_over() -> None:
    first = compact("index", [say("user", "src/app.py " + "word " * 90, id="a")], 60)
    assert first.carry_covers == 1
    second = compact(Remembers(), [say("user", "word " * 90, id="b")], 20, first)
    assert second.carry == {"read": [first.messages[0].id, "b"]}
