"""`tamis expand`: one message from an archive, in full."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command("expand", short_help="Print a message from an archive in full.")
@click.argument("archive", metavar="ARCHIVE", type=click.Path())
@click.argument("id", metavar="ID")
@json_option
def command(**given: Any) -> None:
    """Print the message ID from ARCHIVE, as it was before it was taken out.

    ID is what `tamis recall` shows, or a placeholder `[secret:KIND:DIGITS]`: then the secret is printed. The
    numbers in a brief are no ids: they count messages from 0, without leading system messages.
    """
    work("expand:run", given)
