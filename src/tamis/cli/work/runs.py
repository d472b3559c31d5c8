"""The work of `tamis report`, `view`, `score`, `gate` and `plan`: what is done with a run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import click

from tamis.cli.work.inputs import require_output
from tamis.cli.work.output import made_of, number, print_json, print_tables, serve_pages, table
from tamis.errors import InputError
from tamis.evals import Run, read_run
from tamis.evals.experiment.experiment_run import ResourceLimits
from tamis.evals.inference.outcome_measures import get_figure
from tamis.evals.inference.sample_size import SampleSizePlan, SampleSizeRow
from tamis.evals.inference.sample_size import plan as plan_sessions
from tamis.evals.regression_gate import GateRow, amount_shown, difference_shown
from tamis.evals.regression_gate import gate as passes
from tamis.evals.rundir.rescore import score_run
from tamis.reports import reading_tables, write_report
from tamis.reports.view import open_viewer


@dataclass(frozen=True, kw_only=True)
class ReportJson:
    """What `tamis report --json` prints.

    `points_embedded` of the run's `points` can be read in the page; null for Markdown and JSON.
    """

    run: str
    written: str
    bytes: int
    points: int
    points_embedded: int | None


def report(
    run_dir: str, *, output: str | None, points: str | None, answers: int, force: bool, as_json: bool
) -> None:
    target = Path(output) if output else Path(run_dir) / "report.html"
    if output is not None:
        require_output(output, force=force)
    made = write_report(Path(run_dir), target, points=_points(points), answers=answers, force=force)
    if as_json:
        size = made.path.stat().st_size
        print_json(made_of(ReportJson, made, run=run_dir, written=str(made.path), bytes=size))
        return
    click.echo(f"report: {made.path}")
    if made.points_embedded is not None and made.points_embedded < made.points:
        some = f"{made.points_embedded} of {made.points} points can be read in it"
        click.echo(f"note: {some}; all: --points all, or tamis view {run_dir}", err=True)


def _points(given: str | None) -> int | Literal["all"] | None:
    if given is None:
        return None
    if given == "all":
        return "all"
    if given.isascii() and given.isdigit():
        return int(given)
    raise InputError(f"--points is {given!r}; give a number, or all")


@dataclass(frozen=True, kw_only=True)
class ViewJson:
    """What `tamis view --json` prints when it is ready: where the runs are served until it is stopped."""

    url: str
    runs: tuple[str, ...]


def view(runs: tuple[str, ...], port: int, opens: bool, as_json: bool) -> None:
    with open_viewer([Path(run) for run in runs], port=port) as viewer:
        if as_json:
            print_json(ViewJson(url=viewer.url, runs=runs))
        else:
            click.echo(f"serving at {viewer.url} (this machine only); Ctrl-C ends it")
        serve_pages(viewer, opens=opens)


@dataclass(frozen=True, kw_only=True)
class ScoreJson:
    """What `tamis score --json` prints.

    `rescored` of the run's `answers` have another exact score now; `judged` judgements are new.
    """

    run: str
    answers: int
    rescored: int
    judged: int


def score(
    run_dir: str,
    *,
    rubric: str | None,
    concurrency: int,
    max_cost_usd: float | None,
    as_json: bool,
    **judging: Any,
) -> None:
    means = ResourceLimits(concurrency=concurrency, max_cost_usd=max_cost_usd)
    scored = score_run(Path(run_dir), rubric=Path(rubric) if rubric else None, means=means, **judging)
    if as_json:
        print_json(made_of(ScoreJson, scored, run=run_dir))
        return
    print_tables(*reading_tables(read_run(Path(run_dir))))
    otherwise = f"{scored.rescored:,} scored otherwise than before"
    click.echo(f"\n{scored.answers:,} answers: {otherwise}, {scored.judged:,} new judgements")


def gate(run_dir: str, baseline: str, *, figure_name: str, as_json: bool, **asked: Any) -> None:
    figure = get_figure(figure_name)  # a wrong name is told before anything is read
    verdict = passes(read_run(Path(run_dir)), read_run(Path(baseline)), figure, **asked)
    if as_json:
        print_json(verdict)
    else:
        columns = ["method", "budget", ">before", ">after", ">difference (95 %)", ">sessions", ">points", ""]
        title = f"{verdict.figure}, margin {verdict.margin:g}"
        print_tables(table(title, columns, map(_gate_cells, verdict.rows)))
        click.echo(f"{'passed' if verdict.passed else 'failed'}: {verdict.reason}")
    if not verdict.passed:
        click.get_current_context().exit(1)


def _gate_cells(row: GateRow) -> list[str]:
    made, figures, sessions, points = row.comparison, ["–"] * 3, 0, 0
    if made is not None and row.before is not None and row.after is not None:
        figures = [amount_shown(row.before), amount_shown(row.after), difference_shown(made)]
        sessions, points = made.clusters, made.pairs
    lost = f" ({row.lost} lost)" if row.lost else ""
    verdict = "passed" if row.shown else "failed"
    return [row.method, row.budget, *figures, str(sessions), f"{points}{lost}", verdict]


def plan(run_dir: str, *, as_json: bool, **asked: Any) -> None:
    made = plan_run(read_run(Path(run_dir)), **asked)
    if as_json:
        print_json(made)
    else:
        print_plan(made)


def plan_run(
    run: Run, *, difference: float, baseline: str | None = None, figure_name: str = "recall"
) -> SampleSizePlan:
    """The plan, against the run's first method where none is named."""
    first = next(iter(dict.fromkeys(result.method for result in run.results)), "")
    return plan_sessions(run, get_figure(figure_name), baseline or first, difference=difference)


def print_plan(made: SampleSizePlan) -> None:
    """The plan as a table."""
    title = f"{made.figure} against {made.baseline}: sessions to see {made.difference:g}"
    columns = ["method", "budget", ">sessions now", ">points each", ">smallest seen now", ">sessions needed"]
    print_tables(table(title, columns, map(_plan_cells, made.rows)))
    corrected = f" (0.05 over {len(made.rows)} comparisons)" if len(made.rows) > 1 else ""
    why = "–: too few sessions, none that differ, or more than can be"
    click.echo(f"power {made.power:.0%}, level {made.alpha:.2g}{corrected}; {why}")


def _plan_cells(row: SampleSizeRow) -> list[str]:
    each = "–" if row.points_per_session is None else f"{row.points_per_session:.1f}"
    seen = "–" if row.smallest_detectable is None else amount_shown(row.smallest_detectable)
    needed = "–" if row.sessions_needed is None else number(row.sessions_needed)
    return [row.method, row.budget, number(row.sessions), each, seen, needed]
