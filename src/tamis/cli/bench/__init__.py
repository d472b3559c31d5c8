"""`tamis bench`: seeded cases, true drift, a board that is hard to game."""

import click

from tamis.cli.bench.cases import cases, estimate, reveal, seal, templates
from tamis.cli.bench.running import rank, run, score
from tamis.cli.lazy import Group


@click.group("bench", cls=Group)
def command() -> None:
    """Benchmark compaction methods on seeded, made-up sessions of any length."""


for _part in (templates, cases, run, score, rank, estimate, seal, reveal):
    command.add_command(_part)
