"""Hidden cases: sealed before anybody is measured, revealed afterwards."""

from __future__ import annotations

from pathlib import Path

import click

from tamis.cli.bench.options import suite_option
from tamis.cli.inputs import json_option
from tamis.cli.output import print_json


@click.command()
@suite_option
@click.option(
    "-o", "--output", required=True, metavar="FILE", type=click.Path(), help="The seal, to publish."
)
@click.option("--secret", required=True, metavar="FILE", type=click.Path(), help="The secret, to keep.")
@json_option
def seal(suite_name: str, output: str, secret: str, as_json: bool) -> None:
    """Draw a hidden seed group, and publish a hash of it before anybody is measured.

    \b
    tamis bench seal -o autumn.seal --secret autumn.secret
    tamis bench run --secret autumn.secret -m ledger -o runs/hidden.jsonl
    """  # noqa: D301 - click wants the character itself
    from tamis.bench.seal import make_secret, seal_of, write_new
    from tamis.bench.suite import load_suite

    made = make_secret(load_suite(suite_name))
    write_new(Path(secret), made, private=True)
    write_new(Path(output), seal_of(made), private=False)
    if as_json:
        print_json(seal_of(made))
        return
    click.echo(f"{made.hash}\npublish {output}, keep {secret}; run with: tamis bench run --secret {secret}")


@click.command()
@click.argument("sealed", metavar="SEAL", type=click.Path())
@click.argument("secret", metavar="SECRET", type=click.Path())
@json_option
def reveal(sealed: str, secret: str, as_json: bool) -> None:
    """Check that a SECRET is the one that a SEAL was made from, and say its seed group.

    \b
    tamis bench reveal autumn.seal autumn.secret
    """  # noqa: D301 - click wants the character itself
    from tamis.bench.seal import reveal as open_seal

    opened = open_seal(Path(sealed), Path(secret))
    if as_json:
        print_json(opened)
        return
    click.echo(f"{opened.hash} holds\nsuite {opened.suite}\nseed group {opened.seed_group}")
