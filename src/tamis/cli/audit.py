"""`tamis audit`: a look at the sessions that are on this machine."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option, output_option


@click.command("audit")
@click.argument("folders", metavar="[FOLDER]...", nargs=-1, type=click.Path())
@click.option(
    "--path",
    "paths",
    metavar="FOLDER",
    multiple=True,
    type=click.Path(),
    help="Sessions there, too; may be repeated.",
)
@click.option(
    "--within", metavar="SECONDS", type=click.FloatRange(min=1), default=40, help="How long it may take."
)
@click.option("--all", "everything", is_flag=True, help="Read everything, however long it takes.")
@click.option(
    "-j", "--jobs", metavar="N", type=click.IntRange(min=1), help="Processes  [default: one a core]"
)
@output_option("FILE", "Write it as an HTML page, too.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@json_option
def command(**given: Any) -> None:
    """Find the sessions of coding agents on this machine, and see what their compactions lost.

    Claude Code, Codex, Gemini CLI, OpenCode, Copilot CLI, Cline, Roo Code, pi, aider, Goose and others are
    looked for; where a FOLDER is named, only what is in it. Nothing is written but the page that -o names,
    and nothing is sent.
    """
    work("audit:run", given)
