"""Options that several commands share."""

from collections.abc import Callable
from typing import Any, Literal, TypeVar

import click

from tamis.cli.lazy import work

F = TypeVar("F", bound=Callable[..., Any])


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one, in the order in which help lists them."""

    def put(command: F) -> F:
        for option in reversed(options):
            command = option(command)
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


def method_option(*names: str, **more: Any) -> Callable[[F], F]:
    """`-m`, `--method`, or an option of other names that takes one: the shell completes it."""
    names = names or ("-m", "--method")
    return click.option(*names, metavar="METHOD", shell_complete=complete_method, **more)


def output_option(metavar: str, says: str, **more: Any) -> Callable[[F], F]:
    """`-o`, `--output`: what is written, and where."""
    return click.option("-o", "--output", metavar=metavar, type=click.Path(), help=says, **more)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
tokenizer_option = click.option(
    "--tokenizer", default="o200k_base", metavar="NAME", help="o200k_base, cl100k_base, or estimate."
)
session_options = together(
    click.option(
        "--format",
        "input_format",
        metavar="FORMAT",
        help="The file's format, if not by its content.",
        shell_complete=complete_format,
    ),
    click.option(
        "--session",
        "session_id",
        metavar="ID",
        help="Which session, where the file holds several: id or number.",
    ),
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
    click.option(
        "--judge",
        "judges",
        multiple=True,
        default=("offline",),
        metavar="MODEL",
        help="Who judges the answers: offline needs no model; repeat for more.",
    ),
    click.option("--repeats", default=1, metavar="N", help="How often a model judges each answer."),
    click.option(
        "--calibration",
        type=AnswerCount(),
        help="How many answers of known worth a model judges first  [default: all; 24 for gguf:FILE]",
    ),
    click.option("--rubric", metavar="FILE", type=click.Path(), help="Judge by this rubric (TOML or JSON)."),
    click.option(
        "--concurrency", default=8, metavar="N", help="How many questions one provider is asked at a time."
    ),
    click.option(
        "--max-cost",
        "max_cost_usd",
        type=float,
        metavar="USD",
        help="Ask models for no more than this; what is done is kept.",
    ),
)
