"""`tamis gate`: fail where a method has become worse."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import complete_method, json_option


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
def command(**given: Any) -> None:
    """Exit with 0 if the RUN is not worse than the baseline by the margin, at any budget, else with 1.

    It has to be shown: the whole 95 % interval of the difference lies on the good side of the margin. Runs
    that were measured in other ways cannot be compared: exit 2.
    """
    work("gate:run", given)
