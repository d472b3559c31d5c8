"""The work of `tamis report`: the results of an evaluation as HTML, Markdown or JSON."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from tamis.cli.work.inputs import require_output
from tamis.cli.work.output import print_json
from tamis.errors import InputError
from tamis.reports import write_report


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


def run(
    run_dir: str, *, output: str | None, points: str | None, answers: int, force: bool, as_json: bool
) -> None:
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
    if given is None:
        return None
    if given == "all":
        return "all"
    if given.isascii() and given.isdigit():
        return int(given)
    raise InputError(f"--points is {given!r}; give a number, or all")
