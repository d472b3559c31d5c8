"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from tamis.cli.lazy import work

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")


def complete_method(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The names of methods, for the shell's completion."""
    names: list[str] = work("completions:methods", {"incomplete": incomplete})
    return names


def complete_format(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The names of formats, for the shell's completion."""
    names: list[str] = work("completions:formats", {"incomplete": incomplete})
    return names


def session_options(command: F) -> F:
    """`--format` and `--session`: how to read the file, and which of its sessions is meant."""
    command = click.option(
        "--session",
        "session_id",
        metavar="ID",
        help="Which session, where the file holds several: id or number.",
    )(command)
    return click.option(
        "--format",
        "input_format",
        metavar="FORMAT",
        help="The file's format, if not by its content.",
        shell_complete=complete_format,
    )(command)


def tokenizer_option(command: F) -> F:
    """`--tokenizer`: what counts as a token."""
    return click.option(
        "--tokenizer",
        default="o200k_base",
        show_default=True,
        metavar="NAME",
        help="o200k_base, cl100k_base, or estimate.",
    )(command)
