"""The number of sessions that a difference takes, from the spread of the sessions of a run."""

from dataclasses import dataclass

from tamis.errors import InputError
from tamis.evals.inference.comparison import ALPHA, POWER, sessions_needed, smallest_detectable
from tamis.evals.inference.intervals import Bounds
from tamis.evals.inference.method_comparisons import MethodComparison, compare_methods
from tamis.evals.inference.outcome_measures import OutcomeMeasure
from tamis.evals.rundir.results import Run


@dataclass(frozen=True, kw_only=True, slots=True)
class SampleSizeRow:
    """A method against the baseline at a budget: what this run could have shown, and what it would take.

    `deviation` is the standard deviation of the clusters' differences. `sessions_needed` is None where it
    cannot be told: fewer than two sessions, or no two differ. `points_per_session` is what the run has; with
    fewer, more sessions are needed.
    """

    method: str
    budget: str
    sessions: int
    points_per_session: float | None
    deviation: float | None
    smallest_detectable: float | None
    sessions_needed: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class SampleSizePlan:
    """How many sessions show a `difference` in 8 of 10 cases, at a level that allows for all comparisons."""

    figure: str
    baseline: str
    difference: float
    power: float
    alpha: float
    rows: tuple[SampleSizeRow, ...]


def plan(run: Run, figure: OutcomeMeasure, baseline: str, *, difference: float) -> SampleSizePlan:
    """Plan with a run as the pilot.

    The level is 5 % over the number of comparisons: what the first step of Holm's correction demands.

    Raises:
        InputError: the baseline is not in the run, there is nothing to compare it with, or the difference is
            none that could be planned for.
    """
    rows = compare_methods(run, figure, baseline).rows
    if not rows:
        raise InputError(f"the run has only {baseline!r}; evaluate another method beside it")
    alpha = ALPHA / len(rows)
    return SampleSizePlan(
        figure=figure.name,
        baseline=baseline,
        difference=difference,
        power=POWER,
        alpha=alpha,
        rows=tuple(_row(row, difference, alpha=alpha, within=figure.difference_within) for row in rows),
    )


def _row(row: MethodComparison, difference: float, *, alpha: float, within: Bounds) -> SampleSizeRow:
    made = row.comparison
    spread, sessions = (made.deviation or 0.0, made.clusters) if made else (0.0, 0)
    return SampleSizeRow(
        method=row.method,
        budget=row.budget,
        sessions=sessions,
        points_per_session=made.pairs / sessions if made else None,
        deviation=made.deviation if made else None,
        smallest_detectable=smallest_detectable(spread, sessions, alpha=alpha, within=within),
        sessions_needed=sessions_needed(difference, spread, alpha=alpha) if spread else None,
    )
