"""The figures of a run as JSON: what `tamis eval --json` prints, and its documented form.

The averages stand in `scopes`, all sets first; below them every point and every result that they go over.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, TypeVar, get_type_hints

from pydantic import BaseModel, TypeAdapter

from tamis.evals.acting.summary import (
    LikelihoodCell,
    NextActionCell,
    summarise_likelihoods,
    summarise_next_actions,
)
from tamis.evals.controls import is_control
from tamis.evals.figures.drift import Survival
from tamis.evals.figures.reading_summary import ReadingCell
from tamis.evals.figures.summary import Cell, summarise
from tamis.evals.inference.intervals import Estimate
from tamis.evals.inference.method_comparisons import Family
from tamis.evals.inference.pareto import ParetoFront
from tamis.evals.judging.calibration import Calibration
from tamis.evals.probing.probes import ProbeKind
from tamis.evals.rundir.results import PointRecord, Result, Run, Settings, SkippedInput
from tamis.reports.conclusions import InconclusiveResult
from tamis.reports.figure_labels import Scope, scopes_of
from tamis.reports.findings import LENGTH, SET, BreakdownPart, find
from tamis.reports.reading_groups import PUBLISHED, SOURCE
from tamis.text.names import NameKind

REPORT_FORMAT: Final = "tamis-report/1"


class KindFigures(BaseModel, extra="forbid", frozen=True):
    """Needed names of one kind, summed over the points, and how many of them were found."""

    kind: NameKind
    needed: int
    found: int


@dataclass(frozen=True, kw_only=True, slots=True)
class MethodFigures(Cell):
    """One method at one budget, averaged over the points of a scope.

    An estimate is null where nothing was measured, never 0. `not_measured` and `failed` count the points
    without a figure, by reason. `control` marks a control arm. The costs are null where no price was asked
    for, or where none is known: `settings.price` says why. `statements` is the share of key points that the
    context says, null where no recap behind the cuts sums up; `statements_not_measured` counts such points.
    """

    control: bool
    kinds: tuple[KindFigures, ...]


class ScopeFigures(BaseModel, extra="forbid", frozen=True):
    """The points that are averaged together: one set, or all (`set` is null).

    `clusters` is how many independent things the points come from: sessions, or tasks that were tried
    several times.
    """

    set: str | None
    points: int
    clusters: int
    figures: tuple[MethodFigures, ...]


class CycleFigures(BaseModel, extra="forbid", frozen=True):
    """Hindsight after a further cycle of compaction: what was needed behind that cycle's own cut."""

    cycle: int
    method: str
    budget: str
    recall: Estimate | None
    statements: Estimate | None
    regret_rate: Estimate | None
    kept_share: Estimate | None
    tokens_per_task: Estimate | None
    not_measured: dict[str, int]
    failed: dict[str, int]


class ReadingFigures(BaseModel, extra="forbid", frozen=True):
    """What one reader answered from one method's contexts, and what one judge made of it.

    Shares are from 0 to 1, dimensions and `overall` from 0 to 5. `set` is null for all sets together. An
    estimate is null, and a kind or a dimension absent, where nothing was measured. `above_full` are
    dimensions left out because some method was above `full`; `not_measured` counts answers and judgements
    that are missing, by reason.
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
    above_full: tuple[str, ...]
    not_measured: dict[str, int]


class LengthFigures(BaseModel, extra="forbid", frozen=True):
    """One method at one budget over spans of about the same length."""

    length: str
    points: int
    method: str
    budget: str
    control: bool
    recall: Estimate | None
    regret_rate: Estimate | None
    reading: tuple[ReadingFigures, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class LikelihoodFigures(LikelihoodCell):
    """Bits of the agent's next act behind one method's contexts, by one model.

    `saved` is, for each of the arms nothing, truncate and full, what that arm's context costs less what this
    one costs, at the points where both were measured.
    """

    control: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class NextActionFigures(NextActionCell):
    """How far a model's next call agrees: `with_agent`, `with_full` (itself seeing everything), `noise`.

    Of each the tool, its target and its arguments, from 0 to 1. `noise` is the model's agreement with itself,
    everything in view, when it is asked again in other words.
    """

    control: bool


class PublishedFigures(BaseModel, extra="forbid", frozen=True):
    """What others have published of their own method; not measured here: other sessions, another judge.

    `overall` is as printed; `mean_of_dimensions` is what their rule makes of their dimensions.
    """

    method: str
    by: str
    source: str
    overall: float
    mean_of_dimensions: float
    dimensions: dict[str, float]


class ConclusionFigures(BaseModel, extra="forbid", frozen=True):
    """What may be concluded: each method less `baseline`, and the fronts of quality against its price.

    A family's `p_holm` are corrected for the comparisons in it. `in_parts` has one by set, length, cycle,
    kind of question and dimension, where there are several. What has no `dominated_by` is on the front.
    """

    baseline: str | None
    families: tuple[Family, ...]
    in_parts: tuple[Family, ...]
    fronts: tuple[ParetoFront, ...]
    unsaid: tuple[InconclusiveResult, ...]


class RunReport(BaseModel, extra="forbid", frozen=True):
    """A finished evaluation: what was measured, its averages, and every single result.

    `scopes` are of the first cycle; `later_cycles` and `survival` are empty where there is no other.
    `reading` has a row per method, budget, cycle, reader and judge, all sets first. `lengths` are the same
    points by the length of their span, empty where all are alike. `calibrations` say how far each judge can
    be trusted; `published` are figures of others, for an order of magnitude. Of probes, answers and
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
    lengths: tuple[LengthFigures, ...]
    conclusions: ConclusionFigures
    likelihoods: tuple[LikelihoodFigures, ...]
    next_actions: tuple[NextActionFigures, ...]
    published: tuple[PublishedFigures, ...]
    survival: tuple[Survival, ...]
    calibrations: tuple[Calibration, ...]
    probes: int
    answers: int
    judgements: int
    points: tuple[PointRecord, ...]
    results: tuple[Result, ...]
    skipped: tuple[SkippedInput, ...]


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
    for part in (part for part in parts if part.by == LENGTH):
        for cell in part.cells:
            arm = (cell.method, cell.budget)
            own = [_reading(c, None) for c in part.reading if (c.place.method, c.place.budget) == arm]
            yield _of(LengthFigures, cell, length=part.name, points=part.points, reading=own)


def _scope(scope: Scope) -> ScopeFigures:
    figures = (_of(MethodFigures, cell, kinds=scope.kinds.get(key, ())) for key, cell in scope.cells.items())
    return _of(ScopeFigures, scope, set=scope.name, figures=tuple(figures))
