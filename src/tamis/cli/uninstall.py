"""`tamis uninstall`: give a coding agent's settings back as they were."""

from __future__ import annotations

import click

from tamis.integrations.claude_code_settings import DEFAULT_SETTINGS


@click.group("uninstall", short_help="Give a coding agent's settings back as they were.")
def command() -> None:
    """Take tamis's hooks out of a coding agent's settings. What is archived stays."""


@command.command("claude-code")
@click.option(
    "--settings",
    default=DEFAULT_SETTINGS,
    show_default=True,
    metavar="FILE",
    type=click.Path(),
    help="The settings that have the hooks.",
)
@click.option("--only-ours", is_flag=True, help="Take out tamis's entries and leave the rest as it is now.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
def claude_code(settings: str, only_ours: bool, yes: bool) -> None:
    """Give Claude Code's settings back byte for byte as they were before `tamis install claude-code`."""
    from tamis.integrations.claude_code_settings import plan_uninstall, uninstall

    change = plan_uninstall(settings, only_ours=only_ours)
    click.echo(change.diff, nl=False)
    if not yes:
        click.confirm("Write this?", abort=True)
    uninstall(change)
    click.echo(f"{settings} is {'gone, as it was' if change.after is None else 'written'}")
