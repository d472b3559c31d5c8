"""`tamis view`: browse runs in a browser, down to each answer and each context."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from tamis.cli.inputs import json_option
from tamis.cli.output import print_json

DEFAULT_PORT = 8642


@dataclass(frozen=True, kw_only=True)
class ViewJson:
    """What `tamis view --json` prints when it is ready: where the runs are served until it is stopped."""

    url: str
    runs: tuple[str, ...]


@click.command("view", short_help="Browse runs in a browser, down to each answer and each context.")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=DEFAULT_PORT,
    show_default=True,
    help="Where to listen on this machine; 0: wherever is free.",
)
@click.option("--open", "opens", is_flag=True, help="Open the browser too.")
@json_option
def command(runs: tuple[str, ...], port: int, opens: bool, as_json: bool) -> None:
    """Serve the RUNs that `tamis eval -o` left to the browser of this machine, until Ctrl-C.

    Filter and search the answers, set two methods, budgets or runs side by side, and open any answer with its
    question, its context and the source messages.
    """
    from tamis.reports.view import open_viewer

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
