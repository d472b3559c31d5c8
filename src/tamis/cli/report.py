"""`tamis report`: the results of an evaluation as one HTML file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from tamis.cli.inputs import json_option
from tamis.cli.output import print_json


@dataclass(frozen=True, kw_only=True)
class ReportJson:
    """What `tamis report --json` prints."""

    run: str
    written: str
    bytes: int


@click.command("report", short_help="Write the results of an evaluation as one HTML file.")
@click.argument("run_dir", metavar="RUN_DIR", type=click.Path())
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(), help="The file  [default: RUN_DIR/report.html]"
)
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@json_option
def command(run_dir: str, output: str | None, force: bool, as_json: bool) -> None:
    """Write the run that `tamis eval -o RUN_DIR` left as one HTML file that works offline."""
    from tamis.reports import write_report

    target = Path(output) if output else Path(run_dir) / "report.html"
    written = write_report(Path(run_dir), target, force=force)
    if as_json:
        print_json(ReportJson(run=run_dir, written=str(written), bytes=written.stat().st_size))
    else:
        click.echo(f"report: {written}")
