"""Running a method over a suite."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.bench.options import case_options
from tamis.cli.lazy import work
from tamis.cli.options import complete_method, json_option


@click.command()
@case_options
@click.option(
    "-m", "--method", required=True, metavar="METHOD", shell_complete=complete_method, help="What to measure."
)
@click.option(
    "--reader", default="lexical", show_default=True, metavar="NAME", help="lexical, or a model's name."
)
@click.option("-o", "--output", required=True, metavar="FILE", type=click.Path(), help="The run's log.")
@click.option("--resume", is_flag=True, help="Go on with a log that is there.")
@click.option("--retry-missing", is_flag=True, help="Resume, and ask again what the reader did not answer.")
@click.option("--timeout", "timeout_s", default=60.0, show_default=True, help="Seconds for one compaction.")
@click.option(
    "--compat", is_flag=True, help="Run as CompactBench's own program does; writes its results.jsonl."
)
@click.option(
    "--words", metavar="FOLDER", type=click.Path(), help="With --compat: where CompactBench is installed."
)
@click.option(
    "--seeds",
    default="template",
    show_default=True,
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
    tamis bench run -m ./mine.py:Mine --tier aggressive --length 20000 -o runs/mine.jsonl
    tamis bench run -m mask --reader gguf:model.gguf --per-family 1 --slots 1 --length 1000 -o runs/mask.jsonl
    """  # noqa: D301 - click wants the character itself
    work("bench.running:run", given)
