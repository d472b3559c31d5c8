"""Adding up the answers of a run: by cycle, by case, in all.

A mean is over what was measured. An answer that the reader did not give (it broke off, timed out, refused)
is in none, and `RunScore.measured` says how many are in. So a method could win by making the reader fail
where it has nothing to say; `at_least` is therefore what a run comes to if every answer that is missing had
been the worst there is, and floors and places go by that.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tamis.bench.case import CaseQuestions
from tamis.bench.item_scorer import ItemScore, score_answer
from tamis.bench.methodology import (
    CONSTRAINTS,
    MAX_CONTRADICTION_RATE,
    MIN_PASS_RATE,
    PASSED_FROM,
    TIER_FLOORS,
    WEIGHTS,
    Tier,
    elite_of,
)


@dataclass(frozen=True, kw_only=True)
class CycleScore:
    """One cycle: `score` is the weighted mean of the items, None where none of them was measured."""

    items: tuple[ItemScore, ...]
    score: float | None
    contradiction_rate: float | None
    ratio: float

    @property
    def penalized(self) -> float | None:
        """The score less the share of answers that contradict what holds."""
        if self.score is None or self.contradiction_rate is None:
            return None
        return max(0.0, min(1.0, self.score * (1.0 - self.contradiction_rate)))

    @property
    def missing(self) -> int:
        """How many items were not measured."""
        return sum(item.score is None for item in self.items)


@dataclass(frozen=True, kw_only=True)
class CaseScore:
    """All cycles of a case."""

    case: str
    template: str
    family: str
    slot: int
    cycles: tuple[CycleScore, ...]

    @property
    def score(self) -> float | None:
        """The mean of the penalized scores of the cycles of which something was measured."""
        return mean([value for c in self.cycles if (value := c.penalized) is not None])

    @property
    def drift_resistance(self) -> float | None:
        """1 less what the later cycles lost on average against the first, over what was measured in all.

        None where there was nothing to lose, or one cycle only.
        """
        return drift(self.cycles) if not self.missing else drift(_measured_throughout(self.cycles))

    @property
    def missing(self) -> int:
        """How many answers were not measured."""
        return sum(cycle.missing for cycle in self.cycles)


@dataclass(frozen=True, kw_only=True)
class RunScore:
    """What a run comes to. None is not measured; `drift_cases` says over how many cases drift was.

    `answers` is how many were asked for, `measured` how many of them the reader gave.
    """

    overall: float | None
    drift_resistance: float | None
    drift_cases: int
    constraint_retention: float | None
    contradiction_rate: float | None
    ratio: float
    families: Mapping[str, float]
    pass_rates: Mapping[str, float]
    answers: int
    measured: int
    cases: tuple[CaseScore, ...]


def score_cycle(
    questions: CaseQuestions,
    answers: Mapping[str, str],
    ratio: float,
    missing: Mapping[str, str] | None = None,
) -> CycleScore:
    """Score the answers of a cycle; an item that has none got an empty one.

    `answers` are by the item's key; `missing` says why of items that were not measured; `ratio` is that of
    the transcript to the artifact.
    """
    why = missing or {}
    return cycle_of(
        [
            ItemScore(key=item.key, type=item.type, score=None, contradicts=False, reason=why[item.key])
            if item.key in why
            else score_answer(item, answers.get(item.key, ""), questions)
            for item in questions.items
        ],
        ratio,
    )


def cycle_of(items: Sequence[ItemScore], ratio: float) -> CycleScore:
    """The figures of a cycle with these items."""
    scored = [(item, item.score) for item in items if item.score is not None]
    weight = sum(WEIGHTS[item.type] for item, _ in scored)
    return CycleScore(
        items=tuple(items),
        score=sum(score * WEIGHTS[item.type] for item, score in scored) / weight if scored else None,
        contradiction_rate=mean([float(item.contradicts) for item, _ in scored]),
        ratio=ratio,
    )


def drift(cycles: Sequence[CycleScore]) -> float | None:
    """1 less what the later cycles lost on average against the first."""
    first, *later = [cycle.penalized for cycle in cycles]
    changes = [score - first for score in later if score is not None and first is not None]
    if not changes or not first:
        return None
    return max(0.0, min(1.0, 1.0 + sum(changes) / len(changes)))


def score_cases(cases: Sequence[CaseScore]) -> RunScore:
    """The figures of a run over its cases."""
    cycles = [cycle for case in cases for cycle in case.cycles]
    items = [item for cycle in cycles for item in cycle.items]
    drifts = [value for case in cases if (value := case.drift_resistance) is not None]
    by_family: dict[str, list[float]] = {}
    for case in cases:
        if case.score is not None:
            by_family.setdefault(case.family, []).append(case.score)
    return RunScore(
        overall=mean([score for case in cases if (score := case.score) is not None]),
        drift_resistance=mean(drifts),
        drift_cases=len(drifts),
        constraint_retention=mean([i.score for i in items if i.type in CONSTRAINTS and i.score is not None]),
        contradiction_rate=mean([r for c in cycles if (r := c.contradiction_rate) is not None]),
        ratio=mean([cycle.ratio for cycle in cycles]) or 0.0,
        families={family: sum(scores) / len(scores) for family, scores in by_family.items()},
        pass_rates={
            f: sum(s >= PASSED_FROM for s in scores) / len(scores) for f, scores in by_family.items()
        },
        answers=len(items),
        measured=sum(item.score is not None for item in items),
        cases=tuple(cases),
    )


def score_nothing(questions: Iterable[CaseQuestions]) -> float:
    """What one comes to who answers nothing to all of these questions."""
    return mean([s for q in questions if (s := score_cycle(q, {}, 1.0).penalized) is not None]) or 0.0


def at_least(cases: Sequence[CaseScore]) -> RunScore:
    """What a run comes to for sure: as if every answer that is missing had been worthless and contradicted.

    Of drift it is the other way round in the first cycle: what is missing there might all have been held. The
    cases are not in it; `least_of` makes them.
    """
    worst = score_cases([least_of(case) for case in cases])
    drifts = [d for case in cases if (d := drift(_least_steady(case.cycles))) is not None]
    return replace(worst, drift_resistance=mean(drifts), drift_cases=len(drifts), cases=())


def least_of(case: CaseScore) -> CaseScore:
    """The case as if every answer that is missing had been worthless and contradicted what holds."""
    return replace(case, cycles=tuple(map(_at_worst, case.cycles)))


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return sum(values) / len(values) if values else None


def _least_steady(cycles: Sequence[CycleScore]) -> list[CycleScore]:
    first, *later = cycles
    held = [replace(i, score=1.0) if i.score is None else i for i in first.items]
    return [cycle_of(held, first.ratio) if first.missing else first, *map(_at_worst, later)]


def _at_worst(cycle: CycleScore) -> CycleScore:
    if not cycle.missing:
        return cycle
    given = [replace(i, score=0.0, contradicts=True) if i.score is None else i for i in cycle.items]
    return cycle_of(given, cycle.ratio)


def _measured_throughout(cycles: Sequence[CycleScore]) -> list[CycleScore]:
    """The cycles, only with the items that were measured in all of them."""
    gone = {item.key for cycle in cycles for item in cycle.items if item.score is None}
    return [cycle_of([i for i in cycle.items if i.key not in gone], cycle.ratio) for cycle in cycles]


def _missed_floors(score: RunScore, tier: Tier) -> list[str]:
    reasons = []
    floor = TIER_FLOORS[tier]
    if score.ratio < floor:
        reasons.append(f"compression {score.ratio:.2f}x is below the tier's {floor:g}x")
    rate = score.contradiction_rate
    if rate is None:
        reasons.append("nothing was measured")
    elif rate > MAX_CONTRADICTION_RATE:
        reasons.append(f"{rate:.1%} of the answers contradict what holds, above {MAX_CONTRADICTION_RATE:.0%}")
    low = {family: rate for family, rate in score.pass_rates.items() if rate < MIN_PASS_RATE}
    if low:
        named = ", ".join(f"{family} {rate:.0%}" for family, rate in low.items())
        reasons.append(f"families passed in less than {MIN_PASS_RATE:.0%} of the cases: {named}")
    if score.drift_resistance is None:
        reasons.append("drift not measured: nothing to lose, or one cycle only")
    return reasons


def missed_for_sure(score: RunScore, least: RunScore, tier: Tier) -> list[str]:
    """The floors that the figures miss, and those that they might miss for what was not measured.

    `least` is what the run comes to if every missing answer was the worst there is.
    """
    missed = _missed_floors(score, tier)
    perhaps = _missed_floors(least, tier) if not missed else []
    gone = f"{score.answers - score.measured:,} of {score.answers:,} answers not measured; at worst"
    return [*missed, *(f"{gone}: {reason}" for reason in perhaps)]


def elite_score(score: RunScore, tier: Tier) -> float | None:
    """The published sum of four parts; None where one of them was not measured."""
    if score.overall is None or score.drift_resistance is None or score.constraint_retention is None:
        return None
    return elite_of(
        overall=score.overall,
        drift_resistance=score.drift_resistance,
        rules_kept=score.constraint_retention,
        ratio=score.ratio,
        tier=tier,
    )
