"""Figures of reading and acting as tables for a terminal: bits, calls, the rubric's dimensions, questions."""

from collections.abc import Iterator, Sequence

from rich.markup import escape
from rich.table import Column, Table

from tamis.evals.figures.drift import Survival, survival
from tamis.evals.figures.reading_summary import ReadingCell, summarise_reading
from tamis.evals.inference.intervals import Estimate
from tamis.evals.judging.rubric import HIGHEST
from tamis.evals.rundir.results import Run
from tamis.reports.acting_figures import ActingTable, acting_tables
from tamis.reports.figure_labels import MISSING, budget_label, counted, interval, mean
from tamis.reports.number_format import half_life_text
from tamis.reports.reading_groups import QuestionTable, asked_tables, calibrations_of, distrust
from tamis.reports.tables import method_label, new_table

SOUND = 0.9
"""The share of the possible that `full` must reach for a dimension to have a ceiling."""


def reading_tables(run: Run) -> Iterator[Table]:
    """Acts; per reader, judge and cycle the dimensions; per reader the kinds; then what survived the cycles.

    A run of one cycle without answers and acts gives no table.
    """
    yield from map(_acting, acting_tables(run))
    if not len(run.answers):
        yield from _survivals(survival(run))
        return
    cells = summarise_reading(run)
    for place in dict.fromkeys((c.place.reader, c.place.judge) for c in cells if c.place.judge is not None):
        yield _dimensions(run, [c for c in cells if (c.place.reader, c.place.judge) == place])
    yield from map(_kinds, asked_tables(cells))
    yield from _survivals(survival(run))
    if any(c.not_measured for c in cells):
        yield _missing(cells)


def _acting(shown: ActingTable) -> Table:
    caption = "\n".join((shown.note, *shown.missing))
    table = new_table(shown.title, "method", *(f">{name}" for name in shown.headings), caption=caption)
    for row in shown.rows:
        table.add_row(escape(method_label(row.method)), *row.figures)
    return table


def _dimensions(run: Run, cells: Sequence[ReadingCell]) -> Table:
    """Every dimension from 0 to 5; the overall score with its interval."""
    place = cells[0].place
    names = list(dict.fromkeys(name for cell in cells for name in cell.dimensions))
    known = calibrations_of(run).get(place.judge or "")
    captions = [
        "overall: the mean of the dimensions, with its 95 % interval",
        *ceiling_notes(cells),
        f"{place.judge}: {known.verdict if known else distrust(None)}",
        *([known.evidence] if known else []),
    ]
    title = f"Six dimensions, 0 to 5: judged by {place.judge}, answered by {place.reader}"
    columns = [Column(name.replace("_", " "), justify="right", overflow="fold") for name in names]
    table = _table(title, cells, *columns, ">overall", ">points", caption="\n".join(captions))
    for cell in cells:
        figures = [mean(cell.dimensions.get(name)) for name in names]
        points = f"{cell.overall.points:,} ({cell.overall.clusters:,})" if cell.overall else "0"
        table.add_row(*_place(cell, cells), *figures, _with_interval(cell.overall), points)
    return table


def ceiling_notes(cells: Sequence[ReadingCell]) -> Iterator[str]:
    """Where `full`, which nothing was taken from, is not the ceiling that it should be, and why."""
    of_full = next((c.dimensions for c in cells if c.place.method == "full" and c.place.cycle == 1), None)
    if of_full is None:
        return
    below = {name.replace("_", " "): e.mean for name, e in of_full.items() if e.mean < SOUND * HIGHEST}
    if below:
        low = ", ".join(f"{name} {reached:.2f}" for name, reached in below.items())
        yield (
            f"no ceiling: with everything in view this reader and judge reach only {low} of {HIGHEST:g}; "
            "what is short of it there is theirs, not the method's"
        )
    if above := cells[0].above_full:
        yield (
            f"not reported: {', '.join(above).replace('_', ' ')}. Some method was above full: in a shorter "
            "text the reader finds the place more surely, which is no better memory"
        )


def _kinds(asked: QuestionTable) -> Table:
    """The exact scorer's means, by kind of question."""
    cells = [cell for group in asked.groups for cell in group.cells]
    title = f"Questions answered by {asked.reader}, scored exactly, 0 to 1"
    columns = (f">{name}" for name in ("exact", "answered", "held", *asked.kinds, "answers"))
    caption = "held: the share of what is expected that stands in the context at all; * control arm"
    table = _table(title, cells, *columns, caption=caption)
    for cell in cells:
        row = [_with_interval(cell.exact), mean(cell.answered), mean(cell.held)]
        row += [mean(cell.by_kind.get(kind)) for kind in asked.kinds]
        table.add_row(*_place(cell, cells), *row, f"{cell.answers:,}")
    return table


def _survivals(curves: Sequence[Survival]) -> Iterator[Table]:
    """What share survived each cycle, and the half-life; kinds are left to the report."""
    whole = [curve for curve in curves if ":" not in curve.what]
    if not whole:
        return
    cycles = (f">cycle {n}" for n in range(1, len(whole[0].cycles) + 1))
    caption = f"half-life in cycles; {MISSING} nothing was lost, or there was nothing to lose"
    columns = ("method", "budget", "of", *cycles, ">half-life", ">points")
    table = new_table("What survives cycle after cycle", *columns, caption=caption)
    for curve in whole:
        table.add_row(
            escape(method_label(curve.method)),
            budget_label(curve.budget),
            escape(f"{curve.what}, {curve.reader}" if curve.reader else curve.what),
            *map(mean, curve.cycles),
            half_life_text(curve.half_life),
            f"{curve.cycles[0].points:,}",
        )
    yield table


def _missing(cells: Sequence[ReadingCell]) -> Table:
    table = _table("Answers and judgements not measured", cells, ">many", "why")
    for cell in cells:
        for reason, many in cell.not_measured.items():
            table.add_row(*_place(cell, cells), f"{many:,}", escape(reason))
    return table


def _table(title: str, cells: Sequence[ReadingCell], *columns: str | Column, caption: str = "") -> Table:
    title = f"{title} ({counted(sum(c.answers for c in cells), 'answer')})"
    cycle = [">cycle"] if _has_cycles(cells) else []
    return new_table(title, Column("budget"), "method", *cycle, *columns, caption=caption)


def _place(cell: ReadingCell, cells: Sequence[ReadingCell]) -> tuple[str, ...]:
    cycle = (str(cell.place.cycle),) if _has_cycles(cells) else ()
    return (budget_label(cell.place.budget), escape(method_label(cell.place.method)), *cycle)


def _has_cycles(cells: Sequence[ReadingCell]) -> bool:
    return any(cell.place.cycle > 1 for cell in cells)


def _with_interval(estimate: Estimate | None) -> str:
    if estimate is None or estimate.low is None or estimate.high is None:
        return mean(estimate)
    return f"{mean(estimate)} {interval(estimate)}"
