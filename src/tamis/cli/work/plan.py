"""The work of `tamis plan`: how many sessions it takes to see a difference."""

from pathlib import Path

import click

from tamis.cli.work.output import number, print_json, print_tables, table
from tamis.evals import Run, read_run
from tamis.evals.inference.outcome_measures import get_figure
from tamis.evals.inference.sample_size import SampleSizePlan, SampleSizeRow, plan
from tamis.evals.regression_gate import amount_shown


def run(run_dir: str, *, difference: float, baseline: str | None, figure_name: str, as_json: bool) -> None:
    made = plan_run(
        read_run(Path(run_dir)), difference=difference, baseline=baseline, figure_name=figure_name
    )
    if as_json:
        print_json(made)
        return
    print_plan(made)


def plan_run(
    run: Run, *, difference: float, baseline: str | None = None, figure_name: str = "recall"
) -> SampleSizePlan:
    """The plan, against the run's first method where none is named."""
    first = next(iter(dict.fromkeys(result.method for result in run.results)), "")
    return plan(run, get_figure(figure_name), baseline or first, difference=difference)


def print_plan(made: SampleSizePlan) -> None:
    """The plan as a table."""
    title = f"{made.figure} against {made.baseline}: sessions to see {made.difference:g}"
    columns = ["method", "budget", ">sessions now", ">points each", ">smallest seen now", ">sessions needed"]
    print_tables(table(title, columns, map(_cells, made.rows)))
    click.echo(
        f"power {made.power:.0%}, level {made.alpha:.2g}"
        f"{f' (0.05 over {len(made.rows)} comparisons)' if len(made.rows) > 1 else ''}; "
        "–: too few sessions, or none that differ"
    )


def _cells(row: SampleSizeRow) -> list[str]:
    return [
        row.method,
        row.budget,
        number(row.sessions),
        "–" if row.points_per_session is None else f"{row.points_per_session:.1f}",
        "–" if row.smallest_detectable is None else amount_shown(row.smallest_detectable),
        "–" if row.sessions_needed is None else number(row.sessions_needed),
    ]
