"""`tamis install`: put tamis's hooks into a coding agent's settings, after showing the change."""

from __future__ import annotations

import click

from tamis.integrations.claude_code_settings import DEFAULT_ARCHIVE, DEFAULT_SETTINGS


@click.group("install", short_help="Put tamis's hooks into a coding agent's settings.")
def command() -> None:
    """Hook tamis into a coding agent. The change is shown first; `tamis uninstall` takes it back."""


@command.command("claude-code")
@click.option(
    "--settings",
    default=DEFAULT_SETTINGS,
    show_default=True,
    metavar="FILE",
    type=click.Path(),
    help="The settings to put the hooks into.",
)
@click.option(
    "--archive",
    default=DEFAULT_ARCHIVE,
    show_default=True,
    metavar="ARCHIVE",
    type=click.Path(),
    help="Where the hooks keep what is taken out.",
)
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
def claude_code(settings: str, archive: str, yes: bool) -> None:
    """Have Claude Code keep what it compacts, and be told what its summary left out."""
    from tamis.integrations.claude_code_settings import install, plan_install

    change = plan_install(settings, archive)
    if change is None:
        click.echo(f"{settings} has tamis's hooks already; `tamis uninstall claude-code` takes them out")
        return
    click.echo(change.diff, nl=False)
    if not yes:
        click.confirm("Write this?", abort=True)
    install(change)
    click.echo(f"written to {settings}; Claude Code reads it when it starts")
