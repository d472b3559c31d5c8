"""`tamis wrap`: put tamis into a coding agent, so that it compacts with tamis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tamis.cli.lazy import work
from tamis.integrations.agents.known import AGENTS, Agent


@click.group("wrap", short_help="Put tamis into a coding agent.")
def command() -> None:
    """Put tamis into a coding agent. The change is shown first; `tamis unwrap` takes it back."""


def _command_for(agent: Agent) -> click.Command:
    what = (
        f"Have {agent.title} compact with tamis, and keep all that is taken out."
        if agent.replaces
        else f"Have {agent.title} keep what it compacts"
        + (", and be told what its summary left out." if len(agent.events) > 1 else ", and recall it.")
    )

    @click.command(agent.name, help=what)
    @click.option("--user", is_flag=True, help=f"For all your projects: {agent.home}.")
    @click.option(
        "--folder",
        metavar="FOLDER",
        type=click.Path(path_type=Path),
        help=f"The agent's folder.  [default: {agent.folder}]",
    )
    @click.option(
        "--archive",
        metavar="ARCHIVE",
        type=click.Path(path_type=Path),
        help="Where what is taken out is kept.  [default: tamis.archive in the folder]",
    )
    @click.option("-y", "--yes", is_flag=True, help="Do not ask.")
    def wrap(**given: Any) -> None:
        work("wrap:run", {"agent": agent, **given})

    return wrap


for _agent in AGENTS.values():
    command.add_command(_command_for(_agent))
