"""`tamis compact`: compress one session and write it, in the format that it came in or in another."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import (
    complete_format,
    json_option,
    method_option,
    output_option,
    session_options,
    tokenizer_option,
)


@click.command("compact")
@click.argument("file", metavar="FILE", type=click.Path())
@method_option(default="ledger", help="A name from `tamis methods`, or a class.")
@click.option(
    "-b",
    "--budget",
    default="10%",
    metavar="TOKENS|PERCENT",
    help="What the replaced part may take.",
)
@click.option(
    "--keep-last",
    default=0,
    show_default=False,
    metavar="N",
    help="Leave at least the last N messages as they are.",
)
@click.option("--goal", help="What the agent is about to do, where that is known.")
@click.option(
    "--as",
    "output_format",
    metavar="FORMAT",
    help="Write in this format (see `tamis formats`), or as text: what the agent will read, as prose.",
    shell_complete=complete_format,
)
@output_option("OUT", "Write to this file; - is stdout.")
@click.option("--force", is_flag=True, help="Overwrite OUT if it exists; never the source.")
@click.option(
    "--archive",
    metavar="ARCHIVE",
    type=click.Path(),
    help="Keep what is replaced in this file; see `tamis recall`.",
)
@click.option(
    "--gate",
    type=click.Choice(["repair", "strict", "off"]),
    default="repair",
    help="What to do where something is missing.",
)
@click.option("--mask-secrets", is_flag=True, help="Put placeholders in the place of keys and passwords.")
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
