"""Options of judging, shared by `tamis eval` and `tamis score`."""

from collections.abc import Callable
from typing import Any, Literal, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


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


_OPTIONS = (
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


def judging_options(command: F) -> F:
    """`--judge`, `--repeats`, `--calibration`, `--rubric`, `--concurrency` and `--max-cost`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
