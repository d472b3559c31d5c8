"""`tamis unwrap`: take tamis out of a coding agent, and give every byte back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tamis.cli.lazy import work
from tamis.integrations.agents.known import AGENTS, Agent


@click.group("unwrap", short_help="Take tamis out of a coding agent.")
def command() -> None:
    """Take tamis out of a coding agent. What is archived stays."""


def _command_for(agent: Agent) -> click.Command:
    what = f"Give {agent.title}'s folder back byte for byte as it was before `tamis wrap {agent.name}`."

    @click.command(agent.name, help=what)
    @click.option("--user", is_flag=True, help=f"For all your projects: {agent.home}.")
    @click.option(
        "--folder",
        metavar="FOLDER",
        type=click.Path(path_type=Path),
        help=f"The agent's folder.  [default: {agent.folder}]",
    )
    @click.option("--only-ours", is_flag=True, help="Take tamis's part out of what was changed since.")
    @click.option("-y", "--yes", is_flag=True, help="Do not ask.")
    def unwrap(**given: Any) -> None:
        work("unwrap:run", {"agent": agent, **given})

    return unwrap


for _agent in AGENTS.values():
    command.add_command(_command_for(_agent))
