"""The work of `tamis unwrap`: give an agent's folder back as it was."""

from __future__ import annotations

from pathlib import Path

import click

from tamis.integrations.agents.known import Agent
from tamis.integrations.agents.wrap import plan_unwrap, take_out


def run(agent: Agent, user: bool, folder: Path | None, only_ours: bool, yes: bool) -> None:
    """What `tamis unwrap AGENT` does."""
    place = folder or agent.place(user=user)
    planned = plan_unwrap(agent, place, only_ours=only_ours)
    click.echo(planned.diff, nl=False)
    if not yes:
        click.confirm("Write this?", abort=True)
    take_out(planned)
    left = "; what was archived stays" if agent.archive(place).exists() else ""
    click.echo(f"{place} is as it was{left}")
