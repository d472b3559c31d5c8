"""`tamis wrap`: put tamis into a coding agent, so that it compacts with tamis."""

from __future__ import annotations

from pathlib import Path

import click

from tamis.integrations.agents import AGENTS, Agent


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
    def wrap(user: bool, folder: Path | None, archive: Path | None, yes: bool) -> None:
        place = folder or agent.place(user=user)
        _wrap(agent, place, archive or agent.archive(place), yes=yes)

    return wrap


def _wrap(agent: Agent, place: Path, archive: Path, *, yes: bool) -> None:
    from tamis.integrations.agent_wrap import plan_wrap, put

    planned = plan_wrap(agent, place, archive)
    if planned is None:
        click.echo(f"{place} has tamis already; `tamis unwrap {agent.name}` takes it out")
        return
    click.echo(planned.diff, nl=False)
    if not yes:
        click.confirm("Write this?", abort=True)
    put(planned)
    click.echo(f"{agent.title} is wrapped in {place}; {agent.then}. `tamis doctor` tries it")


for _agent in AGENTS.values():
    command.add_command(_command_for(_agent))
