"""`tamis learn`: learn from sessions what statements are worth, and show what was learned."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option, output_option, tokenizer_option


@click.command("learn")
@click.argument("paths", metavar="[SESSIONS]...", nargs=-1, type=click.Path())
@output_option("FILE", "Write the weights to this file.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@click.option(
    "--show",
    is_flag=True,
    help="Show the weights of a file (the shipped ones unless one is named) instead of learning.",
)
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Read at most N files of each set.")
@click.option(
    "--exclude",
    multiple=True,
    metavar="PATTERN",
    help="Leave out files whose path ends like this (a/b.jsonl, *.md); can be given again.",
)
@click.option("--jobs", default=1, metavar="N", help="How many processes read sessions.")
@tokenizer_option
@json_option
def command(**given: Any) -> None:
    """Learn what each statement of a session is worth, from what agents summed up later in SESSIONS.

    SESSIONS are files or folders, a set each. The same sessions give the same bytes, whatever --jobs.

    \b
    tamis learn ~/.claude/projects -o worth.json      learn
    tamis compact session.jsonl -m ledger@worth.json  use it
    tamis learn --show worth.json            look at it, or at those that ship
    """  # noqa: D301 - click wants the character itself
    work("learn:run", given)
