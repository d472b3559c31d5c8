"""Layered memory beside recorded sessions."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click
from rich.table import Table

from tamis.cli.work.inputs import find_files, read_session
from tamis.cli.work.output import number, print_json, print_tables, progress, say, table
from tamis.memory import (
    LayeredMemory,
    MemorySettings,
    ShadowReport,
    Skillbook,
    load_settings,
    read_skillbook,
    shadow_sessions,
    split_iterations,
)
from tamis.memory.settings_file import settings_text
from tamis.messages import Session, get_counter, part_text
from tamis.sessions import read_all


def shadow(sessions: tuple[str, ...], max_sessions: int | None, config: str | None, as_json: bool) -> None:
    settings, book = _settings(config)
    files, passed_over = find_files(sessions)
    report = shadow_sessions(islice(_read(files), max_sessions), settings, skillbook=book)
    for path, reason in passed_over:
        click.echo(f"passed over {path}: {reason}", err=True)
    if as_json:
        print_json(report)
    else:
        print_tables(*_shadow_tables(report))


def brief(
    session: str,
    *,
    task: str | None,
    no_compression: bool,
    input_format: str | None,
    session_id: str | None,
    config: str | None,
) -> None:
    settings, book = _settings(config)
    read = read_session(session, input_format=input_format, session_id=session_id)
    asked = ""
    with LayeredMemory(settings, skillbook=book) as memory:
        most = settings.levels.current.most
        for iteration in split_iterations(read.messages, get_counter(settings.tokenizer), tokens=most):
            memory.end_iteration(iteration.task, iteration.messages)
            asked = iteration.task
        made = memory.assemble(task or asked, opt_in=True, compression=not no_compression)
    if made.applied:
        say(made.prompt)
    else:
        click.echo(f"uncompressed: {made.reason}", err=True)
        for message in made.messages:
            click.echo(f"[{message.role}]")
            for part in message.parts:
                say(part_text(part))
    for warning in made.warnings:
        say(f"warning: {warning}", err=True)


def settings(config: str | None) -> None:
    click.echo(settings_text(_settings(config)[0]), nl=False)


def _settings(config: str | None) -> tuple[MemorySettings, Skillbook | None]:
    settings = load_settings(Path(config) if config else None)
    path = settings.skillbook.path
    return settings, read_skillbook(Path(path)) if path else None


def _read(files: list[tuple[str, Path]]) -> Iterator[Session]:
    with progress("sessions", total=len(files)) as advance:
        for _, path in files:
            yield from read_all(path)
            advance()


def _shadow_tables(report: ShadowReport) -> list[Table]:
    def told(value: float | None, form: str) -> str:
        return "not measured" if value is None else format(value, form)

    passes = f"{told(report.latency_ms_p50, '.1f')}, {told(report.latency_ms_p95, '.1f')}"
    rows = [
        ("sessions", number(report.sessions)),
        ("iterations judged", number(report.iterations)),
        ("iterations too small to compress", number(report.whole)),
        ("iterations sent whole after misses", number(report.fell_back)),
        ("tokens without memory", number(report.tokens_before)),
        ("tokens with memory", number(report.tokens_after)),
        ("savings, all tokens", told(report.savings, ".1%")),
        ("savings, median iteration", told(report.median_savings, ".1%")),
        ("pass, ms (median, p95)", passes),
        ("condensing an iteration, ms (median)", told(report.condensing_ms_p50, ".1f")),
        ("regret, of iterations", told(report.regret_rate, ".1%")),
        ("regret, of turns", told(report.regret_rate_turns, ".1%")),
        ("names missed / needed", f"{number(report.missing_names)} / {number(report.needed_names)}"),
        ("needed names that stood in a bare list", number(report.listed_names)),
    ]
    criteria = [
        (c.criterion, c.threshold, told(c.value, ".3f"), number(c.over), c.verdict, c.note)
        for c in report.criteria
    ]
    columns = ["criterion", "threshold", ">measured", ">over", "verdict", "why not"]
    return [
        table("Shadow mode", ["figure", ">value"], rows),
        table("Published criteria", columns, criteria),
    ]
