"""The work of `tamis install`: show the change to an agent's settings, and make it."""

from __future__ import annotations

import click

from tamis.integrations.agent_settings import install, plan_install
from tamis.integrations.agents import Agent


def run(agent: Agent, settings: str, archive: str, yes: bool) -> None:
    """What `tamis install AGENT` does."""
    change = plan_install(agent, settings, archive)
    if change is None:
        click.echo(f"{settings} has tamis's hooks already; `tamis uninstall {agent.name}` takes them out")
        return
    click.echo(change.diff, nl=False)
    if not yes:
        click.confirm("Write this?", abort=True)
    install(change)
    click.echo(f"written to {settings}; {agent.then}")
