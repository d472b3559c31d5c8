"""`tamis report`: the results of an evaluation as one HTML file, or as Markdown or JSON."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from tamis.cli.inputs import json_option, require_output
from tamis.cli.output import print_json


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
def command(
    run_dir: str, output: str | None, points: str | None, answers: int, force: bool, as_json: bool
) -> None:
    """Write the run that `tamis eval -o RUN_DIR` left as one HTML file that works offline.

    A FILE that ends in .md becomes a summary in Markdown, one that ends in .json the figures as
    `tamis eval --json` prints them.
    """
    from tamis.reports import write_report

    target = Path(output) if output else Path(run_dir) / "report.html"
    if output is not None:
        require_output(output, force=force)
    made = write_report(Path(run_dir), target, points=_points(points), answers=answers, force=force)
    if as_json:
        report = ReportJson(
            run=run_dir,
            written=str(made.path),
            bytes=made.path.stat().st_size,
            points=made.points,
            points_embedded=made.points_embedded,
        )
        print_json(report)
        return
    click.echo(f"report: {made.path}")
    if made.points_embedded is not None and made.points_embedded < made.points:
        click.echo(
            f"note: {made.points_embedded} of {made.points} points can be read in it; all: --points all, or "
            f"tamis view {run_dir}",
            err=True,
        )


def _points(given: str | None) -> int | Literal["all"] | None:
    from tamis.errors import InputError

    if given is None:
        return None
    if given == "all":
        return "all"
    if given.isascii() and given.isdigit():
        return int(given)
    raise InputError(f"--points is {given!r}; give a number, or all")
