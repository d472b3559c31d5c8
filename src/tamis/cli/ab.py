"""`tamis ab`: try a command with and without compression, and say what the difference is."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import PATH, complete_method, json_option, option, tokenizer_option


@click.command("ab", context_settings={"allow_interspersed_args": False})
@click.argument("command_line", metavar="[-- COMMAND...]", nargs=-1, type=click.UNPROCESSED)
@option("--runs", "Pairs of trials.", default=5, type=int)
@option("-o --output", "Where it is kept; what was run there is not run again.", default="runs/ab", type=PATH)
@option("--upstream", "The command's API: a proxy is put before it, in both arms.", "URL")
@option("--window", "As for tamis proxy.  [default: 200000; 2400 with --tickets]", type=int)
@option("-b --budget", "As for tamis proxy.  [default: 5%; 500 with --tickets]")
@option("--trigger", "As for tamis proxy.", default=0.8)
@option("--keep-last", "As for tamis proxy.", default="10%")
@option(
    "-m --method methods",
    "With --tickets more than one may be given.  [default: ledger]",
    multiple=True,
    shell_complete=complete_method,
)
@tokenizer_option
@option("--log logs", "Session files that the command writes.", "GLOB", multiple=True)
@option("--success", "Exits with 0 where a trial has succeeded.", "SHELL", default="", show_default=False)
@option("--before", "Puts things back before each trial.", "SHELL", default="", show_default=False)
@option("--timeout", "Seconds that a trial may take.", default=3600.0)
@option("--seed", "Of the order within each pair.", default=0, type=int)
@option("--tickets", "No COMMAND: N made-up tasks with every method.", "N", type=int)
@option("--model", "Who works on tickets.", default="scripted")
@option("--hostile", "Tickets with forged notices in files and test output.", is_flag=True)
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
