"""The short form of `benchmarks/attack.py`, and that each of its counts can be more than zero."""

from __future__ import annotations

import re

import pytest
from attack import ATTACKS
from attacks.line import line
from attacks.patterns import grown, patterns_in
from attacks.steps import MOST_STEPS, count_steps

PACKAGES = (
    "tamis.archive",
    "tamis.compactors",
    "tamis.context",
    "tamis.evals",
    "tamis.integrations",
    "tamis.ledger",
    "tamis.memory",
    "tamis.monitoring",
    "tamis.proxy",
    "tamis.reports",
    "tamis.sessions",
    "tamis.ab",
)
"""Whose patterns meet the text of sessions, or what models say of them."""


@pytest.mark.parametrize("name", [name for name in ATTACKS if name != "growth"])
def test_what_is_promised_holds(name: str) -> None:
    broken = [made for made in ATTACKS[name](is_short=True) if not made.holds]
    assert broken == []


@pytest.mark.parametrize(
    ("where", "pattern"),
    [pytest.param(*found, id=found[0]) for p in PACKAGES for found in patterns_in(p)],
)
def test_a_pattern_takes_no_more_than_the_text_grows(where: str, pattern: re.Pattern[str]) -> None:
    assert grown(where, pattern) is None


@pytest.mark.parametrize(
    "pattern", [r"\w+@", r"(a+)+$", r"\s*x", r"(?s)<a>.*?</a>", r"(?:a|b)*c", r"[\w.]*\w\.\w", r"(?i)x.*y"]
)
def test_a_pattern_that_takes_more_is_found(pattern: str) -> None:
    assert grown("here", re.compile(pattern)) is not None


@pytest.mark.parametrize("pattern", [r"\w+", r"(?<!\w)\w++@", r"\bfoo\b", r"\s{0,4}x", r"(?m)^#+ \w"])
def test_a_pattern_that_is_linear_is_not(pattern: str) -> None:
    assert grown("here", re.compile(pattern)) is None


def test_the_steps_of_a_pattern_are_the_same_each_time() -> None:
    assert count_steps(re.compile(r"a*b"), "a" * 50) == count_steps(re.compile(r"a*b"), "a" * 50)
    assert count_steps(re.compile(r"(a*)*b"), "a" * 60) == MOST_STEPS


def test_a_line_counts_what_broke_and_needs_that_something_was_tried() -> None:
    assert line("a", "holds", ["", "broke", ""]).broken == 1
    assert not line("a", "holds", ["", "broke"]).holds
    assert not line("a", "holds", []).holds
    assert line("a", "", ["broke"]).holds
