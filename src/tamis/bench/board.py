"""The board: figures of each run, whether it qualifies and why not, and the order.

Rows are only ordered within a segment: the same suite, cases, reader and scorer. A tier is earned by the
measured ratio, not declared.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final, Literal, get_args

from tamis.bench.aggregation import (
    CaseScore,
    RunScore,
    at_least,
    elite_score,
    mean,
    missed_for_sure,
    score_cases,
    score_cycle,
    score_nothing,
)
from tamis.bench.case import CaseQuestions
from tamis.bench.compat import published_scores as published
from tamis.bench.item_scorer import SCORER
from tamis.bench.methodology import TIER_FLOORS
from tamis.bench.run import PLANNED, BenchPlan
from tamis.bench.run_log import CaseEntry, CycleEntry, RunLog, Setup
from tamis.bench.suite import Suite
from tamis.errors import NotComparable

Group = Literal["qualified", "floor missed", "too large", "unfinished"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
"""The parts of a board, best first: passes every floor; reaches the tier's ratio and misses another floor;
misses the ratio; did not do every slot and cycle."""


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """A run on the board. `elite` is None where a part of it was not measured.

    `least` is what it comes to if every answer that the reader did not give had been the worst there is;
    floors and places go by it, so that a method cannot gain by making the reader fail.

    `published` are the figures that the published scorer gives to the same answers (None: to no answer, where
    its program would say 0), `published_reasons` the floors that they miss. `floor` is what empty answers to
    the same questions score, `published_floor` what the published scorer gives to them. `complete` says
    whether every slot and cycle was done.

    `handed_on_tokens` is the mean of what the method handed from cycle to cycle: its artifact.
    `withheld_tokens` is the mean of what it would have carried over besides, which was taken from it; None
    where the log does not tell. `notes` are what else a reader of the row should know.
    """

    setup: Setup
    score: RunScore
    least: RunScore
    published: published.PublishedRunScore | None
    elite: float | None
    reasons: tuple[str, ...]
    published_reasons: tuple[str, ...]
    floor: float
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
    def published_score(self) -> float | None:
        """What the published scorer gives to the same answers."""
        return self.published.overall_score if self.published else None

    @property
    def group(self) -> Group:
        """Which part of the board it stands in."""
        if self.qualified:
            return "qualified"
        if not self.complete or not self.score.measured:
            return "unfinished"
        return "floor missed" if self.score.ratio >= TIER_FLOORS[self.setup.tier] else "too large"

    @property
    def ranked_by(self) -> float:
        """The elite score for what qualifies; for the rest the score, which keeping nothing cannot raise.

        Both as they are at least.
        """
        figure = elite_score(self.least, self.setup.tier) if self.qualified else self.least.overall
        return figure or 0.0

    @property
    def order(self) -> tuple[object, ...]:
        """Sorts the best first: the group, what it is ranked by, the published tie-breakers, the name.

        The last of those is the earlier publication; a log that does not tell when it was begun comes last.
        """
        score = self.least
        return (
            GROUPS.index(self.group),
            -self.ranked_by,
            -(score.drift_resistance or 0.0),
            -(score.constraint_retention or 0.0),
            score.contradiction_rate or 0.0,
            not self.setup.begun,
            self.setup.begun,
            self.setup.method,
        )


def segment_of(setup: Setup) -> tuple[object, ...]:
    """What must agree for two runs to be compared: all but the method and who ran it."""
    own = ("format", "tamis", "method", "method_version", "called", "begun")
    return tuple(getattr(setup, field.name) for field in fields(setup) if field.name not in own)


def plan_of(setup: Setup, suite: Suite) -> BenchPlan:
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
    return BenchPlan(suite=suite, **{name: getattr(setup, name) for name in PLANNED})


def score_log(log: RunLog, suite: Suite) -> BoardRow:
    """The row of a run: what its answers come to, and the floors that it misses."""
    plan = plan_of(log.setup, suite)
    asked = {q.case: q for q in plan.asked.questions(plan.spots)}
    if unknown := [entry.case for entry in log.cases if entry.case not in asked]:
        raise NotComparable(f"{log.path} holds {unknown[0]}, which is no case of {suite.name}; run it again")
    done = [(entry, asked[entry.case]) for entry in log.cases if entry.cycles]
    score = score_cases([_score_case(*case) for case in done])
    as_published = [(*case, _score_as_published(*case)) for case in done]
    measured = [(entry, questions, made) for entry, questions, made in as_published if made.cycles]
    total = published.figures([made for _, _, made in measured])
    least = at_least(score.cases)
    missing = missing_work(log, len(asked), plan.cycles)
    cycles = [cycle for entry, _ in done for cycle in entry.cycles]
    return BoardRow(
        setup=log.setup,
        score=score,
        least=least,
        published=total if measured else None,
        elite=elite_score(score, plan.tier),
        reasons=(*missing, *missed_for_sure(score, least, plan.tier)),
        published_reasons=tuple(
            published.disqualified(
                total,
                [(entry.case, made) for entry, _, made in as_published],
                plan.tier,
                plan.cycles,
                families=published.family_means((q.family, made.score) for _, q, made in measured),
            )
        ),
        floor=score_nothing(asked.values()),
        published_floor=mean(
            [
                published.score_cycle(q.items, q.ground_truth, {}, 1.0).penalized_cycle_score
                for q in asked.values()
            ]
        )
        or 0.0,
        complete=not missing,
        handed_on_tokens=mean([c.artifact_tokens for c in cycles]) or 0.0,
        withheld_tokens=mean([c.withheld_tokens for c in cycles if c.withheld_tokens is not None]),
        notes=tuple(_notes(log, cycles)),
    )


def _score_as_published(entry: CaseEntry, questions: CaseQuestions) -> published.PublishedCaseScore:
    """By the published scorer, which knows of no answer that is missing: over those that are there."""
    cycles = []
    for cycle in entry.cycles:
        items = [item for item in questions.items if item.key not in cycle.missing]
        if items:
            cycles.append(published.score_cycle(items, questions.ground_truth, cycle.texts, cycle.ratio))
    return published.score_case(questions.template, cycles)


def _score_case(entry: CaseEntry, questions: CaseQuestions) -> CaseScore:
    return CaseScore(
        case=entry.case,
        template=questions.template,
        family=questions.family,
        slot=questions.slot,
        cycles=tuple(
            score_cycle(questions, cycle.texts, cycle.ratio, cycle.missing) for cycle in entry.cycles
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


def _notes(log: RunLog, cycles: Sequence[CycleEntry]) -> Iterator[str]:
    missing = Counter(reason for cycle in cycles for reason in cycle.missing.values())
    if missing:
        ((most, _),) = missing.most_common(1)
        asked = sum(len(cycle.answers) for cycle in cycles)
        yield f"has {missing.total():,} of {asked:,} answers not measured, most often: {most}"
    if log.asked_again:
        yield f"has {log.asked_again:,} answers that came when they were asked for again"
    unmet = [cycle for cycle in cycles if cycle.outcome == "unmet"]
    if unmet:
        said = Counter(warning for cycle in unmet for warning in cycle.warnings).most_common(1)
        why = f", most often: {said[0][0]}" if said else ""
        yield f"left the text as it was in {len(unmet):,} of {len(cycles):,} compactions{why}"


def rank(rows: Sequence[BoardRow]) -> Mapping[tuple[object, ...], tuple[BoardRow, ...]]:
    """The rows of each segment, best first."""
    segments: dict[tuple[object, ...], list[BoardRow]] = {}
    for row in rows:
        segments.setdefault(segment_of(row.setup), []).append(row)
    return {segment: tuple(sorted(found, key=lambda row: row.order)) for segment, found in segments.items()}
