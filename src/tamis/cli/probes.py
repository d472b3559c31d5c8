"""`tamis probes`: make the questions that tell what a compaction kept, for a person to read and edit."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option, output_option, tokenizer_option


@click.command("probes")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option(
    "--at",
    multiple=True,
    default=("50%",),
    metavar="PLACE",
    help="Where to cut: 50%, 18k (tokens), #120 (a message), own, or end (the live end); repeat for more.",
)
@click.option("--per-kind", default=6, type=click.IntRange(1), help="The most probes of a kind.")
@click.option("--probe-model", metavar="MODEL", help="Let a model write probes too; it must quote its proof.")
@click.option("--blind", metavar="MODEL", help="Leave out what this model answers without any context.")
@output_option("FILE", "Write the probes there, one to a line.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@click.option("--check", metavar="FILE", type=click.Path(), help="Check probes that were edited instead.")
@tokenizer_option
@json_option
def command(**given: Any) -> None:
    """Make probes from the sessions at the PATHs: questions about the older part that it answers itself.

    Each names the messages that prove its answer, and the session and the point that it belongs to. What
    could be answered without the older part is left out, and counted.

    \b
    tamis probes session.jsonl -o probes.jsonl      make them, then edit the file
    tamis probes --check probes.jsonl session.jsonl are they probes, and proved?
    tamis eval session.jsonl --probes probes.jsonl  ask them
    """  # noqa: D301 - click wants the character itself
    work("probes:run", given)
