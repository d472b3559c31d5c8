"""The figures of a run as JSON: what `tamis eval --json` prints, in the form of `json_models`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tamis.evals.acting.summary import (
    LikelihoodCell,
    NextActionCell,
    summarise_likelihoods,
    summarise_next_actions,
)
from tamis.evals.controls import is_control
from tamis.evals.figures.reading_summary import ReadingCell
from tamis.evals.figures.summary import Cell, summarise
from tamis.evals.rundir.results import Run
from tamis.reports.breakdown import LENGTH, SET, BreakdownPart
from tamis.reports.conclusions import Conclusions
from tamis.reports.findings import find
from tamis.reports.json_models import (
    ConclusionFigures,
    CycleFigures,
    InconclusiveResult,
    KindFigures,
    LengthFigures,
    LikelihoodFigures,
    MethodFigures,
    NextActionFigures,
    PublishedFigures,
    ReadingFigures,
    RunReport,
    ScopeFigures,
)
from tamis.reports.published import PUBLISHED, SOURCE, PublishedResult
from tamis.reports.scopes import Scope, scopes_of

__all__ = ["RunReport", "report_schema", "run_report"]


def run_report(run: Run) -> RunReport:
    """The report of a run."""
    found = find(run)
    return RunReport(
        tamis=run.tamis,
        settings=run.settings,
        exact_tokens=run.exact_tokens,
        sessions=run.sessions,
        messages=run.messages,
        scopes=tuple(_scope(scope) for scope in scopes_of(run)),
        later_cycles=tuple(_later(cell, n) for n, cell in _later_cells(run)),
        reading=(
            *(_reading(cell, None) for cell in found.reading),
            *(_reading(cell, part.name) for part in found.parts if part.by == SET for cell in part.reading),
        ),
        lengths=tuple(_of_lengths(found.parts)),
        conclusions=_conclusions(found.conclusions),
        likelihoods=tuple(_likelihood(cell) for cell in summarise_likelihoods(run)),
        next_actions=tuple(_next_action(cell) for cell in summarise_next_actions(run)),
        published=tuple(_published(row) for row in PUBLISHED),
        survival=found.curves,
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
        statements=cell.statements,
        regret_rate=cell.regret_rate,
        kept_share=cell.kept_share,
        tokens_per_task=cell.tokens_per_task,
        not_measured=cell.not_measured,
        failed=cell.failed,
    )


def _likelihood(cell: LikelihoodCell) -> LikelihoodFigures:
    return LikelihoodFigures(
        method=cell.method,
        budget=cell.budget,
        cycle=cell.cycle,
        control=is_control(cell.method),
        model=cell.model,
        bits=cell.bits,
        bits_per_token=cell.bits_per_token,
        saved=dict(cell.saved),
        not_measured=dict(cell.not_measured),
    )


def _next_action(cell: NextActionCell) -> NextActionFigures:
    return NextActionFigures(
        method=cell.method,
        budget=cell.budget,
        cycle=cell.cycle,
        control=is_control(cell.method),
        model=cell.model,
        agreement={kind: dict(traits) for kind, traits in cell.agreement.items()},
        not_measured=dict(cell.not_measured),
    )


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


def _of_lengths(parts: Sequence[BreakdownPart]) -> Iterator[LengthFigures]:
    for part in parts:
        if part.by != LENGTH:
            continue
        reading: dict[tuple[str, str], list[ReadingFigures]] = {}
        for read in part.reading:
            reading.setdefault((read.place.method, read.place.budget), []).append(_reading(read, None))
        for cell in part.cells:
            yield LengthFigures(
                length=part.name,
                points=part.points,
                method=cell.method,
                budget=cell.budget,
                control=is_control(cell.method),
                recall=cell.recall,
                regret_rate=cell.regret_rate,
                reading=tuple(reading.get((cell.method, cell.budget), ())),
            )


def _conclusions(found: Conclusions) -> ConclusionFigures:
    return ConclusionFigures(
        baseline=found.baseline,
        families=found.overall,
        in_parts=found.in_parts,
        fronts=found.fronts,
        unsaid=tuple(InconclusiveResult(figure=one.figure, reason=one.reason) for one in found.unsaid),
    )


def _published(row: PublishedResult) -> PublishedFigures:
    return PublishedFigures(
        method=row.method,
        by=row.by,
        source=SOURCE,
        overall=row.overall,
        mean_of_dimensions=row.mean_of_dimensions,
        dimensions=dict(row.dimensions),
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
            statements=cell.statements,
            statement_coverage=cell.statement_coverage,
            statements_not_measured=dict(cell.statements_not_measured),
            kinds=tuple(
                KindFigures(kind=k.kind, needed=k.needed, found=k.found) for k in scope.kinds.get(key, ())
            ),
        )
        for key, cell in scope.cells.items()
    )
    return ScopeFigures(set=scope.name, points=scope.points, clusters=scope.clusters, figures=figures)
