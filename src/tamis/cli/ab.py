"""`tamis ab`: try a command with and without compression, and say what the difference is."""

from pathlib import Path
from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import complete_method, json_option, tokenizer_option


@click.command("ab", context_settings={"allow_interspersed_args": False})
@click.argument("command_line", metavar="[-- COMMAND...]", nargs=-1, type=click.UNPROCESSED)
@click.option("--runs", default=5, type=int, help="Pairs of trials.")
@click.option(
    "-o",
    "--output",
    default="runs/ab",
    type=click.Path(path_type=Path),
    help="Where it is kept; what was run there is not run again.",
)
@click.option("--upstream", metavar="URL", help="The command's API: a proxy is put before it, in both arms.")
@click.option("--window", type=int, help="As for tamis proxy.  [default: 200000; 2400 with --tickets]")
@click.option("-b", "--budget", help="As for tamis proxy.  [default: 5%; 500 with --tickets]")
@click.option("--trigger", default=0.8, help="As for tamis proxy.")
@click.option("--keep-last", default="10%", help="As for tamis proxy.")
@click.option(
    "-m",
    "--method",
    "methods",
    multiple=True,
    shell_complete=complete_method,
    help="With --tickets more than one may be given.  [default: ledger]",
)
@tokenizer_option
@click.option("--log", "logs", multiple=True, metavar="GLOB", help="Session files that the command writes.")
@click.option(
    "--success",
    metavar="SHELL",
    default="",
    show_default=False,
    help="Exits with 0 where a trial has succeeded.",
)
@click.option(
    "--before", metavar="SHELL", default="", show_default=False, help="Puts things back before each trial."
)
@click.option("--timeout", default=3600.0, help="Seconds that a trial may take.")
@click.option("--seed", default=0, type=int, help="Of the order within each pair.")
@click.option("--tickets", type=int, metavar="N", help="No COMMAND: N made-up tasks with every method.")
@click.option("--model", default="scripted", help="Who works on tickets.")
@click.option("--hostile", is_flag=True, help="Tickets with forged notices in files and test output.")
@json_option
def command(**given: Any) -> None:
    """Run COMMAND in pairs of trials, one with compression and one without, and compare them.

    With --upstream, each trial has a proxy of its own, which the command finds in OPENAI_BASE_URL and
    ANTHROPIC_BASE_URL. TAMIS_MODE (and TAMIS_MEMORY_MODE) is `active` or `off`, TAMIS_AB_PAIR the number of
    the pair, TAMIS_AB_DIR the trial's folder, {dir} in a GLOB. A trial has succeeded if the command, or
    --success, exits with 0.

    Without a COMMAND, what --output holds is shown. The same command goes on where it was stopped.

    With --tickets, tamis's own agent works on made-up bugs in a small window, as a script unless told.

    \b
    tamis ab --upstream https://api.openai.com --window 128000 -- python agent.py
    tamis ab --tickets 20
    tamis ab --tickets 20 --model openai:gpt-5-mini -m ledger -m regenerative
    """  # noqa: D301 - click's mark
    work("ab:run", given)
