"""Templates of a suite, its cases, an estimate of running them, and hidden cases."""

from typing import Any

import click

from tamis.cli.bench.options import case_options, suite_option
from tamis.cli.lazy import work
from tamis.cli.options import json_option, output_option


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
@output_option("FOLDER", "Write the transcripts there as sessions.")
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


@click.command()
@suite_option
@output_option("FILE", "The seal, to publish.", required=True)
@click.option("--secret", required=True, metavar="FILE", type=click.Path(), help="The secret, to keep.")
@json_option
def seal(**given: Any) -> None:
    """Draw a hidden seed group, and publish a hash of it before anybody is measured.

    \b
    tamis bench seal -o autumn.seal --secret autumn.secret
    tamis bench run --secret autumn.secret -m ledger -o runs/hidden.jsonl
    """  # noqa: D301 - click wants the character itself
    work("bench.cases:seal", given)


@click.command()
@click.argument("sealed", metavar="SEAL", type=click.Path())
@click.argument("secret", metavar="SECRET", type=click.Path())
@json_option
def reveal(**given: Any) -> None:
    """Check that a SECRET is the one that a SEAL was made from, and say its seed group.

    \b
    tamis bench reveal autumn.seal autumn.secret
    """  # noqa: D301 - click wants the character itself
    work("bench.cases:reveal", given)
