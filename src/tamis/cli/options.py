"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from tamis.cli.lazy import work

F = TypeVar("F", bound=Callable[..., Any])
FILE = click.Path()
PATH = click.Path(path_type=Path)


def option(names: str, says: str, metavar: str | None = None, **more: Any) -> Callable[[F], F]:
    """An option by its names with blanks between, its help, and what stands for its value."""
    return click.option(*names.split(), metavar=metavar, help=says, **more)


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one, in the order in which help lists them."""

    def put(command: F) -> F:
        for each in reversed(options):
            command = each(command)
        return command

    return put


def complete_method(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The names of methods, for the shell's completion."""
    names: list[str] = work("lists:method_names", {"incomplete": incomplete})
    return names


def complete_format(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The names of formats, for the shell's completion."""
    names: list[str] = work("lists:format_names", {"incomplete": incomplete})
    return names


def method_option(says: str, names: str = "-m --method", **more: Any) -> Callable[[F], F]:
    """An option that takes a method: the shell completes it."""
    return option(names, says, "METHOD", shell_complete=complete_method, **more)


def output_option(metavar: str, says: str, **more: Any) -> Callable[[F], F]:
    """`-o`, `--output`: what is written, and where."""
    return option("-o --output", says, metavar, type=FILE, **more)


json_option = option("--json as_json", "Print one JSON object instead.", is_flag=True)
tokenizer_option = option(
    "--tokenizer", "o200k_base, cl100k_base, or estimate.", "NAME", default="o200k_base"
)
session_options = together(
    option(
        "--format input_format",
        "The file's format, if not by its content.",
        "FORMAT",
        shell_complete=complete_format,
    ),
    option("--session session_id", "Which session, where the file holds several: id or number.", "ID"),
)
"""How to read the file, and which of its sessions is meant."""


class AnswerCount(click.ParamType[int | Literal["all"]]):
    """How many answers of known worth: a number, or all."""

    name = "N|all"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | Literal["all"]:
        """Two are the least: a right one and a wrong one."""
        if value == "all":
            return "all"
        try:
            many = int(value)
        except ValueError:
            many = 0
        if many < 2:
            self.fail(f"{value!r} is no number of answers; give 2 or more, or all", param, ctx)
        return many


judging_options = together(
    option(
        "--judge judges",
        "Who judges the answers: offline needs no model; repeat for more.",
        "MODEL",
        multiple=True,
        default=("offline",),
    ),
    option("--repeats", "How often a model judges each answer.", "N", default=1),
    option(
        "--calibration",
        "How many answers of known worth a model judges first  [default: all; 24 for gguf:FILE]",
        type=AnswerCount(),
    ),
    option("--rubric", "Judge by this rubric (TOML or JSON).", "FILE", type=FILE),
    option("--concurrency", "How many questions one provider is asked at a time.", "N", default=8),
    option(
        "--max-cost max_cost_usd",
        "Ask models for no more than this; what is done is kept.",
        "USD",
        type=float,
    ),
)
