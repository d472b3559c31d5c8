"""`tamis memory`: layered memory beside recorded sessions, what it would say now, and its settings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tamis.cli.inputs import find_files, json_option, read_session, session_options
from tamis.cli.output import number, print_json, print_tables, progress, table

if TYPE_CHECKING:
    from rich.table import Table

    from tamis.memory import MemorySettings, ShadowReport, Skillbook
    from tamis.messages import Session

config_option = click.option(
    "--config",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Settings in YAML; variables TAMIS_MEMORY_... override them.",
)


@click.group("memory", short_help="Layered memory: try it on recorded sessions, show what it would say.")
def command() -> None:
    """Layered memory for agent loops: task, earlier iterations, patterns and skills within a limit."""


@command.command("shadow", short_help="Run beside recorded sessions: savings, latency, regret.")
@click.argument("sessions", metavar="SESSIONS...", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--max-sessions", metavar="N", type=click.IntRange(min=1), help="Read at most N sessions.")
@config_option
@json_option
def shadow(sessions: tuple[str, ...], max_sessions: int | None, config: str | None, as_json: bool) -> None:
    """Say what memory would have saved in SESSIONS, how long it takes, and what would have been missed.

    Each session is cut into iterations. Before each one memory makes its pass, as it would have then; what
    the agent went on to use tells what it would have missed. Nothing is changed and no model is asked.
    """
    from tamis.memory import shadow_sessions

    settings, book = _settings(config)
    files, passed_over = find_files(sessions)
    report = shadow_sessions(islice(_read(files), max_sessions), settings, skillbook=book)
    for path, reason in passed_over:
        click.echo(f"passed over {path}: {reason}", err=True)
    if as_json:
        print_json(report)
    else:
        print_tables(*_shadow_tables(report))


@command.command("brief", short_help="Print what memory would say to the agent now.")
@click.argument("session", metavar="SESSION", type=click.Path())
@click.option("--task", metavar="TEXT", help="What comes next; else what the user last asked.")
@click.option("--no-compression", is_flag=True, help="Print the uncompressed context.")
@session_options
@config_option
def brief(
    session: str,
    task: str | None,
    no_compression: bool,
    input_format: str | None,
    session_id: str | None,
    config: str | None,
) -> None:
    """Read SESSION as a loop that is still going on, and print the task and the memory of what came before.

    Where the mode does not apply compression, the uncompressed context is printed and stderr says why.
    """
    from tamis.memory import LayeredMemory, split_iterations
    from tamis.messages import get_counter, part_text

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
        click.echo(made.prompt)
    else:
        click.echo(f"uncompressed: {made.reason}", err=True)
        for message in made.messages:
            click.echo(f"[{message.role}]")
            for part in message.parts:
                click.echo(part_text(part))
    for warning in made.warnings:
        click.echo(f"warning: {warning}", err=True)


@command.command("settings", short_help="Print all settings as they hold, as a file to begin with.")
@config_option
def settings_(config: str | None) -> None:
    """Print every setting with its meaning: the defaults, changed by the file and by variables."""
    from tamis.memory.settings_file import settings_text

    click.echo(settings_text(_settings(config)[0]), nl=False)


def _settings(config: str | None) -> tuple[MemorySettings, Skillbook | None]:
    import os

    from tamis.memory import load_settings, read_skillbook

    settings = load_settings(Path(config) if config else None, os.environ)
    path = settings.skillbook.path
    return settings, read_skillbook(Path(path)) if path else None


def _read(files: list[tuple[str, Path]]) -> Iterator[Session]:
    from tamis.sessions import read_all

    with progress("sessions", total=len(files)) as advance:
        for _, path in files:
            yield from read_all(path)
            advance()


def _shadow_tables(report: ShadowReport) -> list[Table]:
    def told(value: float | None, form: str) -> str:
        return "not measured" if value is None else format(value, form)

    rows = [
        ("sessions", number(report.sessions)),
        ("iterations judged", number(report.iterations)),
        ("iterations too small to compress", number(report.whole)),
        ("tokens without memory", number(report.tokens_before)),
        ("tokens with memory", number(report.tokens_after)),
        ("savings, all tokens", told(report.savings, ".1%")),
        ("savings, median iteration", told(report.median_savings, ".1%")),
        (
            "pass, ms (median, p95)",
            f"{told(report.latency_ms_p50, '.1f')}, {told(report.latency_ms_p95, '.1f')}",
        ),
        ("condensing an iteration, ms (median)", told(report.condensing_ms_p50, ".1f")),
        ("regret, of iterations", told(report.regret_rate, ".1%")),
        ("regret, of turns", told(report.regret_rate_turns, ".1%")),
        ("names missed / needed", f"{number(report.missing_names)} / {number(report.needed_names)}"),
    ]
    criteria = [
        (c.criterion, c.threshold, told(c.value, ".3f"), number(c.over), c.verdict, c.note)
        for c in report.criteria
    ]
    return [
        table("Shadow mode", ["figure", ">value"], rows),
        table(
            "Published criteria",
            ["criterion", "threshold", ">measured", ">over", "verdict", "why not"],
            criteria,
        ),
    ]
