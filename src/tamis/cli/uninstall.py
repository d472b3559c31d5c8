"""`tamis uninstall`: give a coding agent's settings back as they were."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.integrations.agents import AGENTS, Agent


@click.group("uninstall", short_help="Give a coding agent's settings back as they were.")
def command() -> None:
    """Take tamis's hooks out of a coding agent's settings. What is archived stays."""


def _command_for(agent: Agent) -> click.Command:
    what = (
        f"Give {agent.title}'s settings back byte for byte as they were before `tamis install {agent.name}`."
    )

    @click.command(agent.name, help=what)
    @click.option(
        "--settings",
        default=agent.settings,
        show_default=True,
        metavar="FILE",
        type=click.Path(),
        help="The settings that have the hooks.",
    )
    @click.option(
        "--only-ours", is_flag=True, help="Take out tamis's entries and leave the rest as it is now."
    )
    @click.option("-y", "--yes", is_flag=True, help="Do not ask.")
    def uninstall(**given: Any) -> None:
        work("uninstall:run", {"agent": agent, **given})

    return uninstall


for _agent in AGENTS.values():
    command.add_command(_command_for(_agent))
