"""Compaction at work, in the terminal; the alert rules and the dashboard for elsewhere."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from tamis.cli.work.layout import fitted
from tamis.cli.work.output import console, number, print_json, print_tables, table
from tamis.errors import InputError
from tamis.integrations.agents.compaction import log_beside
from tamis.integrations.agents.known import AGENTS
from tamis.monitoring.entries import DecisionEntry
from tamis.monitoring.settings import MonitoringSettings, load_monitoring
from tamis.monitoring.sources import LogSource, MonitorReport, SourceReport, open_sources
from tamis.monitoring.tally import Alert, SourceFigures, dashboard_text, rules_text


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
    sources = sources or ((settings.log_file,) if settings.log_file else wrapped_logs())
    if not sources:
        raise InputError(
            "no wrapped agent has compacted yet (`tamis doctor` says whether one is wrapped); name a "
            "decision log, or a folder of them"
        )
    opened = open_sources(list(sources), last=last, rules=settings.rules)
    watched = tuple(source.look() for source in opened)
    if as_json:
        print_json(MonitorReport(sources=watched))
    elif once or check or not console().is_terminal:
        for one in watched:
            print_tables(*tables_of(one))
    else:
        _watch(opened, watched, interval)
    fires = any(alert.verdict == "firing" for one in watched for alert in one.alerts)
    return 1 if check and fires else None


def wrapped_logs() -> tuple[str, ...]:
    """The decision logs of the agents that tamis was put into, here and for all projects."""
    places = [(agent, agent.place(user=user)) for agent in AGENTS.values() for user in (False, True)]
    logs = dict.fromkeys(log_beside(agent.archive(place)) for agent, place in places)
    return tuple(str(log) for log in logs if log.is_file())


def _watch(opened: list[LogSource], watched: tuple[SourceReport, ...], interval_s: float) -> None:
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


NOTHING = "-"
_STYLES = {"firing": "bold red", "quiet": "green", "not measured": "dim"}


def tables_of(watched: SourceReport) -> list[Table]:
    """The tables of one source."""
    tables = [_alerts(watched), _figures(watched)]
    return [*tables, _newest(watched)] if watched.newest else tables


def _alerts(watched: SourceReport) -> Table:
    made = table(_title(watched), ["alert", "fires at", "who", ">measured", "now"], ())
    for alert in watched.alerts:
        if alert.verdict == "not measured" and alert.mode == "shadow":
            continue
        form = {"TamisCompactionSlow": ",.0f", "TamisRegretHigh": ".1%"}.get(alert.name, ".2f")
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", alert.name.removeprefix("Tamis")).lower()
        cells = (name, alert.rule, _who(alert), _number(alert.value, form), alert.verdict)
        made.add_row(*cells, style=_STYLES[alert.verdict])
    if not watched.alerts:
        made.add_row("nothing was decided yet", "", "", "", "", style="dim")
    return _unbroken(made, "measured", "now")


def _title(watched: SourceReport) -> str:
    told = f"{watched.name}: {number(watched.lines)} lines"
    if watched.first_at and watched.last_at:
        told += f", {_time(watched.first_at)} to {_time(watched.last_at)}"
    if watched.unread:
        told += f", {number(watched.unread)} unread"
    return told


def _figures(watched: SourceReport) -> Table:
    columns = ["figure", *(f">{_who(one)}" for one in watched.figures)]
    rows = [(name, *cells) for name, cells in _rows(watched) if any(cell != NOTHING for cell in cells)]
    if watched.lines_lost:
        rows.append(("log lines lost", number(watched.lines_lost), *[""] * (len(watched.figures) - 1)))
    return table("Figures", columns, rows)


def _rows(watched: SourceReport) -> Iterator[tuple[str, list[str]]]:
    """The rows, in the order of the work; a row that says nothing of any source is left out above."""

    def row(name: str, cell: Callable[[SourceFigures], str]) -> tuple[str, list[str]]:
        return name, [cell(one) for one in watched.figures]

    for decision in ("compacted", "replayed", "untouched", "fallback"):
        yield row(decision, lambda f, d=decision: _count(f.decisions.get(d, 0)))  # type: ignore[misc]
    reasons = dict.fromkeys(reason for one in watched.figures for reason in one.fallbacks)
    for reason in reasons:
        yield row(f"  because {reason}", lambda f, r=reason: _count(f.fallbacks.get(r, 0)))  # type: ignore[misc]
    yield row("tokens before", lambda f: _count(f.tokens_before))
    yield row("tokens after", lambda f: _count(f.tokens_after))
    yield row("tokens saved", lambda f: _count(f.tokens_before - f.tokens_after))
    yield row("ratio (median)", lambda f: _told(f.ratio, f.ratio_p50, ".2f"))
    yield row("time, ms (p50, p95)", lambda f: _told(f.latency_ms_p50, f.latency_ms_p95, ".0f"))
    yield row("turns after compaction", lambda f: _count(f.turns))
    yield row("regret, of turns", lambda f: _number(f.regret_rate, ".1%"))
    kinds = dict.fromkeys(regret.kind for one in watched.figures for regret in one.regrets)
    for kind in kinds:
        yield row(f"  {kind.replace('_', ' ')} (tokens)", lambda f, k=kind: _regret(f, k))  # type: ignore[misc]
    yield row("cache hits", _cache_hits)
    yield row("waiting", lambda f: _number(f.queue_length, ","))
    yield row("quality (checks)", _quality)


def _cache_hits(figures: SourceFigures) -> str:
    if figures.cache_hit_rate is None:
        return NOTHING
    return f"{figures.cache_hits} of {figures.cache_lookups} ({figures.cache_hit_rate:.0%})"


def _quality(figures: SourceFigures) -> str:
    if not figures.quality_checks:
        return NOTHING
    return f"{_number(figures.quality_score, '.2f')} ({figures.quality_checks})"


def _newest(watched: SourceReport) -> Table:
    columns = ["time", "who", "decision", "why", ">tokens", ">ms"]
    rows = []
    for made in watched.newest:
        decision = made.decision
        before, after = decision.tokens_before, decision.tokens_after
        tokens = (
            NOTHING if before is None or after is None else f"{_thousands(before)} to {_thousands(after)}"
        )
        why = decision.reason or decision.trigger
        ms = _number(decision.latency_ms, ",.0f")
        rows.append((_time(made.at), _who(decision), decision.decision, why, tokens, ms))
    return _unbroken(table("Newest decisions", columns, rows), "time", "decision", "tokens", "ms")


def _regret(figures: SourceFigures, kind: str) -> str:
    found = next((regret for regret in figures.regrets if regret.kind == kind), None)
    return f"{number(found.events)} ({number(found.tokens)})" if found and found.events else NOTHING


def _who(one: Alert | SourceFigures | DecisionEntry) -> str:
    return f"{one.source} (shadow)" if one.mode == "shadow" else one.source


def _told(first: float | None, second: float | None, form: str) -> str:
    if first is None and second is None:
        return NOTHING
    return f"{_number(first, form)} ({_number(second, form)})"


def _number(value: float | None, form: str) -> str:
    return NOTHING if value is None else format(value, form)


def _count(value: int) -> str:
    return number(value) if value else NOTHING


def _thousands(value: int) -> str:
    """As many digits as tell decisions apart: `160k`, `4.5k`, `812`."""
    return f"{value / 1000:.3g}k" if value >= 1_000 else str(value)


def _unbroken(made: Table, *columns: str) -> Table:
    """These columns are as wide as what stands in them."""
    for column in made.columns:
        column.no_wrap = column.header in columns
    return made


def _time(at: str) -> str:
    return at[11:19] or at  # the time of day
