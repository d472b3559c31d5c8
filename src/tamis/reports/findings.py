"""Findings of a run beside its figures of hindsight: reading, drift, parts, conclusions."""

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.evals.figures.drift import Survival, survival
from tamis.evals.figures.reading_summary import ReadingCell, summarise_reading
from tamis.evals.rundir.results import Run
from tamis.reports.acting_figures import ActingTable, acting_tables
from tamis.reports.breakdown import BreakdownPart, BreakdownTable, parts_of, parts_tables
from tamis.reports.conclusions import Conclusions, conclude
from tamis.reports.reading_groups import DimensionTable, QuestionTable, asked_tables, judged_tables


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
        parts_tables=parts_tables(parts),
        conclusions=conclude(run),
        acting=acting_tables(run),
    )


def _in_order(curves: Sequence[Survival]) -> tuple[Survival, ...]:
    """What is compared stands together: the methods at a budget, in names, a kind of names, answers."""
    first = {budget: i for i, budget in enumerate(dict.fromkeys(curve.budget for curve in curves))}
    return tuple(sorted(curves, key=lambda c: (first[c.budget], c.what, c.reader or "")))
