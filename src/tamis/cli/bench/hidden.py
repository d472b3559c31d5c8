"""Hidden cases: sealed before anybody is measured, revealed afterwards."""

from __future__ import annotations

from pathlib import Path

import click

from tamis.cli.bench.options import suite_option


@click.command()
@suite_option
@click.option(
    "-o", "--output", required=True, metavar="FILE", type=click.Path(), help="The seal, to publish."
)
@click.option("--secret", required=True, metavar="FILE", type=click.Path(), help="The secret, to keep.")
def seal(suite_name: str, output: str, secret: str) -> None:
    """Draw a hidden seed group, and publish a hash of it before anybody is measured."""
    from tamis.bench.seal import make_secret, seal_of, write_new
    from tamis.bench.suite import load_suite

    made = make_secret(load_suite(suite_name))
    write_new(Path(secret), made, private=True)
    write_new(Path(output), seal_of(made), private=False)
    click.echo(f"{made.hash}\npublish {output}, keep {secret}; run with: tamis bench run --secret {secret}")


@click.command()
@click.argument("sealed", metavar="SEAL", type=click.Path())
@click.argument("secret", metavar="SECRET", type=click.Path())
def reveal(sealed: str, secret: str) -> None:
    """Check that a SECRET is the one that a SEAL was made from, and say its seed group."""
    from tamis.bench.seal import reveal as open_seal

    opened = open_seal(Path(sealed), Path(secret))
    click.echo(f"{opened.hash} holds\nsuite {opened.suite}\nseed group {opened.seed_group}")
