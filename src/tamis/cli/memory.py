"""`tamis memory`: layered memory beside recorded sessions."""

from typing import Any

import click

from tamis.cli.lazy import Group, work
from tamis.cli.options import FILE, json_option, option, session_options

config_option = option(
    "--config",
    "Settings in YAML; variables TAMIS_MEMORY_... override them.",
    "FILE",
    type=click.Path(dir_okay=False),
)


@click.group("memory", cls=Group)
def command() -> None:
    """Layered memory for agent loops: task, earlier iterations, patterns and skills within a limit."""


@command.command("shadow", short_help="Run beside recorded sessions: savings, latency, regret.")
@click.argument("sessions", metavar="SESSIONS...", nargs=-1, required=True, type=click.Path(exists=True))
@option("--max-sessions", "Read at most N sessions.", "N", type=click.IntRange(min=1))
@config_option
@json_option
def shadow(**given: Any) -> None:
    """Say what memory would have saved in SESSIONS, how long it takes, and what would have been missed.

    Each session is cut into iterations; what the agent went on to use tells what it would have missed.
    Nothing is changed and no model is asked.
    """
    work("memory:shadow", given)


@command.command("brief", short_help="Print what memory would say to the agent now.")
@click.argument("session", metavar="SESSION", type=FILE)
@option("--task", "What comes next; else what the user last asked.", "TEXT")
@option("--no-compression", "Print the uncompressed context.", is_flag=True)
@session_options
@config_option
def brief(**given: Any) -> None:
    """Read SESSION as a loop that is still going on, and print the task and the memory of what came before.

    Where the mode does not apply compression, the uncompressed context is printed and stderr says why.
    """
    work("memory:brief", given)


@command.command("settings", short_help="Print all settings as they hold, as a file to begin with.")
@config_option
def settings_(**given: Any) -> None:
    """Print every setting with its meaning: the defaults, changed by the file and by variables."""
    work("memory:settings", given)
