"""The work of `tamis view`: browse runs in a browser, down to each answer and each context."""

from dataclasses import dataclass
from pathlib import Path

import click

from tamis.cli.work.output import print_json
from tamis.reports.view import open_viewer


@dataclass(frozen=True, kw_only=True)
class ViewJson:
    """What `tamis view --json` prints when it is ready: where the runs are served until it is stopped."""

    url: str
    runs: tuple[str, ...]


def run(runs: tuple[str, ...], port: int, opens: bool, as_json: bool) -> None:
    with open_viewer([Path(run) for run in runs], port=port) as viewer:
        if as_json:
            print_json(ViewJson(url=viewer.url, runs=runs))
        else:
            click.echo(f"serving at {viewer.url} (this machine only); Ctrl-C ends it")
        if opens:
            click.launch(viewer.url)
        try:
            viewer.serve()
        except KeyboardInterrupt:
            click.echo("", err=True)
