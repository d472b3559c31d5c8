"""The work of `tamis uninstall`: show the change to an agent's settings, and make it."""

from __future__ import annotations

import click

from tamis.integrations.agent_settings import plan_uninstall, uninstall
from tamis.integrations.agents import Agent


def run(agent: Agent, settings: str, only_ours: bool, yes: bool) -> None:
    """What `tamis uninstall AGENT` does."""
    change = plan_uninstall(agent, settings, only_ours=only_ours)
    click.echo(change.diff, nl=False)
    if not yes:
        click.confirm("Write this?", abort=True)
    uninstall(change)
    click.echo(f"{settings} is {'gone, as it was' if change.after is None else 'written'}")
