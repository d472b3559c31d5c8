"""The figures of a run as JSON: what `tamis eval --json` prints, in the form of `json_models`."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar, get_type_hints

from pydantic import TypeAdapter

from tamis.evals.acting.summary import summarise_likelihoods, summarise_next_actions
from tamis.evals.controls import is_control
from tamis.evals.figures.reading_summary import ReadingCell
from tamis.evals.figures.summary import summarise
from tamis.evals.rundir.results import Run
from tamis.reports.findings import LENGTH, SET, BreakdownPart, find
from tamis.reports.json_models import (
    ConclusionFigures,
    CycleFigures,
    LengthFigures,
    LikelihoodFigures,
    MethodFigures,
    NextActionFigures,
    PublishedFigures,
    ReadingFigures,
    RunReport,
    ScopeFigures,
)
from tamis.reports.published import PUBLISHED, SOURCE
from tamis.reports.scopes import Scope, scopes_of

__all__ = ["RunReport", "report_schema", "run_report"]

M = TypeVar("M")


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
        later_cycles=tuple(
            _of(CycleFigures, cell, cycle=cycle)
            for cycle in range(2, run.settings.cycles + 1)
            for cell in summarise(run, cycle=cycle)
        ),
        reading=(
            *(_reading(cell, None) for cell in found.reading),
            *(_reading(cell, part.name) for part in found.parts if part.by == SET for cell in part.reading),
        ),
        lengths=tuple(_of_lengths(found.parts)),
        conclusions=_of(ConclusionFigures, found.conclusions, families=found.conclusions.overall),
        likelihoods=tuple(_of(LikelihoodFigures, cell) for cell in summarise_likelihoods(run)),
        next_actions=tuple(_of(NextActionFigures, cell) for cell in summarise_next_actions(run)),
        published=tuple(_of(PublishedFigures, row, source=SOURCE) for row in PUBLISHED),
        survival=found.curves,
        calibrations=tuple(run.calibrations),
        probes=len(run.probes),
        answers=len(run.answers),
        judgements=len(run.judgements),
        points=tuple(run.points),
        results=tuple(run.results),
        skipped=tuple(run.skipped),
    )


def report_schema() -> dict[str, Any]:
    """The JSON schema of a `RunReport` as it is written."""
    return RunReport.model_json_schema(mode="serialization")


def _of(form: Callable[..., M], found: object, **more: Any) -> M:
    """What was found in its documented form: fields of the same name, and more; control arms are marked."""
    names, adapter = _fields_of(form)
    fields = {name: getattr(found, name) for name in names if hasattr(found, name)} | more
    if "control" in names:
        fields["control"] = is_control(fields["method"])
    made: M = adapter.validate_python(fields, from_attributes=True)
    return made


@cache
def _fields_of(form: Any) -> tuple[frozenset[str], TypeAdapter[Any]]:
    return frozenset(get_type_hints(form)), TypeAdapter(form)


def _reading(cell: ReadingCell, set_name: str | None) -> ReadingFigures:
    return _of(ReadingFigures, cell, set=set_name, **cell.place._asdict())


def _of_lengths(parts: Sequence[BreakdownPart]) -> Iterator[LengthFigures]:
    for part in parts:
        if part.by != LENGTH:
            continue
        reading: dict[tuple[str, str], list[ReadingFigures]] = {}
        for read in part.reading:
            reading.setdefault((read.place.method, read.place.budget), []).append(_reading(read, None))
        for cell in part.cells:
            own = reading.get((cell.method, cell.budget), ())
            yield _of(LengthFigures, cell, length=part.name, points=part.points, reading=own)


def _scope(scope: Scope) -> ScopeFigures:
    figures = (_of(MethodFigures, cell, kinds=scope.kinds.get(key, ())) for key, cell in scope.cells.items())
    return _of(ScopeFigures, scope, set=scope.name, figures=tuple(figures))
