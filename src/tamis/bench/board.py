"""The board: figures of each run, whether it qualifies and why not, and the order.

Rows are only ordered within a segment: the same suite, cases, reader and scorer. A tier is earned by the
measured ratio, not declared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from tamis.bench.case import Questions
from tamis.bench.compat import scores as published
from tamis.bench.log import CaseEntry, CycleEntry, RunLog, Setup
from tamis.bench.run import Plan
from tamis.bench.scoring import (
    MAX_CONTRADICTION_RATE,
    MIN_PASS_RATE,
    SCORER,
    TIER_FLOORS,
    CaseScore,
    RunScore,
    Tier,
    mean,
    score_cycle,
    score_run,
)
from tamis.bench.suite import Suite
from tamis.errors import NotComparable

Group = Literal["qualified", "floor missed", "too large", "unfinished"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
"""The parts of a board, best first: passes every floor; reaches the tier's ratio and misses another floor;
misses the ratio; did not do every slot and cycle."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A run on the board. `elite` is None where a part of it was not measured.

    `published` are the figures that the published scorer gives to the same answers, `published_reasons` the
    floors that they miss, `published_floor` what it gives to empty answers. `complete` says whether every
    slot and cycle was done.

    `handed_on_tokens` is the mean of what the method handed from cycle to cycle: its artifact.
    `withheld_tokens` is the mean of what it would have carried over besides, which was taken from it; None
    where the log does not tell. `notes` are what else a reader of the row should know.
    """

    setup: Setup
    score: RunScore
    published: published.PublishedFigures
    elite: float | None
    reasons: tuple[str, ...]
    published_reasons: tuple[str, ...]
    published_floor: float
    complete: bool
    handed_on_tokens: float
    withheld_tokens: float | None
    notes: tuple[str, ...]

    @property
    def qualified(self) -> bool:
        """Whether every floor was passed."""
        return not self.reasons

    @property
    def group(self) -> Group:
        """Which part of the board it stands in."""
        if self.qualified:
            return "qualified"
        if not self.complete:
            return "unfinished"
        return "floor missed" if self.score.ratio >= TIER_FLOORS[self.setup.tier] else "too large"

    @property
    def ranked_by(self) -> float:
        """The elite score for what qualifies; for the rest the score, which keeping nothing cannot raise."""
        return (self.elite or 0.0) if self.qualified else self.score.overall

    @property
    def order(self) -> tuple[object, ...]:
        """Sorts the best first: the group, what it is ranked by, the published tie-breakers, the name."""
        score = self.score
        return (
            GROUPS.index(self.group),
            -self.ranked_by,
            -(score.drift_resistance or 0.0),
            -(score.constraint_retention or 0.0),
            score.contradiction_rate,
            self.setup.method,
        )


def segment_of(setup: Setup) -> tuple[object, ...]:
    """What must agree for two runs to be compared: all but the method and who ran it."""
    return (
        setup.suite,
        setup.suite_version,
        setup.suite_digest,
        setup.case_version,
        setup.reader,
        setup.reader_version,
        setup.scorer,
        setup.tier,
        setup.difficulty,
        setup.length_tokens,
        setup.position,
        setup.slots,
        setup.cycles,
        setup.seed_group,
        setup.per_family,
    )


def plan_of(setup: Setup, suite: Suite) -> Plan:
    """The plan that a run was made by.

    Raises:
        NotComparable: the suite is not the one of the run any more, or the scorer is another.
    """
    if setup.scorer != SCORER:
        raise NotComparable(
            f"the run of {setup.method} was made for scorer {setup.scorer!r}, this tamis has {SCORER!r}; "
            "run it again"
        )
    if (suite.key, suite.digest) != (setup.suite, setup.suite_digest):
        raise NotComparable(
            f"the run of {setup.method} is of {setup.suite} {setup.suite_digest}, and {suite.key} is now "
            f"{suite.digest}; name the folder of the suite as it was, or run it again"
        )
    return Plan(
        suite=suite,
        tier=setup.tier,
        difficulty=setup.difficulty,
        length_tokens=setup.length_tokens,
        position=setup.position,  # type: ignore[arg-type]
        slots=setup.slots,
        cycles=setup.cycles,
        seed_group=setup.seed_group,
        per_family=setup.per_family,
    )


def score_log(log: RunLog, suite: Suite) -> Row:
    """The row of a run: what its answers come to, and the floors that it misses."""
    plan = plan_of(log.setup, suite)
    asked = {q.case: q for q in plan.asked.questions(plan.spots)}
    if unknown := [entry.case for entry in log.cases if entry.case not in asked]:
        raise NotComparable(f"{log.path} holds {unknown[0]}, which is no case of {suite.name}; run it again")
    done = [(entry, asked[entry.case]) for entry in log.cases if entry.cycles]
    score = score_run([_score_case(*case) for case in done], list(asked.values()))
    as_published = [_score_as_published(*case) for case in done]
    total = published.figures(as_published)
    missing = missing_work(log, len(asked), plan.cycles)
    cycles = [cycle for entry, _ in done for cycle in entry.cycles]
    return Row(
        setup=log.setup,
        score=score,
        published=total,
        elite=elite_score(score, plan.tier),
        reasons=(*missing, *missed_floors(score, plan.tier)),
        published_reasons=tuple(
            published.disqualified(
                total,
                [(entry.case, case) for (entry, _), case in zip(done, as_published, strict=True)],
                plan.tier,
                plan.cycles,
                families=_published_families(done, as_published),
            )
        ),
        published_floor=mean([_published_floor(questions) for questions in asked.values()]) or 0.0,
        complete=not missing,
        handed_on_tokens=mean([c.artifact_tokens for c in cycles]) or 0.0,
        withheld_tokens=mean([c.withheld_tokens for c in cycles if c.withheld_tokens is not None]),
        notes=tuple(_notes(cycles)),
    )


def _score_as_published(entry: CaseEntry, questions: Questions) -> published.PublishedCaseScore:
    cycles = [
        published.score_cycle(
            questions.items, questions.ground_truth, {a.item: a.text for a in cycle.answers}, cycle.ratio
        )
        for cycle in entry.cycles
    ]
    return published.score_case(questions.template, cycles)


def _published_floor(questions: Questions) -> float:
    """What the published scorer gives to one who answers nothing."""
    return published.score_cycle(questions.items, questions.ground_truth, {}, 1.0).penalized


def _published_families(
    done: Sequence[tuple[CaseEntry, Questions]], scores: Sequence[published.PublishedCaseScore]
) -> dict[str, float]:
    """The published mean score of each family, by the name that the template gives it."""
    found: dict[str, list[float]] = {}
    for (_, questions), case in zip(done, scores, strict=True):
        found.setdefault(questions.family, []).append(case.score)
    return {family: sum(values) / len(values) for family, values in found.items()}


def _score_case(entry: CaseEntry, questions: Questions) -> CaseScore:
    return CaseScore(
        case=entry.case,
        template=questions.template,
        family=questions.family,
        slot=questions.slot,
        cycles=tuple(
            score_cycle(questions, {a.item: a.text for a in cycle.answers}, cycle.ratio)
            for cycle in entry.cycles
        ),
    )


def missing_work(log: RunLog, cases: int, cycles: int) -> list[str]:
    """What was not done: slots, cycles, and the failures that kept them from it."""
    reasons = []
    whole = [e for e in log.cases if len(e.cycles) == cycles + 1]
    if len(log.cases) < cases:
        reasons.append(f"{cases - len(log.cases)} of {cases} slots not run")
    if len(whole) < len(log.cases):
        reasons.append(f"{len(log.cases) - len(whole)} of {cases} slots without all {cycles + 1} cycles")
    failures = [e.failure for e in log.cases if e.failure is not None]
    if failures:
        most = max(set(failures), key=lambda reason: (failures.count(reason), reason))
        reasons.append(f"{len(failures)} failures of the method, most often: {most}")
    return reasons


def _notes(cycles: Sequence[CycleEntry]) -> Iterator[str]:
    """How often the method could not do what was asked, and what it said of that."""
    unmet = [cycle for cycle in cycles if cycle.outcome == "unmet"]
    if unmet:
        said = Counter(warning for cycle in unmet for warning in cycle.warnings).most_common(1)
        why = f", most often: {said[0][0]}" if said else ""
        yield f"left the text as it was in {len(unmet):,} of {len(cycles):,} compactions{why}"


def missed_floors(score: RunScore, tier: Tier) -> list[str]:
    """The qualification floors that the figures miss."""
    reasons = []
    floor = TIER_FLOORS[tier]
    if score.ratio < floor:
        reasons.append(f"compression {score.ratio:.2f}x is below the tier's {floor:g}x")
    if score.contradiction_rate > MAX_CONTRADICTION_RATE:
        rate = score.contradiction_rate
        reasons.append(f"{rate:.1%} of the answers contradict what holds, above {MAX_CONTRADICTION_RATE:.0%}")
    low = {family: rate for family, rate in score.pass_rates.items() if rate < MIN_PASS_RATE}
    if low:
        named = ", ".join(f"{family} {rate:.0%}" for family, rate in low.items())
        reasons.append(f"families passed in less than {MIN_PASS_RATE:.0%} of the cases: {named}")
    if score.drift_resistance is None:
        reasons.append("drift not measured: nothing to lose, or one cycle only")
    return reasons


def compression_bonus(ratio: float, tier: Tier) -> float:
    """0 at the tier's floor, 1 at twice the floor and above."""
    floor = TIER_FLOORS[tier]
    return max(0.0, min(1.0, (ratio - floor) / floor))


def elite_score(score: RunScore, tier: Tier) -> float | None:
    """The published sum of four parts; None where one of them was not measured."""
    if score.drift_resistance is None or score.constraint_retention is None:
        return None
    return (
        0.40 * score.overall
        + 0.30 * score.drift_resistance
        + 0.20 * score.constraint_retention
        + 0.10 * compression_bonus(score.ratio, tier)
    )


def rank(rows: Sequence[Row]) -> Mapping[tuple[object, ...], tuple[Row, ...]]:
    """The rows of each segment, best first."""
    segments: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        segments.setdefault(segment_of(row.setup), []).append(row)
    return {segment: tuple(sorted(found, key=lambda row: row.order)) for segment, found in segments.items()}
