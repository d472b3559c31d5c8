"""Compaction at work, in the terminal; the alert rules and the dashboard for elsewhere."""

import time
from pathlib import Path

import click
from rich.console import Group
from rich.live import Live
from rich.text import Text

from tamis.cli.work.layout import fitted
from tamis.cli.work.monitor_tables import tables_of
from tamis.cli.work.output import console, print_json, print_tables
from tamis.errors import InputError
from tamis.monitoring.alerts import dashboard_text, rules_text
from tamis.monitoring.settings import MonitoringSettings, load_monitoring
from tamis.monitoring.sources import MonitoredSource, MonitorReport, SourceReport, open_sources


def run(
    sources: tuple[str, ...],
    *,
    once: bool,
    last: int,
    interval: float,
    check: bool,
    rules: bool,
    dashboard: bool,
    config: str | None,
    as_json: bool,
) -> int | None:
    if rules or dashboard:
        click.echo(rules_text() if rules else dashboard_text(), nl=False)
        return None
    settings = load_monitoring(Path(config)) if config else MonitoringSettings()
    if not sources and settings.log_file:
        sources = (settings.log_file,)
    if not sources:
        raise click.UsageError("name a decision log, a folder of them, or the URL of a running proxy")
    opened = open_sources(list(sources), last=last, rules=settings.rules)
    watched = tuple(source.look() for source in opened)
    if as_json:
        print_json(MonitorReport(sources=watched))
    elif once or check or not console().is_terminal:
        _print(watched)
    else:
        _watch(opened, watched, interval)
    fires = any(alert.verdict == "firing" for one in watched for alert in one.alerts)
    return 1 if check and fires else None


def _print(watched: tuple[SourceReport, ...]) -> None:
    for one in watched:
        print_tables(*tables_of(one))


def _watch(opened: list[MonitoredSource], watched: tuple[SourceReport, ...], interval_s: float) -> None:
    """Look again and again, until somebody stops it."""

    def frame(watched: tuple[SourceReport, ...], trouble: str) -> Group:
        whole = (made for one in watched for made in tables_of(one))
        tables = [part for made in whole for part in fitted(made, console().width)]
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
