"""The published figures, to the last digit, from the same answers: quirks included.

Checks look for substrings; an empty answer keeps to any prohibition; contradiction counts forbidden phrases
only and leaves items that ask for recall out; drift is 1 where there is one cycle; and the floor for a family
is on its mean score, where the text says pass rate. Sums are in the order of the published program.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from tamis.bench.methodology import (
    CONSTRAINTS,
    MAX_CONTRADICTION_RATE,
    MIN_PASS_RATE,
    TIER_FLOORS,
    WEIGHTS,
    Tier,
    elite_of,
)
from tamis.bench.template import EvaluationItem, ExpectedAnswer, GroundTruth

PUBLISHED_SCORER: Final = "1.0.0"
TIER_NAMES: Final[Mapping[Tier, str]] = {
    "light": "Elite-Light",
    "mid": "Elite-Mid",
    "aggressive": "Elite-Aggressive",
}
_BLANKS = re.compile(r"\s+")
_VERSIONED = ("_starter_v", "_elite_v", "_v")


class ItemResult(BaseModel, extra="forbid", frozen=True):
    """The score of an item."""

    item_key: str
    item_type: str
    score: float
    weight: float
    check_type: str
    details: dict[str, Any] = {}


class Scorecard(BaseModel, extra="forbid", frozen=True):
    """The figures of a cycle."""

    cycle_number: int
    cycle_score: float
    penalized_cycle_score: float
    contradiction_rate: float
    compression_ratio: float
    item_scores: list[ItemResult]


@dataclass(frozen=True, kw_only=True)
class PublishedCaseScore:
    """A case's figures."""

    template_key: str
    cycles: tuple[Scorecard, ...]
    score: float
    drift_resistance: float


@dataclass(frozen=True, kw_only=True)
class PublishedRunScore:
    """A run's figures."""

    overall_score: float
    drift_resistance: float
    constraint_retention: float
    contradiction_rate: float
    compression_ratio: float


def normalise(text: str) -> str:
    """Lower case, white space folded."""
    return _BLANKS.sub(" ", text.strip().lower())


def check(expected: ExpectedAnswer, answer: str) -> float:
    """What an answer is worth."""
    if expected.check == "exact":
        return 1.0 if expected.value.strip() == answer.strip() else 0.0
    said = normalise(answer)
    if expected.check == "set_match":
        return sum(1 for value in expected.values if normalise(value) in said) / len(expected.values)
    there = normalise(expected.value) in said
    return float(there if expected.check == "contains_normalized" else not there)


def contradiction_rate(
    items: Sequence[EvaluationItem], answers: Mapping[str, str], truth: GroundTruth
) -> float:
    """The share of the answers, but for those to recall items, that hold a forbidden phrase."""
    asked = [item for item in items if item.type not in CONSTRAINTS]
    if not asked:
        return 0.0
    phrases = [normalise(phrase) for phrase in truth.forbidden_behaviors]
    said = [normalise(answers.get(item.key, "")) for item in asked]
    return sum(any(phrase in answer for phrase in phrases) for answer in said) / len(asked)


def score_cycle(
    items: Sequence[EvaluationItem],
    truth: GroundTruth,
    answers: Mapping[str, str],
    ratio: float,
    *,
    number: int = 0,
) -> Scorecard:
    """The figures of a cycle."""
    scored = [
        ItemResult(
            item_key=item.key,
            item_type=item.type,
            score=check(item.expected, answers.get(item.key, "")),
            weight=WEIGHTS[item.type],
            check_type=item.expected.check,
        )
        for item in items
    ]
    weight = sum(item.weight for item in scored)
    score = sum(item.score * item.weight for item in scored) / weight if weight else 0.0
    contradiction = contradiction_rate(items, answers, truth)
    return Scorecard(
        cycle_number=number,
        cycle_score=score,
        penalized_cycle_score=max(0.0, min(1.0, score * (1.0 - contradiction))),
        contradiction_rate=contradiction,
        compression_ratio=ratio,
        item_scores=scored,
    )


def score_case(template_key: str, cycles: Sequence[Scorecard]) -> PublishedCaseScore:
    """The figures of a case."""
    scores = [cycle.penalized_cycle_score for cycle in cycles]
    return PublishedCaseScore(
        template_key=template_key,
        cycles=tuple(cycles),
        score=sum(scores) / len(scores) if scores else 0.0,
        drift_resistance=drift_resistance(scores),
    )


def drift_resistance(scores: Sequence[float]) -> float:
    """1 and the mean change against the first cycle, within 0 and 1; 1 for a single cycle."""
    changes = [score - scores[0] for score in scores[1:]]
    if not changes:
        return 1.0
    return max(0.0, min(1.0, 1.0 + sum(changes) / len(changes)))


def figures(cases: Sequence[PublishedCaseScore]) -> PublishedRunScore:
    """The figures of a run."""
    cycles = [cycle for case in cases for cycle in case.cycles]
    kept = [item.score for c in cycles for item in c.item_scores if item.item_type in CONSTRAINTS]
    return PublishedRunScore(
        overall_score=_mean([case.score for case in cases], 0.0),
        drift_resistance=_mean([case.drift_resistance for case in cases], 1.0),
        constraint_retention=_mean(kept, 0.0),
        contradiction_rate=_mean([cycle.contradiction_rate for cycle in cycles], 0.0),
        compression_ratio=_mean([cycle.compression_ratio for cycle in cycles], 0.0),
    )


def elite_score(run: PublishedRunScore, tier: Tier) -> float:
    """What the published leaderboard orders by."""
    return elite_of(
        overall=run.overall_score,
        drift_resistance=run.drift_resistance,
        rules_kept=run.constraint_retention,
        ratio=run.compression_ratio,
        tier=tier,
    )


def disqualified(
    run: PublishedRunScore,
    cases: Sequence[tuple[str, PublishedCaseScore]],
    tier: Tier,
    cycles: int,
    *,
    families: Mapping[str, float] | None = None,
) -> list[str]:
    """The published floors that a run misses.

    `cases` are ids and figures, `cycles` how many there are after the first, `families` the mean score of
    each, where the keys of the templates do not tell it.
    """
    reasons = []
    if run.compression_ratio < TIER_FLOORS[tier]:
        reasons.append(
            f"compression {run.compression_ratio:.2f}x is below the {TIER_NAMES[tier]} "
            f"floor of {TIER_FLOORS[tier]:.1f}x"
        )
    if run.contradiction_rate > MAX_CONTRADICTION_RATE:
        rate = run.contradiction_rate
        reasons.append(f"contradiction_rate {rate:.3f} exceeds the {MAX_CONTRADICTION_RATE:.2f} maximum")
    if not cases:
        reasons.append("no cases completed")
    for case_id, case in cases:
        if len(case.cycles) < cycles + 1:
            done = f"{len(case.cycles)} of {cycles + 1}"
            reasons.append(f"case {case_id!r} completed only {done} configured cycles")
    told = ((family_of(case.template_key), case.score) for _, case in cases)
    rates = family_means(told) if families is None else families
    if len(rates) > 1:
        for family, rate in rates.items():
            if rate < MIN_PASS_RATE:
                reasons.append(
                    f"family {family!r} pass rate {rate:.2f} is below the {MIN_PASS_RATE:.2f} minimum "
                    "(category-diversity guard)"
                )
    return reasons


def family_of(template_key: str) -> str:
    """The family as a template's key tells it, without its version."""
    ends = (template_key.rfind(mark) for mark in _VERSIONED)
    return next((template_key[:end] for end in ends if end > 0), template_key)


def family_means(scores: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The mean of the scores of each family."""
    found: dict[str, list[float]] = {}
    for family, score in scores:
        found.setdefault(family, []).append(score)
    return {family: sum(own) / len(own) for family, own in found.items()}


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default
