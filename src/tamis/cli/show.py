"""`tamis show`: a session's tokens, waste, files and state."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import FILE, json_option, session_options, tokenizer_option


@click.command("show")
@click.argument("file", metavar="FILE", type=FILE)
@session_options
@tokenizer_option
@json_option
def command(**given: Any) -> None:
    """Show what the session in FILE holds.

    Tokens by role, kind and tool; tool output, and how much of it is waste (said twice, or overtaken by a
    change); the file trail; and what holds at the end: requests, rules, decisions, tests, errors, tasks.
    The sessions of a file that holds several are listed.
    """
    work("show:run", given)
