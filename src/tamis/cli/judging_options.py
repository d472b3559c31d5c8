"""The options of those who judge: `tamis eval` and `tamis score` share them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--judge",
        "judges",
        multiple=True,
        default=("offline",),
        show_default=True,
        metavar="MODEL",
        help="Who judges the answers: offline needs no model; repeat for more.",
    ),
    click.option(
        "--repeats",
        default=1,
        show_default=True,
        metavar="N",
        help="How often a model judges each answer, each time afresh.",
    ),
    click.option("--rubric", metavar="FILE", type=click.Path(), help="Judge by this rubric (TOML or JSON)."),
    click.option(
        "--concurrency",
        default=8,
        show_default=True,
        metavar="N",
        help="How many questions one provider is asked at a time.",
    ),
    click.option(
        "--max-cost",
        "max_cost_usd",
        type=float,
        metavar="USD",
        help="Ask models for no more than this; what is done is kept, and can be gone on from.",
    ),
)


def judging_options(command: F) -> F:
    """`--judge`, `--repeats`, `--rubric`, `--concurrency` and `--max-cost`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
