"""`tamis recall`: search an archive by words."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command("recall", short_help="Search an archive for what was taken out.")
@click.argument("archive", metavar="ARCHIVE", type=click.Path())
@click.argument("words", metavar="WORDS")
@click.option("-n", "--limit", default=10, show_default=True, metavar="N", help="Show at most N messages.")
@click.option("--session", metavar="ID", help="Only messages of this session.")
@json_option
def command(**given: Any) -> None:
    """Search ARCHIVE for messages with all the WORDS, or with any of them where none has all.

    The best come first. `tamis expand ARCHIVE ID` prints one of them in full.
    """
    work("recall:run", given)
