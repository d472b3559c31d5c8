"""Hidden cases: sealed before anybody is measured, revealed afterwards."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.bench.options import suite_option
from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command()
@suite_option
@click.option(
    "-o", "--output", required=True, metavar="FILE", type=click.Path(), help="The seal, to publish."
)
@click.option("--secret", required=True, metavar="FILE", type=click.Path(), help="The secret, to keep.")
@json_option
def seal(**given: Any) -> None:
    """Draw a hidden seed group, and publish a hash of it before anybody is measured.

    \b
    tamis bench seal -o autumn.seal --secret autumn.secret
    tamis bench run --secret autumn.secret -m ledger -o runs/hidden.jsonl
    """  # noqa: D301 - click wants the character itself
    work("bench.hidden:seal", given)


@click.command()
@click.argument("sealed", metavar="SEAL", type=click.Path())
@click.argument("secret", metavar="SECRET", type=click.Path())
@json_option
def reveal(**given: Any) -> None:
    """Check that a SECRET is the one that a SEAL was made from, and say its seed group.

    \b
    tamis bench reveal autumn.seal autumn.secret
    """  # noqa: D301 - click wants the character itself
    work("bench.hidden:reveal", given)
