"""`tamis pin`: a text that stands word for word behind every brief."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command("pin", short_help="Keep a rule or a message word for word through every compaction.")
@click.argument("archive", metavar="ARCHIVE", type=click.Path(path_type=Path))
@click.argument("text", metavar="[TEXT]", required=False)
@click.option(
    "--message", metavar="ID", help="Pin a message of the archive: an id that `tamis recall` shows."
)
@click.option("--remove", metavar="ID", help="Unpin what has this id.")
@json_option
def command(**given: Any) -> None:
    """Pin TEXT for all sessions that keep what they take out in ARCHIVE, or list what is pinned.

    From the next compaction on it stands word for word behind the brief. An agent's archive lies in its
    folder: `.claude/tamis.archive`.
    """
    work("pin:run", given)
