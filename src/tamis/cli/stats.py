"""`tamis stats`: what compaction saved in the wrapped agents, and what was asked back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command("stats", short_help="Show what compaction saved, and what was asked back.")
@click.argument("logs", metavar="[LOG]...", nargs=-1, type=click.Path(path_type=Path))
@json_option
def command(**given: Any) -> None:
    """Add up decision logs: those of the wrapped agents, unless LOGs are named.

    A wrapped agent's log lies beside its archive: `.claude/tamis.archive.decisions.jsonl`.
    """
    work("stats:run", given)
