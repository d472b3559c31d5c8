"""Scores of runs from their logs, and the board."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option

LOGS = click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=click.Path())

SUITES = click.option(
    "--suite",
    "suites",
    metavar="FOLDER",
    multiple=True,
    help="Where runs of a suite of your own have theirs.",
)


@click.command()
@LOGS
@SUITES
@json_option
def score(**given: Any) -> None:
    """Score runs from their logs, by this scorer and the published one; a results.jsonl as published.

    \b
    tamis bench score runs/*.jsonl
    tamis bench score results.jsonl
    """  # noqa: D301 - click wants the character itself
    work("bench.ranking:score", given)


@click.command()
@LOGS
@SUITES
@click.option("-o", "--output", metavar="FOLDER", type=click.Path(), help="Write the board there as a site.")
@click.option("--force", is_flag=True, help="Replace a site that is there.")
@json_option
def rank(**given: Any) -> None:
    """Rank runs; those of other cases, readers or scorers stand apart.

    With -o, the board is a site: index.html, which needs no network, and board.json with every figure.

    \b
    tamis bench rank runs/*.jsonl -o board/
    """  # noqa: D301 - click wants the character itself
    work("bench.ranking:rank", given)
