"""`tamis install`: put tamis's hooks into a coding agent's settings, after showing the change."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.integrations.agents import AGENTS, Agent


@click.group("install", short_help="Put tamis's hooks into a coding agent's settings.")
def command() -> None:
    """Hook tamis into a coding agent. The change is shown first; `tamis uninstall` takes it back."""


def _command_for(agent: Agent) -> click.Command:
    @click.command(agent.name, help=agent.purpose)
    @click.option(
        "--settings",
        default=agent.settings,
        show_default=True,
        metavar="FILE",
        type=click.Path(),
        help="The settings to put the hooks into.",
    )
    @click.option(
        "--archive",
        default=agent.archive,
        show_default=True,
        metavar="ARCHIVE",
        type=click.Path(),
        help="Where the hooks keep what is taken out.",
    )
    @click.option("-y", "--yes", is_flag=True, help="Do not ask.")
    def install(**given: Any) -> None:
        work("install:run", {"agent": agent, **given})

    return install


for _agent in AGENTS.values():
    command.add_command(_command_for(_agent))
