"""Grades: what readers want of a hand-off, as weights that add up on a log scale."""

from __future__ import annotations

import math

import pytest

from tamis.compactors.brief.choice.grade import GradeModel, default_grade
from tamis.compactors.brief.choice.signals import NUMBERS, Signals
from tamis.compactors.brief.choice.steps import Steps

MODEL = GradeModel(
    intercept=-1.0,
    scale=10.0,
    kinds={"found": 0.5},
    flags={"cause": 0.25},
    steps={"tokens": Steps(edges=(10.0,), scores=(0.0, 2.0))},
    words={"lock": 3.0},
)


def seen(kind: str, text: str, *flags: str, **numbers: float) -> Signals:
    values = dict.fromkeys(NUMBERS, 0.0) | {"tokens": 12.0} | numbers
    return Signals(kind, tuple(values[name] for name in NUMBERS), frozenset(flags), text)


@pytest.mark.parametrize(
    ("signals", "odds"),
    [
        (seen("found", "", "cause"), -1.0 + 0.5 + 0.25 + 2.0),
        (seen("found", "", tokens=3.0), -1.0 + 0.5),
        (seen("said", "", "question"), -1.0 + 2.0),  # a kind and a flag without a weight add nothing
    ],
)
def test_the_worth_is_the_exponential_of_what_the_weights_add_up_to(signals: Signals, odds: float) -> None:
    assert MODEL(signals) == pytest.approx(10 * math.exp(odds))


def test_words_count_the_less_the_more_there_are() -> None:
    none, few, many = (
        MODEL(seen("said", text)) for text in ("", "A lock.", "A lock, and many other words beside it.")
    )
    assert none < many < few


def test_no_weights_make_a_statement_worth_everything() -> None:
    assert MODEL(seen("said", "", tokens=12.0)) == pytest.approx(10 * math.e)
    boundless = GradeModel(intercept=99.0, scale=1.0, kinds={}, flags={}, steps={}, words={})
    assert boundless(seen("said", "")) < 1000


@pytest.mark.parametrize(
    ("wanted", "idle"),
    [
        ("The cause was a missing lock around the cache.", "Let me look at the cache."),
        ("Two tests still fail because the fixture is stale.", "Now let me run the tests again."),
    ],
)
def test_a_finding_is_worth_more_than_process_talk(wanted: str, idle: str) -> None:
    grade = default_grade()
    assert grade(seen("said", wanted, "prose")) > 2 * grade(seen("said", idle, "prose"))


def test_the_weights_know_only_signals_that_there_are() -> None:
    assert {*default_grade().steps} == {*NUMBERS}
