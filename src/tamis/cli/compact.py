"""`tamis compact`: compress one session and write it, in the format that it came in or in another."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import (
    FILE,
    complete_format,
    json_option,
    method_option,
    option,
    output_option,
    session_options,
    tokenizer_option,
)


@click.command("compact")
@click.argument("file", metavar="FILE", type=FILE)
@method_option("A name from `tamis methods`, or a class.", default="ledger")
@option("-b --budget", "What the replaced part may take.", "TOKENS|PERCENT", default="10%")
@option("--keep-last", "Leave at least the last N messages as they are.", "N", default=0, show_default=False)
@option("--goal", "What the agent is about to do, where that is known.")
@option(
    "--as output_format",
    "Write in this format (see `tamis formats`), or as text: what the agent will read, as prose.",
    "FORMAT",
    shell_complete=complete_format,
)
@output_option("OUT", "Write to this file; - is stdout.")
@option("--force", "Overwrite OUT if it exists; never the source.", is_flag=True)
@option("--archive", "Keep what is replaced in this file; see `tamis recall`.", "ARCHIVE", type=FILE)
@option(
    "--gate",
    "What to do where something is missing.",
    type=click.Choice(["repair", "strict", "off"]),
    default="repair",
)
@option("--mask-secrets", "Put placeholders for keys and passwords into what is made.", is_flag=True)
@session_options
@tokenizer_option
@json_option
def command(**given: Any) -> None:
    """Compress the session in FILE (- is stdin) and print it, or write it to OUT.

    The leading system messages stay and are not counted. The figures go to stderr. Where the budget cannot be
    met, that is an error, and nothing is written.

    \b
    tamis compact session.jsonl -b 10% -o short.jsonl  as it came in
    tamis compact session.jsonl -b 2% --as text        what the agent will read
    """  # noqa: D301 - click wants the character itself
    work("compact:run", given)
