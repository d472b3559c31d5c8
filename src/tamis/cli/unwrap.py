"""`tamis unwrap`: take tamis out of a coding agent, and give every byte back."""

from __future__ import annotations

from pathlib import Path

import click

from tamis.integrations.agents import AGENTS, Agent


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
    def unwrap(user: bool, folder: Path | None, only_ours: bool, yes: bool) -> None:
        _unwrap(agent, folder or agent.place(user=user), only_ours=only_ours, yes=yes)

    return unwrap


def _unwrap(agent: Agent, place: Path, *, only_ours: bool, yes: bool) -> None:
    from tamis.integrations.agent_wrap import plan_unwrap, take_out

    planned = plan_unwrap(agent, place, only_ours=only_ours)
    click.echo(planned.diff, nl=False)
    if not yes:
        click.confirm("Write this?", abort=True)
    take_out(planned)
    left = "; what was archived stays" if agent.archive(place).exists() else ""
    click.echo(f"{place} is as it was{left}")


for _agent in AGENTS.values():
    command.add_command(_command_for(_agent))
