"""`tamis view`: browse runs in a browser, down to each answer and each context."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option

DEFAULT_PORT = 8642


@click.command("view", short_help="Browse runs in a browser, down to each answer and context.")
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
def command(**given: Any) -> None:
    """Serve the RUNs that `tamis eval -o` left to the browser of this machine, until Ctrl-C.

    Filter the answers, set two methods, budgets or runs side by side, and open any answer in full.
    """
    work("view:run", given)
