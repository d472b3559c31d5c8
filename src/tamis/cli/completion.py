"""`tamis completion`: the script that makes a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion", short_help="Print the shell's completion script.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for bash, zsh or fish.

    \b
    bash:  eval "$(tamis completion bash)"      in ~/.bashrc
    zsh:   eval "$(tamis completion zsh)"       in ~/.zshrc
    fish:  tamis completion fish | source       in ~/.config/fish/config.fish
    """  # noqa: D301 - click wants the character itself
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(click.get_current_context().find_root().command, {}, "tamis", "_TAMIS_COMPLETE").source())
