"""`tamis plan`: how many sessions it takes to see a difference."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import complete_method, json_option


@click.command("plan", short_help="Say how many sessions it takes to see a difference.")
@click.argument("run_dir", metavar="RUN", type=click.Path())
@click.option(
    "--difference",
    required=True,
    type=float,
    metavar="X",
    help="What is to be seen: 0.05 of recall, say.",
)
@click.option(
    "--baseline",
    metavar="METHOD",
    shell_complete=complete_method,
    help="What the other methods are compared with  [default: the run's first]",
)
@click.option(
    "--figure", "figure_name", default="recall", show_default=True, metavar="FIGURE", help="As in tamis gate."
)
@json_option
def command(**given: Any) -> None:
    """Plan an evaluation with the RUN as the pilot.

    Print how many sessions find a difference of X in 8 of 10 cases, at a level that allows for all
    comparisons, and the smallest difference that the RUN itself could have shown.
    """
    work("plan:run", given)
