"""`tamis report`: the results of an evaluation as HTML, Markdown or JSON."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command("report", short_help="Write the results of an evaluation as one HTML file.")
@click.argument("run_dir", metavar="RUN_DIR", type=click.Path())
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(), help="The file  [default: RUN_DIR/report.html]"
)
@click.option(
    "--points",
    metavar="N|all",
    help="How many points can be read in the page, the worst first  [default: as many as fit into 25 MB]",
)
@click.option(
    "--answers",
    metavar="N",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="How many of each method's worst answers stand in the page.",
)
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@json_option
def command(**given: Any) -> None:
    """Write the run that `tamis eval -o RUN_DIR` left as one HTML file that works offline.

    A FILE that ends in .md becomes a summary in Markdown, one that ends in .json the figures as
    `tamis eval --json` prints them.
    """
    work("report:run", given)
