"""Standings: places, intervals, and neighbours that cannot be told apart.

Cases of one template are not independent of each other, so templates are the clusters of every interval and
test. The elite score is made of several means; its interval and its differences come from what it becomes
when one template is left out (the jackknife's pseudo-values: Tukey, "Bias and confidence in not-quite large
samples", Ann. Math. Stat. 29, 1958).
"""

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from tamis.bench.aggregation import CaseScore, RunScore, at_least, elite_score, least_of, mean, score_cases
from tamis.bench.board import BoardRow, Group, rank
from tamis.bench.methodology import CONSTRAINTS, Tier
from tamis.bench.run_log import Setup
from tamis.evals.inference.comparison import Comparison, compare, holm_of
from tamis.evals.inference.intervals import AMOUNT, SHARE, Estimate, estimate_mean
from tamis.evals.inference.pareto import pareto_front

CONTROLS: Final = frozenset({"full", "nothing", "index"})
"""Methods that are run to read the others against; they take no place."""

PLACED: Final = frozenset({"qualified", "floor missed"})
"""The parts of the board whose rows take a place: whole runs that reach the tier's ratio."""

ABLE: Final = 0.5
"""A reader that scores less with everything in view cannot tell methods apart, and gives nobody a place."""

ALPHA: Final = 0.05
DIFFERENCES = (-1.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class Margin:
    """How far a row stands above the next one, in the figure that both are ranked by, as it is at least.

    `p_holm` is corrected for all margins of the segment. `is_told_apart` says whether that is below 5 %.
    """

    over: str
    figure: Literal["elite", "score"]
    comparison: Comparison
    p_holm: float | None = None
    is_told_apart: bool = False


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A row with its place, its intervals, its lead over the next row, and the command that makes it again.

    `place` is None for controls, and for runs that are unfinished or miss the tier's ratio. `by_cycle` is the
    mean score after each compaction, over the cases that came so far. `beaten_by` names the runs of the
    segment that are better and smaller; with none it is on the Pareto front.
    """

    row: BoardRow
    group: Group
    place: int | None
    is_control: bool
    elite: Estimate | None
    score: Estimate | None
    drift: Estimate | None
    rules: Estimate | None
    contradiction: Estimate | None
    ratio: Estimate | None
    families: Mapping[str, Estimate]
    by_cycle: tuple[float | None, ...]
    margin: Margin | None
    beaten_by: tuple[str, ...]
    command: str


@dataclass(frozen=True, kw_only=True)
class Segment:
    """Runs that were asked the same, read by the same reader and scored by the same scorer, best first.

    `floor` is the score of one who answers nothing, `published_floor` the same by the published scorer.
    """

    setup: Setup
    standings: tuple[Standing, ...]
    floor: float
    published_floor: float
    cases: int
    templates: int

    @property
    def ceiling(self) -> float | None:
        """What the reader scores with everything in view, where `full` was run."""
        return _ceiling([standing.row for standing in self.standings])

    @property
    def warning(self) -> str | None:
        """Why nobody takes a place, where the reader is too weak for that."""
        if self.ceiling is None or self.ceiling >= ABLE:
            return None
        told = f"with everything in view this reader scores {self.ceiling:.3f}, under {ABLE:g}"
        return f"{told}: nobody takes a place"


def stand(rows: Sequence[BoardRow]) -> tuple[Segment, ...]:
    """The segments of the board; rows of different segments are never compared."""
    return tuple(_segment(found) for found in rank(rows).values())


def _segment(rows: Sequence[BoardRow]) -> Segment:
    margins = _margins(rows)
    beaten = pareto_front({at: (row.least.overall or 0.0, row.least.ratio) for at, row in enumerate(rows)})
    places = _places(rows)
    cases = {case.case: case.template for row in rows for case in row.score.cases}
    return Segment(
        setup=rows[0].setup,
        standings=tuple(
            _standing(row, places[at], margins[at], tuple(rows[i].setup.method for i in beaten[at]))
            for at, row in enumerate(rows)
        ),
        floor=rows[0].floor,
        published_floor=rows[0].published_floor,
        cases=len(cases),
        templates=len(set(cases.values())),
    )


def _places(rows: Sequence[BoardRow]) -> list[int | None]:
    """1, 2, 3 for the rows that take a place, in order; none where the reader is too weak."""
    ceiling = _ceiling(rows)
    able = ceiling is None or ceiling >= ABLE
    placed = [able and row.group in PLACED and row.setup.method not in CONTROLS for row in rows]
    return [sum(placed[: at + 1]) if takes else None for at, takes in enumerate(placed)]


def _ceiling(rows: Sequence[BoardRow]) -> float | None:
    return next((row.score.overall for row in rows if row.setup.method == "full" and row.complete), None)


def _standing(
    row: BoardRow, place: int | None, margin: Margin | None, beaten_by: tuple[str, ...]
) -> Standing:
    cases, cycles = row.score.cases, [(case, cycle) for case in row.score.cases for cycle in case.cycles]
    drifts = [(case, value) for case in cases if (value := case.drift_resistance) is not None]
    rules = [(case, i.score) for case, cycle in cycles for i in cycle.items if i.type in CONSTRAINTS]
    kept = [(case, score) for case, score in rules if score is not None]
    leaving_out = pseudo_values(row.score, row.setup.tier)
    spread = estimate_mean(list(leaving_out.values()), list(leaving_out), within=SHARE)
    return Standing(
        row=row,
        group=row.group,
        place=place,
        is_control=row.setup.method in CONTROLS,
        elite=replace(spread, mean=row.elite) if spread and row.elite is not None else None,
        score=_estimate(_scores(cases)),
        drift=_estimate(drifts),
        rules=_estimate(kept),
        contradiction=_estimate(
            [(case, rate) for case, cycle in cycles if (rate := cycle.contradiction_rate) is not None]
        ),
        ratio=_estimate([(case, cycle.ratio) for case, cycle in cycles], within=AMOUNT),
        families={
            family: estimate
            for family in row.score.families
            if (estimate := _estimate(_scores(case for case in cases if case.family == family)))
        },
        by_cycle=_by_cycle(cases),
        margin=margin,
        beaten_by=beaten_by,
        command=command_of(row.setup),
    )


def _estimate(
    values: Iterable[tuple[CaseScore, float]], *, within: tuple[float, float] = SHARE
) -> Estimate | None:
    pairs = list(values)
    return estimate_mean([v for _, v in pairs], [case.template for case, _ in pairs], within=within)


def _scores(cases: Iterable[CaseScore]) -> list[tuple[CaseScore, float]]:
    return [(case, score) for case in cases if (score := case.score) is not None]


def _by_cycle(cases: Sequence[CaseScore]) -> tuple[float | None, ...]:
    rounds = range(max((len(case.cycles) for case in cases), default=0))
    reached = ([case.cycles[n].penalized for case in cases if len(case.cycles) > n] for n in rounds)
    return tuple(mean([score for score in scores if score is not None]) for scores in reached)


def pseudo_values(
    score: RunScore, tier: Tier, come_to: Callable[[Sequence[CaseScore]], RunScore] = score_cases
) -> dict[str, float]:
    """What each template has to say in the elite score, C·θ − (C−1)·θ₋ₜ; empty where that is not measured.

    `come_to` makes the figures of cases: as they were measured, or as they are at least.
    """
    templates = list(dict.fromkeys(case.template for case in score.cases))
    whole = elite_score(come_to(score.cases), tier)
    if whole is None or len(templates) < 2:
        return {}
    found = {}
    for left_out in templates:
        rest = come_to([case for case in score.cases if case.template != left_out])
        without = elite_score(rest, tier)
        if without is None:
            return {}
        found[left_out] = len(templates) * whole - (len(templates) - 1) * without
    return found


def _margins(rows: Sequence[BoardRow]) -> list[Margin | None]:
    """The lead of each row over the next of its group, among those that take a place and the controls."""
    made = [*(_margin(a, b) for a, b in pairwise(rows)), None]
    corrected = holm_of([margin.comparison if margin else None for margin in made])
    return [
        replace(margin, p_holm=p, is_told_apart=p < ALPHA) if margin and p is not None else margin
        for margin, p in zip(made, corrected, strict=True)
    ]


def _margin(row: BoardRow, after: BoardRow) -> Margin | None:
    if row.group != after.group or row.group not in PLACED:
        return None
    figure: Literal["elite", "score"] = "elite" if row.qualified else "score"
    if figure == "elite":
        a, b = (pseudo_values(r.score, r.setup.tier, at_least) for r in (row, after))
        made = compare(a, b, {template: template for template in a | b})
    else:
        a, b = ({c.case: score for c, score in _scores(map(least_of, r.score.cases))} for r in (row, after))
        templates = {case.case: case.template for case in (*row.score.cases, *after.score.cases)}
        made = compare(a, b, templates, within=DIFFERENCES)
    if made is None:
        return None
    return Margin(over=after.setup.method, figure=figure, comparison=made)


def command_of(setup: Setup) -> str:
    """The command line of a run, with every setting, so that it holds when a default changes."""
    options = {
        "--suite": setup.suite,
        "-m": setup.called or setup.method,
        "--reader": setup.reader.removeprefix("model "),
        "--tier": setup.tier,
        "--difficulty": setup.difficulty,
        "--length": setup.length_tokens,
        "--position": setup.position,
        "--slots": setup.slots,
        "--per-family": setup.per_family,
        "--cycles": setup.cycles,
        "--seed-group": setup.seed_group,
        "-o": re.sub(r"[^\w.-]+", "-", setup.method) + ".jsonl",
    }
    words = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    return shlex.join(["tamis", "bench", "run", *words])
