"""`tamis formats`: the session formats, and what can be done with each."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command("formats", short_help="List the session formats, and what can be done with each.")
@json_option
def command(**given: Any) -> None:
    """List the session formats. A file's format is found by its content, plain, .gz or .xz."""
    work("formats:run", given)
