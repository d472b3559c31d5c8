"""`tamis monitor`: compaction at work, in the terminal; the alert rules and the dashboard for elsewhere."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command("monitor")
@click.argument("sources", metavar="LOG_OR_URL...", nargs=-1)
@click.option("--once", is_flag=True, help="Print once; so it is where stdout is no terminal.")
@click.option("--last", default=10_000, type=click.IntRange(1), help="Newest lines of a log.")
@click.option("--interval", default=2.0, type=click.FloatRange(0.1), help="Seconds between two looks.")
@click.option("--check", is_flag=True, help="Print once, and exit with 1 where an alert fires.")
@click.option("--rules", is_flag=True, help="Print the alert rules, as Prometheus takes them.")
@click.option("--dashboard", is_flag=True, help="Print a Grafana dashboard, to import.")
@click.option(
    "--config",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Settings in YAML: the bounds of its block `monitoring`, and its log where no source is named.",
)
@json_option
def command(**given: Any) -> Any:
    """Show what decision logs (files, folders) and running proxies (http://127.0.0.1:8788) say.

    How much was saved, how long it took, what was needed again, and which alerts fire. The figures of a log
    are over its newest lines, those of a URL since its program began.
    """
    return work("monitor:run", given)
