"""`tamis bench`: seeded cases, true drift, a board that is hard to game."""

from __future__ import annotations

import click

from tamis.cli.bench.cases import cases, estimate, templates
from tamis.cli.bench.hidden import reveal, seal
from tamis.cli.bench.ranking import rank, score
from tamis.cli.bench.running import run


@click.group("bench", short_help="Benchmark methods on made-up sessions: cases, drift, a board.")
def command() -> None:
    """Benchmark compaction methods on seeded, made-up sessions of any length."""


for _part in (templates, cases, run, score, rank, estimate, seal, reveal):
    command.add_command(_part)
