"""Running a method over a suite, scoring runs from their logs, and the board."""

from typing import Any

import click

from tamis.cli.bench.options import case_options
from tamis.cli.lazy import work
from tamis.cli.options import json_option, method_option, output_option


@click.command()
@case_options
@method_option(required=True, help="What to measure.")
@click.option("--reader", default="lexical", metavar="NAME", help="lexical, or a model's name.")
@output_option("FILE", "The run's log.", required=True)
@click.option("--resume", is_flag=True, help="Go on with a log that is there.")
@click.option("--retry-missing", is_flag=True, help="Resume, and ask again what the reader did not answer.")
@click.option("--timeout", "timeout_s", default=60.0, help="Seconds for one compaction.")
@click.option(
    "--compat", is_flag=True, help="Run as CompactBench's own program does; writes its results.jsonl."
)
@click.option(
    "--words", metavar="FOLDER", type=click.Path(), help="With --compat: where CompactBench is installed."
)
@click.option(
    "--seeds",
    default="template",
    type=click.Choice(["template", "suite"]),
    help="With --compat: what seeds are derived from; suite is release 0.1.0.",
)
@json_option
def run(**given: Any) -> None:
    """Run a method over a suite: compact, ask, go on, compact again.

    METHOD is a name from `tamis methods`, package.module:Class, path/to/file.py:Class, or exec:COMMAND. What
    is not tamis's own runs in a process of its own, with limits and without your keys.

    \b
    tamis bench run -m ledger -o runs/ledger.jsonl
    tamis bench run -m ./mine.py:Mine --tier aggressive -o runs/mine.jsonl
    tamis bench run -m mask --reader gguf:model.gguf -o runs/mask.jsonl
    """  # noqa: D301 - click wants the character itself
    work("bench.running:run", given)


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
@output_option("FOLDER", "Write the board there as a site.")
@click.option("--force", is_flag=True, help="Replace a site that is there.")
@json_option
def rank(**given: Any) -> None:
    """Rank runs; those of other cases, readers or scorers stand apart.

    With -o, the board is a site: index.html, which needs no network, and board.json with every figure.

    \b
    tamis bench rank runs/*.jsonl -o board/
    """  # noqa: D301 - click wants the character itself
    work("bench.ranking:rank", given)
