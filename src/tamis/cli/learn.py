"""`tamis learn`: learn from sessions how likely a name is to be needed, and show what was learned."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option, tokenizer_option


@click.command("learn", short_help="Learn from sessions what will be needed, or show it.")
@click.argument("paths", metavar="[SESSIONS]...", nargs=-1, type=click.Path())
@click.option("-o", "--output", metavar="FILE", type=click.Path(), help="Write the weights to this file.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@click.option(
    "--show",
    is_flag=True,
    help="Show the weights of a file (the shipped ones unless one is named) instead of learning.",
)
@click.option("--jobs", default=1, show_default=True, metavar="N", help="How many processes read sessions.")
@tokenizer_option
@json_option
def command(**given: Any) -> None:
    """Learn how likely each name is to be needed, from what agents went on to use in SESSIONS.

    SESSIONS are files, or folders with everything below; each PATH is a set of its own in the weights'
    provenance. The same sessions give the same bytes, whatever --jobs.

    \b
    tamis learn ~/.claude/projects -o mine.json     learn
    tamis compact session.jsonl -m ledger@mine.json   use it
    tamis learn --show mine.json                    look at it; without a file: the weights that ship
    """  # noqa: D301 - click wants the character itself
    work("learn:run", given)
