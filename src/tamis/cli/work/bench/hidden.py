"""Hidden cases: sealed before anybody is measured, revealed afterwards."""

from __future__ import annotations

from pathlib import Path

import click

from tamis.bench.seal import make_secret, seal_of, write_new
from tamis.bench.seal import reveal as open_seal
from tamis.bench.suite import load_suite
from tamis.cli.work.output import print_json


def seal(suite_name: str, output: str, secret: str, as_json: bool) -> None:
    """What `tamis bench seal` does."""
    made = make_secret(load_suite(suite_name))
    write_new(Path(secret), made, private=True)
    write_new(Path(output), seal_of(made), private=False)
    if as_json:
        print_json(seal_of(made))
        return
    click.echo(f"{made.hash}\npublish {output}, keep {secret}; run with: tamis bench run --secret {secret}")


def reveal(sealed: str, secret: str, as_json: bool) -> None:
    """What `tamis bench reveal` does."""
    opened = open_seal(Path(sealed), Path(secret))
    if as_json:
        print_json(opened)
        return
    click.echo(f"{opened.hash} holds\nsuite {opened.suite}\nseed group {opened.seed_group}")
