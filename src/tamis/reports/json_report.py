"""The figures of a run as JSON, in a form that stays: what `tamis eval --json` prints.

The averages stand in `scopes`, all sets first; below them every point and every result that they go over.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from tamis.evals.results import PointRecord, Result, Run, Settings, Skipped
from tamis.evals.statistics import Estimate
from tamis.ledger.names import NameKind
from tamis.reports.scopes import CONTROLS, Scope, scopes_of

REPORT_FORMAT: Final = "tamis-report/1"


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class KindFigures(_Closed):
    """Needed names of one kind, summed over the points, and how many of them were found."""

    kind: NameKind
    needed: int
    found: int


class MethodFigures(_Closed):
    """One method at one budget, averaged over the points of a scope.

    An estimate is null where nothing was measured, never 0. `not_measured` and `failed` count the points
    without a figure, by reason. `control` marks a control arm. The costs are null where no price was asked
    for, or where none is known: `settings.price` says why.
    """

    method: str
    budget: str
    control: bool
    recall: Estimate | None
    weighted_recall: Estimate | None
    regret_rate: Estimate | None
    kept_share: Estimate | None
    refetch_tokens: Estimate | None
    tokens_per_task: Estimate | None
    cached_share: Estimate | None
    cost_usd: Estimate | None
    cost_without_cache_usd: Estimate | None
    latency_ms: Estimate | None
    not_measured: dict[str, int]
    failed: dict[str, int]
    kinds: tuple[KindFigures, ...]


class ScopeFigures(_Closed):
    """The points that are averaged together: one set, or all (`set` is null).

    `clusters` is how many independent things the points come from: sessions, or tasks that were tried
    several times.
    """

    set: str | None
    points: int
    clusters: int
    figures: tuple[MethodFigures, ...]


class RunReport(_Closed):
    """A finished evaluation: what was measured, its averages, and every single result."""

    format: Literal["tamis-report/1"] = REPORT_FORMAT
    tamis: str
    settings: Settings
    exact_tokens: bool
    sessions: int
    messages: int
    scopes: tuple[ScopeFigures, ...]
    points: tuple[PointRecord, ...]
    results: tuple[Result, ...]
    skipped: tuple[Skipped, ...]


def run_report(run: Run) -> RunReport:
    """The report of a run."""
    return RunReport(
        tamis=run.tamis,
        settings=run.settings,
        exact_tokens=run.exact_tokens,
        sessions=run.sessions,
        messages=run.messages,
        scopes=tuple(_scope(scope) for scope in scopes_of(run)),
        points=run.points,
        results=run.results,
        skipped=run.skipped,
    )


def report_schema() -> dict[str, Any]:
    """The JSON schema of a `RunReport` as it is written."""
    return RunReport.model_json_schema(mode="serialization")


def _scope(scope: Scope) -> ScopeFigures:
    figures = tuple(
        MethodFigures(
            method=cell.method,
            budget=cell.budget,
            control=cell.method in CONTROLS,
            recall=cell.recall,
            weighted_recall=cell.weighted_recall,
            regret_rate=cell.regret_rate,
            kept_share=cell.kept_share,
            refetch_tokens=cell.refetch_tokens,
            tokens_per_task=cell.tokens_per_task,
            cached_share=cell.cached_share,
            cost_usd=cell.cost_usd,
            cost_without_cache_usd=cell.cost_without_cache_usd,
            latency_ms=cell.latency_ms,
            not_measured=cell.not_measured,
            failed=cell.failed,
            kinds=tuple(
                KindFigures(kind=k.kind, needed=k.needed, found=k.found) for k in scope.kinds.get(key, ())
            ),
        )
        for key, cell in scope.cells.items()
    )
    return ScopeFigures(set=scope.name, points=scope.points, clusters=scope.clusters, figures=figures)
