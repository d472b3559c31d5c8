"""`tamis methods`, `formats` and `completion`: what can be named."""

from typing import Any

import click
from click.shell_completion import get_completion_class

from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command("methods")
@json_option
def methods(**given: Any) -> None:
    """List the compaction methods: of tamis, of other libraries, and those that installed packages add.

    Where MODEL stands, name a model: openai:NAME, anthropic:NAME, http://host:port, or gguf:FILE.
    Anything else can be named as package.module:Class, path/to/file.py:Class, or exec:COMMAND.
    """
    work("lists:methods", given)


@click.command("formats")
@json_option
def formats(**given: Any) -> None:
    """List the session formats. A file's format is found by its content, plain, .gz or .xz."""
    work("lists:formats", given)


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for bash, zsh or fish.

    \b
    bash:  eval "$(tamis completion bash)"      in ~/.bashrc
    zsh:   eval "$(tamis completion zsh)"       in ~/.zshrc
    fish:  tamis completion fish | source       in ~/.config/fish/config.fish
    """  # noqa: D301 - click wants the character itself
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(click.get_current_context().find_root().command, {}, "tamis", "_TAMIS_COMPLETE").source())
