"""The work of `tamis wrap`: show what changes in an agent's folder, and make the change."""

from __future__ import annotations

from pathlib import Path

import click

from tamis.integrations.agents.known import Agent
from tamis.integrations.agents.wrap import plan_wrap, put


def run(agent: Agent, user: bool, folder: Path | None, archive: Path | None, yes: bool) -> None:
    """What `tamis wrap AGENT` does."""
    place = folder or agent.place(user=user)
    planned = plan_wrap(agent, place, archive or agent.archive(place))
    if planned is None:
        click.echo(f"{place} has tamis already; `tamis unwrap {agent.name}` takes it out")
        return
    click.echo(planned.diff, nl=False)
    if not yes:
        click.confirm("Write this?", abort=True)
    put(planned)
    click.echo(f"{agent.title} is wrapped in {place}; {agent.then}. `tamis doctor` tries it")
