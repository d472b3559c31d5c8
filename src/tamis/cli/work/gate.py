"""The work of `tamis gate`: fail where a method has become worse."""

from pathlib import Path
from typing import Any

import click

from tamis.cli.work.output import print_json, print_tables, table
from tamis.evals import read_run
from tamis.evals.inference.outcome_measures import get_figure
from tamis.evals.regression_gate import GateRow, GateVerdict, amount_shown, difference_shown, gate


def run(run_dir: str, baseline: str, *, figure_name: str, as_json: bool, **asked: Any) -> None:
    """What `tamis gate` does; `asked` is the margin and the methods."""
    figure = get_figure(figure_name)
    verdict = gate(read_run(Path(run_dir)), read_run(Path(baseline)), figure, **asked)
    if as_json:
        print_json(verdict)
    else:
        _print(verdict)
    if not verdict.passed:
        click.get_current_context().exit(1)


def _print(verdict: GateVerdict) -> None:
    columns = ["method", "budget", ">before", ">after", ">difference (95 %)", ">sessions", ">points", ""]
    print_tables(table(f"{verdict.figure}, margin {verdict.margin:g}", columns, map(_cells, verdict.rows)))
    click.echo(f"{'passed' if verdict.passed else 'failed'}: {verdict.reason}")


def _cells(row: GateRow) -> list[str]:
    made = row.comparison
    lost = f" ({row.lost} lost)" if row.lost else ""
    verdict = "passed" if row.shown else "failed"
    if made is None or row.before is None or row.after is None:
        return [row.method, row.budget, "–", "–", "–", "0", f"0{lost}", verdict]
    return [
        row.method,
        row.budget,
        amount_shown(row.before),
        amount_shown(row.after),
        difference_shown(made),
        str(made.clusters),
        f"{made.pairs}{lost}",
        verdict,
    ]
