"""`tamis install`: put tamis's hooks into a coding agent's settings, after showing the change."""

from __future__ import annotations

import click

from tamis.integrations.agent_settings import AGENTS, Agent


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
    def install(settings: str, archive: str, yes: bool) -> None:
        _install(agent, settings, archive, yes=yes)

    return install


def _install(agent: Agent, settings: str, archive: str, *, yes: bool) -> None:
    from tamis.integrations.agent_settings import install, plan_install

    change = plan_install(agent, settings, archive)
    if change is None:
        click.echo(f"{settings} has tamis's hooks already; `tamis uninstall {agent.name}` takes them out")
        return
    click.echo(change.diff, nl=False)
    if not yes:
        click.confirm("Write this?", abort=True)
    install(change)
    click.echo(f"written to {settings}; {agent.then}")


for _agent in AGENTS.values():
    command.add_command(_command_for(_agent))
