"""Templates of a suite, its cases, and an estimate of running them."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.bench.options import case_options, suite_option
from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command()
@suite_option
@click.option("--schema", is_flag=True, help="Print the JSON schema of a template file.")
@json_option
def templates(**given: Any) -> None:
    """List the templates of a suite, or check a folder of your own.

    \b
    tamis bench templates
    tamis bench templates --suite my-suite/
    """  # noqa: D301 - click wants the character itself
    work("bench.cases:templates", given)


@click.command()
@case_options
@click.option("--template", "key", metavar="KEY", help="Only this template's cases.")
@click.option(
    "-o", "--output", metavar="FOLDER", type=click.Path(), help="Write the transcripts there as sessions."
)
@json_option
def cases(**given: Any) -> None:
    """Show the cases: their questions and what is expected. With -o, write the transcripts as sessions.

    \b
    tamis bench cases --template bc_release_day --slots 1
    tamis bench cases --per-family 1 --length 20000 -o cases/
    """  # noqa: D301 - click wants the character itself
    work("bench.cases:cases", given)


@click.command()
@case_options
@json_option
def estimate(**given: Any) -> None:
    """Count what a run would take, before it is begun: compactions, questions, tokens.

    \b
    tamis bench estimate --per-family 1 --slots 1 --length 1000
    """  # noqa: D301 - click wants the character itself
    work("bench.cases:estimate", given)
