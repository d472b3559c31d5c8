"""What a judge says of an answer, as values that go to JSON and back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class CriterionResult:
    """What a judge says by one criterion: 0 to 5, and why. `score` is None where it cannot judge it."""

    criterion: str
    score: float | None
    reasoning: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """What a judge says of one answer, by every criterion that applies to its kind of probe."""

    results: tuple[CriterionResult, ...]
