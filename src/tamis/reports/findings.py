"""Findings of a run beside its figures of hindsight: reading, drift, parts, conclusions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tamis.evals.figures.drift import Survival, survival
from tamis.evals.figures.reading_summary import ReadingCell, summarise_reading
from tamis.evals.figures.summary import Cell, sets_of, summarise
from tamis.evals.inference.intervals import Estimate
from tamis.evals.inference.method_comparisons import LENGTHS, LONGEST, length_of
from tamis.evals.rundir.results import Run
from tamis.reports.acting_figures import ActingTable, acting_tables
from tamis.reports.conclusions import Conclusions, conclude
from tamis.reports.reading_groups import DimensionTable, QuestionTable, asked_tables, judged_tables

SET, LENGTH = "set", "length"


@dataclass(frozen=True, kw_only=True, slots=True)
class BreakdownPart:
    """Points that are averaged together: those of a set, or those cut at about the same length.

    `by` is `set` or `length`.
    """

    by: str
    name: str
    points: int
    cells: tuple[Cell, ...]
    reading: tuple[ReadingCell, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class BreakdownTable:
    """One figure in every part: estimates by budget, method and part, the part by its place in the row."""

    title: str
    judge: str | None
    most: float
    parts: tuple[BreakdownPart, ...]
    rows: Mapping[str, Mapping[str, tuple[Estimate | None, ...]]]


def parts_of(run: Run) -> tuple[BreakdownPart, ...]:
    """The sets, then the lengths; neither where all points would be in one part."""
    points = tuple(replace(point, set=length_of(point.span_tokens)) for point in run.points)
    by_length = replace(run, points=points)
    there = set(sets_of(by_length))
    lengths = [name for name in (*(name for _, name in LENGTHS), LONGEST) if name in there]
    return (*_parts(run, SET, sets_of(run)), *_parts(by_length, LENGTH, lengths))


def _parts(run: Run, by: str, names: Sequence[str]) -> Iterator[BreakdownPart]:
    for name in names if len(names) > 1 else ():
        yield BreakdownPart(
            by=by,
            name=name,
            points=sum(point.set == name for point in run.points),
            cells=tuple(summarise(run, set_name=name)),
            reading=tuple(summarise_reading(run, set_name=name)) if len(run.answers) else (),
        )


def _tables(parts: Sequence[BreakdownPart]) -> Iterator[BreakdownTable]:
    """Recall, then of every reader what was answered, then of every judge the overall score."""
    if not parts:
        return
    recalls = [{(c.budget, c.method): c.recall for c in part.cells} for part in parts]
    yield _table("Recall", parts, recalls)
    first = [[(c, c.place) for c in part.reading if c.place.cycle == 1] for part in parts]
    places = [place for of_part in first for _, place in of_part]
    for reader in dict.fromkeys(place.reader for place in places):
        exact = [{(p.budget, p.method): c.exact for c, p in each if p.reader == reader} for each in first]
        yield _table(f"Questions, answered by {reader} and scored exactly", parts, exact)
    for reader, judge in dict.fromkeys((p.reader, p.judge) for p in places if p.judge is not None):
        overall = [
            {(p.budget, p.method): c.overall for c, p in each if (p.reader, p.judge) == (reader, judge)}
            for each in first
        ]
        title = f"Overall, answered by {reader}, judged by {judge}"
        yield _table(title, parts, overall, most=5.0, judge=judge)


def _table(
    title: str,
    parts: Sequence[BreakdownPart],
    found: Sequence[Mapping[tuple[str, str], Estimate | None]],
    *,
    most: float = 1.0,
    judge: str | None = None,
) -> BreakdownTable:
    rows: dict[str, dict[str, tuple[Estimate | None, ...]]] = {}
    for budget, method in dict.fromkeys(key for of_part in found for key in of_part):
        rows.setdefault(budget, {})[method] = tuple(each.get((budget, method)) for each in found)
    return BreakdownTable(title=title, judge=judge, most=most, parts=tuple(parts), rows=rows)


@dataclass(frozen=True, kw_only=True, slots=True)
class Findings:
    """What was found, as tables and curves to be shown. `reading` is empty where nothing was asked."""

    reading: tuple[ReadingCell, ...]
    judged: tuple[DimensionTable, ...]
    asked: tuple[QuestionTable, ...]
    curves: tuple[Survival, ...]
    parts: tuple[BreakdownPart, ...]
    parts_tables: tuple[BreakdownTable, ...]
    conclusions: Conclusions
    acting: tuple[ActingTable, ...] = ()


def find(run: Run) -> Findings:
    """Everything that the forms of the report share, worked out once."""
    reading = tuple(summarise_reading(run)) if len(run.answers) else ()
    parts = parts_of(run)
    return Findings(
        reading=reading,
        judged=judged_tables(run, reading),
        asked=asked_tables(reading),
        curves=_in_order(survival(run)),
        parts=parts,
        parts_tables=tuple(_tables(parts)),
        conclusions=conclude(run),
        acting=acting_tables(run),
    )


def _in_order(curves: Sequence[Survival]) -> tuple[Survival, ...]:
    """What is compared stands together: the methods at a budget, in names, a kind of names, answers."""
    first = {budget: i for i, budget in enumerate(dict.fromkeys(curve.budget for curve in curves))}
    return tuple(sorted(curves, key=lambda c: (first[c.budget], c.what, c.reader or "")))
