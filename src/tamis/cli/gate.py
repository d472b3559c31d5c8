"""`tamis gate`: fail where a method has become worse than it was by more than a margin."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tamis.cli.inputs import complete_method, json_option
from tamis.cli.output import print_json, print_tables, table

if TYPE_CHECKING:
    from tamis.evals.gate import GateRow, Verdict


@click.command("gate", short_help="Fail where a method has become worse by more than a margin.")
@click.argument("run_dir", metavar="RUN", type=click.Path())
@click.option("--baseline", required=True, metavar="RUN", type=click.Path(), help="What it is judged by.")
@click.option(
    "--margin", required=True, type=float, metavar="X", help="So much worse is too much: 0.1 of recall, say."
)
@click.option(
    "--figure",
    "figure_name",
    default="recall",
    show_default=True,
    metavar="FIGURE",
    help="recall, statements, weighted_recall, regret_rate, refetch_tokens, tokens_per_task, reading, "
    "overall, reading:KIND, overall:DIMENSION.",
)
@click.option(
    "-m",
    "--method",
    metavar="METHOD",
    shell_complete=complete_method,
    help="Only this one  [default: every method of the baseline]",
)
@click.option(
    "--against",
    metavar="METHOD",
    shell_complete=complete_method,
    help="The baseline's method  [default: the one of the same name]",
)
@json_option
def command(
    run_dir: str,
    baseline: str,
    margin: float,
    figure_name: str,
    method: str | None,
    against: str | None,
    as_json: bool,
) -> None:
    """Exit with 0 if the RUN is not worse than the baseline by the margin, at any budget, else with 1.

    It has to be shown: the whole 95 % interval of the difference lies on the good side of the margin, over
    sessions as they are drawn. Runs that were measured in other ways cannot be compared: exit 2.
    """
    from tamis.evals import read_run
    from tamis.evals.gate import gate
    from tamis.evals.inference.figures import get_figure

    figure = get_figure(figure_name)
    verdict = gate(
        read_run(Path(run_dir)),
        read_run(Path(baseline)),
        figure,
        margin=margin,
        method=method,
        against=against,
    )
    if as_json:
        print_json(verdict)
    else:
        _print(verdict)
    if not verdict.passed:
        click.get_current_context().exit(1)


def _print(verdict: Verdict) -> None:
    columns = ["method", "budget", ">before", ">after", ">difference (95 %)", ">sessions", ">points", ""]
    print_tables(table(f"{verdict.figure}, margin {verdict.margin:g}", columns, map(_cells, verdict.rows)))
    click.echo(f"{'passed' if verdict.passed else 'failed'}: {verdict.reason}")


def _cells(row: GateRow) -> list[str]:
    from tamis.evals.gate import amount_shown, difference_shown

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
