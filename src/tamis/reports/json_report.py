"""The figures of a run as JSON, in a form that stays: what `tamis eval --json` prints.

The averages stand in `scopes`, all sets first; below them every point and every result that they go over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from tamis.evals.drift import Survival, survival
from tamis.evals.judging.calibration import Calibration
from tamis.evals.probing.probes import ProbeKind
from tamis.evals.reading_summary import ReadingCell, summarise_reading
from tamis.evals.results import PointRecord, Result, Run, Settings, Skipped
from tamis.evals.statistics import Estimate
from tamis.evals.summary import Cell, sets_of, summarise
from tamis.ledger.names import NameKind
from tamis.reports.scopes import Scope, is_control, scopes_of

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


class CycleFigures(_Closed):
    """Hindsight after a further cycle of compaction: what was needed behind that cycle's own cut."""

    cycle: int
    method: str
    budget: str
    recall: Estimate | None
    regret_rate: Estimate | None
    kept_share: Estimate | None
    tokens_per_task: Estimate | None
    not_measured: dict[str, int]
    failed: dict[str, int]


class ReadingFigures(_Closed):
    """What one reader answered from one method's contexts, and what one judge made of it.

    Shares are from 0 to 1, dimensions and `overall` from 0 to 5. `set` is null for all sets together. An
    estimate is null, and a kind or a dimension absent, where nothing was measured. `not_measured` counts
    answers and judgements that are missing, by reason.
    """

    set: str | None
    method: str
    budget: str
    cycle: int
    control: bool
    reader: str
    judge: str | None
    answers: int
    judgements: int
    exact: Estimate | None
    answered: Estimate | None
    held: Estimate | None
    by_kind: dict[ProbeKind, Estimate]
    dimensions: dict[str, Estimate]
    overall: Estimate | None
    not_measured: dict[str, int]


class RunReport(_Closed):
    """A finished evaluation: what was measured, its averages, and every single result.

    `scopes` are of the first cycle; `later_cycles` and `survival` are empty where there is no other.
    `reading` has a row per method, budget, cycle, reader and judge, all sets first. Of probes, answers and
    judgements only the number is told: the run directory has them.
    """

    format: Literal["tamis-report/1"] = REPORT_FORMAT
    tamis: str
    settings: Settings
    exact_tokens: bool
    sessions: int
    messages: int
    scopes: tuple[ScopeFigures, ...]
    later_cycles: tuple[CycleFigures, ...]
    reading: tuple[ReadingFigures, ...]
    survival: tuple[Survival, ...]
    calibrations: tuple[Calibration, ...]
    probes: int
    answers: int
    judgements: int
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
        later_cycles=tuple(_later(cell, n) for n, cell in _later_cells(run)),
        reading=tuple(_reading(cell, name) for name in (None, *_sets(run)) for cell in _cells(run, name)),
        survival=tuple(survival(run)),
        calibrations=tuple(run.calibrations),
        probes=len(run.probes),
        answers=len(run.answers),
        judgements=len(run.judgements),
        points=tuple(run.points),
        results=tuple(run.results),
        skipped=tuple(run.skipped),
    )


def _later_cells(run: Run) -> Iterator[tuple[int, Cell]]:
    for cycle in range(2, run.settings.cycles + 1):
        yield from ((cycle, cell) for cell in summarise(run, cycle=cycle))


def _later(cell: Cell, cycle: int) -> CycleFigures:
    return CycleFigures(
        cycle=cycle,
        method=cell.method,
        budget=cell.budget,
        recall=cell.recall,
        regret_rate=cell.regret_rate,
        kept_share=cell.kept_share,
        tokens_per_task=cell.tokens_per_task,
        not_measured=cell.not_measured,
        failed=cell.failed,
    )


def _sets(run: Run) -> list[str]:
    names = sets_of(run)
    return names if len(names) > 1 else []


def _cells(run: Run, set_name: str | None) -> list[ReadingCell]:
    return summarise_reading(run, set_name=set_name) if len(run.answers) else []


def _reading(cell: ReadingCell, set_name: str | None) -> ReadingFigures:
    place = cell.place
    return ReadingFigures(
        set=set_name,
        method=place.method,
        budget=place.budget,
        cycle=place.cycle,
        control=is_control(place.method),
        reader=place.reader,
        judge=place.judge,
        answers=cell.answers,
        judgements=cell.judgements,
        exact=cell.exact,
        answered=cell.answered,
        held=cell.held,
        by_kind=dict(cell.by_kind),
        dimensions=dict(cell.dimensions),
        overall=cell.overall,
        not_measured=dict(cell.not_measured),
    )


def report_schema() -> dict[str, Any]:
    """The JSON schema of a `RunReport` as it is written."""
    return RunReport.model_json_schema(mode="serialization")


def _scope(scope: Scope) -> ScopeFigures:
    figures = tuple(
        MethodFigures(
            method=cell.method,
            budget=cell.budget,
            control=is_control(cell.method),
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
