"""The figures of a run: what the table and the report show, each with its interval and its count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tamis.evals.hindsight import Hindsight
from tamis.evals.results import Failure, PointRecord, Result, Run
from tamis.evals.statistics import Estimate, estimate_mean
from tamis.ledger.names import KINDS, NameKind


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One method at one budget, averaged over points.

    Every estimate says over how many points and clusters it goes. `not_measured` counts the points without a
    figure, by reason; `failed` those where the method failed.
    """

    method: str
    budget: str
    recall: Estimate | None
    weighted_recall: Estimate | None
    regret_rate: Estimate | None
    kept_share: Estimate | None
    refetch_tokens: Estimate | None
    tokens_per_task: Estimate | None
    latency_ms: Estimate | None
    not_measured: dict[str, int]
    failed: dict[str, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class KindCell:
    """Needed names of one kind that a method kept at a budget, summed over points."""

    method: str
    budget: str
    kind: NameKind
    needed: int
    found: int


_FIGURES: dict[str, Callable[[Result, Hindsight], float]] = {
    "recall": lambda _, s: s.recall,
    "weighted_recall": lambda _, s: s.weighted_recall,
    "regret_rate": lambda _, s: s.regret_rate,
    "kept_share": lambda r, _: r.tokens_after / r.tokens_before,
    "refetch_tokens": lambda _, s: s.refetch_tokens,
    "tokens_per_task": lambda _, s: s.tokens_per_task,
    "latency_ms": lambda r, _: r.latency_ms,
}


def summarise(run: Run, *, set_name: str | None = None) -> list[Cell]:
    """One cell per method and budget, in the order in which they were asked for; of one set or of all."""
    points = {p.key: p for p in run.points if set_name is None or p.set == set_name}
    grouped = _group(run, points)
    return [_cell(method, budget, rows, points) for (method, budget), rows in grouped.items()]


def sets_of(run: Run) -> list[str]:
    """The names of the sets that have points, sorted."""
    return sorted({p.set for p in run.points})


def kinds_kept(run: Run, *, set_name: str | None = None) -> list[KindCell]:
    """How many needed names of each kind survived, per method and budget."""
    points = {p.key: p for p in run.points if set_name is None or p.set == set_name}
    cells = []
    for (method, budget), rows in _group(run, points).items():
        scores = [r.score for r in rows if isinstance(r.score, Hindsight)]
        for kind in KINDS:
            counted = [s.by_kind[kind] for s in scores if kind in s.by_kind]
            if counted:
                needed, found = sum(c.needed for c in counted), sum(c.found for c in counted)
                cells.append(KindCell(method=method, budget=budget, kind=kind, needed=needed, found=found))
    return cells


def _group(run: Run, points: dict[str, PointRecord]) -> dict[tuple[str, str], list[Result]]:
    wanted: dict[tuple[str, str], list[Result]] = {}
    for result in run.results:
        if result.point in points:
            wanted.setdefault((result.method, result.budget), []).append(result)
    order = {budget: i for i, budget in enumerate(run.settings.budgets)}
    return dict(sorted(wanted.items(), key=lambda item: order.get(item[0][1], len(order))))


def _cell(method: str, budget: str, rows: Sequence[Result], points: dict[str, PointRecord]) -> Cell:
    measured = [(r, r.score) for r in rows if isinstance(r.score, Hindsight)]
    clusters = [points[r.point].cluster for r, _ in measured]
    figures = {
        name: estimate_mean([figure(r, s) for r, s in measured], clusters)
        for name, figure in _FIGURES.items()
    }
    return Cell(
        method=method,
        budget=budget,
        not_measured=_tally(r.score.reason for r in rows if not isinstance(r.score, Hindsight | Failure)),
        failed=_tally(r.score.reason for r in rows if isinstance(r.score, Failure)),
        **figures,
    )


def _tally(reasons: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for reason in reasons:
        counts[reason] = counts.get(reason, 0) + 1
    return counts
