"""`tamis audit` and `show`: a look at the sessions of this machine, and into one of them."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import FILE, json_option, option, output_option, session_options, tokenizer_option


@click.command("audit")
@click.argument("folders", metavar="[FOLDER]...", nargs=-1, type=FILE)
@option("--path paths", "Sessions there, too; may be repeated.", "FOLDER", multiple=True, type=FILE)
@option("--within", "How long it may take.", "SECONDS", type=click.FloatRange(min=1), default=40)
@option("--all everything", "Read everything, however long it takes.", is_flag=True)
@option("-j --jobs", "Processes  [default: one a core]", "N", type=click.IntRange(min=1))
@output_option("FILE", "Write it as an HTML page, too.")
@option("--force", "Overwrite FILE if it exists.", is_flag=True)
@json_option
def audit(**given: Any) -> None:
    """Find the sessions of coding agents on this machine, and see what their compactions lost.

    Claude Code, Codex, Gemini CLI, OpenCode, Copilot CLI, Cline, Roo Code, pi, aider, Goose and others are
    looked for; where a FOLDER is named, only what is in it. Nothing is written but the page that -o names,
    and nothing is sent.
    """
    work("audit:run", given)


@click.command("show")
@click.argument("file", metavar="FILE", type=FILE)
@session_options
@tokenizer_option
@json_option
def show(**given: Any) -> None:
    """Show what the session in FILE holds.

    Tokens by role, kind and tool; tool output, and how much of it is waste (said twice, or overtaken by a
    change); the file trail; and what holds at the end: requests, rules, decisions, tests, errors, tasks.
    The sessions of a file that holds several are listed.
    """
    work("show:run", given)
