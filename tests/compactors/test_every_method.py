"""Every method keeps every hard guarantee, over made-up sessions and any budget.

The checks are those that `tamis check-method` runs; that each can fail is shown in test_guarantees.py.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compactors.conversations import COUNTER, tokens
from strategies import messages, texts
from tamis.compactors import METHODS, CompactionRequest, get_method, run_compactor
from tamis.compactors.check import check_method
from tamis.compactors.guarantees import check_compaction, check_same
from tamis.compactors.hostile_sessions import hostile_sessions
from tamis.messages import Message, Text, identify

SHARES = st.sampled_from([0.0, 0.02, 0.1, 0.3, 0.6, 0.95, 1.0, 1.2])
"""From a budget of one token to more than the span."""


def conversations() -> st.SearchStrategy[tuple[Message, ...]]:
    """Made-up ones, some with texts long enough that there is something to take out of each."""
    plain = messages(missing=True, repeated_ids=True, min_turns=2, max_turns=6)
    return st.tuples(plain, st.lists(texts(), min_size=1, max_size=4), st.integers(0, 60)).map(_lengthened)


def _lengthened(drawn: tuple[tuple[Message, ...], list[str], int]) -> tuple[Message, ...]:
    made, sentences, times = drawn
    long = Message(id="", role="assistant", parts=(Text(text=". ".join(sentences * times) or "x"),))
    return identify([*made[: len(made) // 2], long, *made[len(made) // 2 :]])


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=40)
@given(span=conversations(), share=SHARES)
def test_hard_guarantees_hold(method: str, span: tuple[Message, ...], share: float) -> None:
    budget = max(1, int(share * tokens(span)))
    asked = CompactionRequest(span=span, budget_tokens=budget, counter=COUNTER, recorded=span[0])
    made = run_compactor(get_method(method), asked)
    again = run_compactor(get_method(method), asked)
    assert [v for v in check_compaction(asked, made) if v.hard] == []
    assert check_same(made, again) == []


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=25)
@given(first=conversations(), second=conversations(), share=SHARES)
def test_hard_guarantees_hold_for_a_second_compaction(
    method: str, first: tuple[Message, ...], second: tuple[Message, ...], share: float
) -> None:
    span = (*first, *(replace(m, id=f"later-{m.id}") for m in second))
    budget = max(1, int(share * tokens(span)))
    asked = CompactionRequest(span=span[: len(first)], budget_tokens=budget, counter=COUNTER)
    previous = run_compactor(get_method(method), asked)
    asked = CompactionRequest(
        span=span[len(first) :], budget_tokens=budget, counter=COUNTER, previous=previous
    )
    made = run_compactor(get_method(method), asked)
    assert [v for v in check_compaction(asked, made) if v.hard] == []


@pytest.mark.parametrize("method", METHODS)
def test_hostile_sessions_break_no_hard_guarantee(method: str) -> None:
    report = check_method(get_method(method), hostile_sessions(), COUNTER)
    assert [f for f in report.findings if f.violation.hard] == []
    assert report.passed
    assert report.compactions >= 100
