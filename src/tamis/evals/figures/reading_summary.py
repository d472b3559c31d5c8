"""Averages of reading: per method, budget, cycle, reader and judge, each figure with its interval.

A figure of a point is the mean over its questions, and every point weighs the same. Questions that the span
does not answer stand apart: they have a kind of their own, and no part in what was answered. The overall
score is the unweighted mean of the dimensions beside it, so that a row of the table can be worked out again.

Records are gone through once and added up by result, so that memory grows with the results, not the answers.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from tamis.evals.inference.intervals import SHARE, Estimate, estimate_pairs
from tamis.evals.judging.rubric import HIGHEST, LOWEST
from tamis.evals.probing.exact_scorer import ANSWERED_FROM
from tamis.evals.probing.probes import PROBE_KINDS, ProbeKind
from tamis.evals.rundir.readings import ResultPlace, judged_answers, read_answers, result_places
from tamis.evals.rundir.results import Run

TOLERANCE = 0.005  # so far above `full` is still as good as it: half of the last digit that is shown


class CellKey(NamedTuple):
    """What is averaged together."""

    method: str
    budget: str
    cycle: int
    reader: str
    judge: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadingCell:
    """One method at one budget after so many cycles, as one reader answered and one judge judged.

    `exact` is the exact scorer's mean, `answered` the share of questions answered, `held` the share of what
    was expected that stands in the context at all; all three without unanswerable questions. `by_kind` is the
    exact mean of each kind. `dimensions` are from 0 to 5, `overall` is their unweighted mean. `answers` and
    `judgements` count what stands behind them; `not_measured` counts what does not, by reason. `above_full`
    are dimensions in which some method was above `full`: with these no scale has its ceiling, so they stand
    in no cell of that reader and judge.
    """

    place: CellKey
    answers: int
    judgements: int
    exact: Estimate | None
    answered: Estimate | None
    held: Estimate | None
    by_kind: Mapping[ProbeKind, Estimate]
    dimensions: Mapping[str, Estimate]
    overall: Estimate | None
    not_measured: Mapping[str, int]
    above_full: tuple[str, ...] = ()


@dataclass
class _Row:
    """One result as one reader answered it: means over its questions, by figure."""

    totals: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    counts: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    judged: dict[str, "_Row"] = field(default_factory=dict)

    def add(self, figure: str, value: float) -> None:
        self.totals[figure] += value
        self.counts[figure] += 1

    def mean(self, figure: str) -> float | None:
        return self.totals[figure] / self.counts[figure] if figure in self.counts else None


def summarise_reading(run: Run, *, set_name: str | None = None) -> list[ReadingCell]:
    """One cell per method, budget, cycle, reader and judge that asked anything; of one set or of all."""
    clusters = {p.key: p.cluster for p in run.points if set_name is None or p.set == set_name}
    results, rows = _add_up(run)
    order = {budget: i for i, budget in enumerate(run.settings.budgets)}
    grouped: dict[CellKey, list[tuple[_Row, _Row | None, str]]] = {}
    for (result, reader), row in rows.items():
        at = results[result]
        if at.point not in clusters:
            continue
        judges: list[tuple[str | None, _Row | None]] = [*row.judged.items()]
        for judge, judged in judges or [(None, None)]:
            place = CellKey(at.method, at.budget, at.cycle, reader, judge)
            grouped.setdefault(place, []).append((row, judged, clusters[at.point]))
    ordered = sorted(
        grouped, key=lambda p: (p.reader, p.judge or "", p.cycle, order.get(p.budget, len(order)))
    )
    cells = [_cell(place, grouped[place]) for place in ordered]
    above = _above_full(cells)
    return [
        _cell(c.place, grouped[c.place], without=names) if (names := above[c.place[3:]]) else c for c in cells
    ]


def _above_full(cells: Sequence[ReadingCell]) -> Mapping[tuple[str, str | None], tuple[str, ...]]:
    """By reader and judge the dimensions that `full`, which nothing was taken from, is not the best in."""
    found: dict[tuple[str, str | None], dict[str, None]] = defaultdict(dict)
    full = {c.place[2:]: c.dimensions for c in cells if c.place.method == "full"}
    for cell in cells:
        best = full.get(cell.place[2:], {})
        for name, estimate in cell.dimensions.items():
            if name in best and estimate.mean > best[name].mean + TOLERANCE:
                found[cell.place.reader, cell.place.judge][name] = None
    return defaultdict(tuple, {key: tuple(names) for key, names in found.items()})


_Rows = tuple[Mapping[str, ResultPlace], Mapping[tuple[str, str], _Row]]
"""Results by key, and what was added up for each by result and reader."""


@lru_cache(maxsize=1)
def _add_up(run: Run) -> _Rows:
    """Once for a run: the sets of it are shown one after the other."""
    results = {result.key: result for result in result_places(run)}
    kinds = {probe.key: probe.probe.kind for probe in run.probes}
    rows: dict[tuple[str, str], _Row] = {}
    for answer in read_answers(run):
        row = rows.setdefault((answer.result, answer.reader), _Row())
        kind = kinds[f"{results[answer.result].point}/{answer.probe}"]
        if answer.exact is None:
            row.missing[answer.reason] += 1
            continue
        row.answers += 1
        row.add(kind, answer.exact)
        if kind != "unanswerable":
            row.add("exact", answer.exact)
            row.add("answered", float(answer.exact >= ANSWERED_FROM))
        if answer.held is not None:
            row.add("held", answer.held)
    for answer, judged in judged_answers(run):
        row = rows[answer.result, answer.reader].judged.setdefault(judged.label, _Row())
        if judged.scores is None:
            row.missing[judged.reason] += 1
        else:
            row.answers += 1
            for dimension, score in judged.scores.items():
                row.add(dimension, score)
    return results, rows


def _cell(
    place: CellKey, rows: Sequence[tuple[_Row, _Row | None, str]], *, without: tuple[str, ...] = ()
) -> ReadingCell:
    read = [(row, cluster) for row, _, cluster in rows]
    judged = [(row, cluster) for _, row, cluster in rows if row is not None]
    dimensions = {
        name: estimate
        for name in dict.fromkeys(name for row, _ in judged for name in row.counts)
        if name not in without and (estimate := _estimate(judged, name, (LOWEST, HIGHEST)))
    }
    missing: Counter[str] = Counter()
    for row, _ in (*read, *judged):
        missing += row.missing
    return ReadingCell(
        place=place,
        answers=sum(row.answers for row, _ in read),
        judgements=sum(row.answers for row, _ in judged),
        exact=_estimate(read, "exact", SHARE),
        answered=_estimate(read, "answered", SHARE),
        held=_estimate(read, "held", SHARE),
        by_kind={kind: found for kind in PROBE_KINDS if (found := _estimate(read, kind, SHARE))},
        dimensions=dimensions,
        overall=_overall(judged, dimensions),
        not_measured=dict(missing),
        above_full=without,
    )


def _estimate(rows: Sequence[tuple[_Row, str]], figure: str, within: tuple[float, float]) -> Estimate | None:
    found = ((mean, cluster) for row, cluster in rows if (mean := row.mean(figure)) is not None)
    return estimate_pairs(found, within=within)


def _overall(rows: Sequence[tuple[_Row, str]], dimensions: Mapping[str, Estimate]) -> Estimate | None:
    """The unweighted mean of the dimensions, with its interval.

    Each point stands for what it adds to the mean (its linearisation): with D dimensions, of which dimension
    d has the mean m_d over n_d of the n points, a point with the values x_d adds
    `overall + 1/D * sum over its dimensions of (x_d - m_d) * n / n_d`. The mean of these is the overall.
    """
    if not dimensions:
        return None
    overall = sum(estimate.mean for estimate in dimensions.values()) / len(dimensions)
    measured = [(row, cluster) for row, cluster in rows if row.counts.keys() & dimensions.keys()]
    values = []
    for row, _ in measured:
        added = 0.0
        for name, estimate in dimensions.items():
            if (mean := row.mean(name)) is not None:
                added += (mean - estimate.mean) * len(measured) / estimate.points
        values.append(overall + added / len(dimensions))
    clusters = (cluster for _, cluster in measured)
    found = estimate_pairs(zip(values, clusters, strict=True), within=(LOWEST, HIGHEST))
    return replace(found, mean=overall) if found else None
