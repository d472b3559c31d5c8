"""`tamis monitor`: compaction at work, in the terminal; the alert rules and the dashboard for elsewhere."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from tamis.cli.inputs import json_option
from tamis.cli.output import console, print_json

if TYPE_CHECKING:
    from tamis.monitoring.sources import Watched, WatchedSource


@click.command("monitor", short_help="Watch compaction at work: savings, time, regret, alerts.")
@click.argument("sources", metavar="LOG_OR_URL...", nargs=-1)
@click.option("--once", is_flag=True, help="Print once; so it is where stdout is no terminal.")
@click.option(
    "--last", default=10_000, show_default=True, type=click.IntRange(1), help="Newest lines of a log."
)
@click.option(
    "--interval",
    default=2.0,
    show_default=True,
    type=click.FloatRange(0.1),
    help="Seconds between two looks.",
)
@click.option("--check", is_flag=True, help="Print once, and exit with 1 where an alert fires.")
@click.option("--rules", is_flag=True, help="Print the alert rules, as Prometheus takes them.")
@click.option("--dashboard", is_flag=True, help="Print a Grafana dashboard, to import.")
@json_option
def command(
    sources: tuple[str, ...],
    once: bool,
    last: int,
    interval: float,
    check: bool,
    rules: bool,
    dashboard: bool,
    as_json: bool,
) -> int | None:
    """Show what decision logs (files, folders) and running proxies (http://127.0.0.1:8788) say.

    How much was saved, how long it took, what was needed of what had been taken out, and which alerts fire.
    The figures of a log are over its newest lines, those of a URL since its program began.
    """
    from tamis.monitoring.alerts import dashboard_text, rules_text

    if rules or dashboard:
        click.echo(rules_text() if rules else dashboard_text(), nl=False)
        return None
    if not sources:
        raise click.UsageError("name a decision log, a folder of them, or the URL of a running proxy")
    from tamis.monitoring.sources import MonitorReport, open_sources

    opened = open_sources(list(sources), last=last)
    watched = tuple(source.look() for source in opened)
    if as_json:
        print_json(MonitorReport(sources=watched))
    elif once or check or not console().is_terminal:
        _print(watched)
    else:
        _watch(opened, watched, interval)
    fires = any(alert.verdict == "firing" for one in watched for alert in one.alerts)
    return 1 if check and fires else None


def _print(watched: tuple[Watched, ...]) -> None:
    from tamis.cli.monitor_tables import tables_of
    from tamis.cli.output import print_tables

    for one in watched:
        print_tables(*tables_of(one))


def _watch(opened: list[WatchedSource], watched: tuple[Watched, ...], interval_s: float) -> None:
    """Look again and again, until somebody stops it."""
    from rich.console import Group
    from rich.live import Live
    from rich.text import Text

    from tamis.cli.monitor_tables import tables_of
    from tamis.errors import InputError

    def frame(watched: tuple[Watched, ...], trouble: str) -> Group:
        tables = [made for one in watched for made in tables_of(one)]
        below = trouble or f"every {interval_s:g} s; Ctrl-C ends it"
        return Group(*tables, Text(below, style="bold red" if trouble else "dim"))

    try:
        with Live(frame(watched, ""), console=console(), screen=True, auto_refresh=False) as live:
            while True:
                live.refresh()
                time.sleep(interval_s)
                try:
                    watched, trouble = tuple(source.look() for source in opened), ""
                except InputError as error:  # it may come back
                    trouble = str(error)
                live.update(frame(watched, trouble))
    except KeyboardInterrupt:
        return
