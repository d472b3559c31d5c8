"""`tamis ab`: try a command with and without compression, and say what the difference is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import complete_method, json_option, tokenizer_option


@click.command(
    "ab",
    short_help="Try a command with and without compression.",
    context_settings={"allow_interspersed_args": False},
)
@click.argument("command_line", metavar="[-- COMMAND...]", nargs=-1, type=click.UNPROCESSED)
@click.option("--runs", default=5, show_default=True, type=int, help="Pairs of trials.")
@click.option(
    "-o",
    "--output",
    default="runs/ab",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Where it is kept; what was run there is not run again.",
)
@click.option("--upstream", metavar="URL", help="The command's API: a proxy is put before it, in both arms.")
@click.option("--window", default=200_000, show_default=True, type=int, help="As for tamis proxy.")
@click.option("-b", "--budget", default="5%", show_default=True, help="As for tamis proxy.")
@click.option("--trigger", default=0.8, show_default=True, help="As for tamis proxy.")
@click.option("--keep-last", default="10%", show_default=True, help="As for tamis proxy.")
@click.option("-m", "--method", default="ledger", show_default=True, shell_complete=complete_method)
@tokenizer_option
@click.option("--log", "logs", multiple=True, metavar="GLOB", help="Session files that the command writes.")
@click.option("--success", metavar="SHELL", default="", help="Exits with 0 where a trial has succeeded.")
@click.option("--before", metavar="SHELL", default="", help="Puts things back before each trial.")
@click.option("--timeout", default=3600.0, show_default=True, help="Seconds that a trial may take.")
@click.option("--seed", default=0, show_default=True, type=int, help="Of the order within each pair.")
@json_option
def command(**given: Any) -> None:
    r"""Run COMMAND in pairs of trials, one with compression and one without, and compare them.

    With --upstream, each trial has a proxy of its own, and the command finds it in OPENAI_BASE_URL and
    ANTHROPIC_BASE_URL; without compression it passes everything on. TAMIS_MODE (and TAMIS_MEMORY_MODE) is
    `active` or `off`, TAMIS_AB_PAIR the number of the pair, TAMIS_AB_DIR the trial's folder, which a GLOB may
    name as {dir}. A trial has succeeded if the command exits with 0, or --success does.

    Without a COMMAND, what --output holds is shown. Interrupted, it goes on where it was when the same is
    given again; more --runs may be given then.

    \b
    tamis ab --runs 5 --upstream https://api.openai.com --window 128000 -- python agent.py
    """
    work("ab:run", given)
