"""The work of `tamis ab`: try a command with and without compression, and say what the difference is."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from tamis.ab import ABReport, Compression, Trial, TrialPlan, compare_trials, read_comparison, run_plan
from tamis.ab.ab_report import Table, markdown_of, tables_of, told
from tamis.ab.lines import read_plan
from tamis.ab.meter import proxy_settings
from tamis.ab.ticket_agent import Window
from tamis.ab.ticket_report import TicketReport, report_tickets, ticket_tables, told_of
from tamis.ab.ticket_run import FORMAT, TicketPlan, TicketTrial, read_tickets, run_tickets
from tamis.ab.trial import ARMS
from tamis.cli.work.output import print_json, print_tables, table
from tamis.compactors import parse_budget
from tamis.errors import InputError, ModelError, UnreadableFile


def run(command_line: tuple[str, ...], output: Path, as_json: bool, **given: Any) -> None:
    if given["tickets"] is not None and command_line:
        raise InputError("--tickets brings its own agent; give it, or a command")
    if given["tickets"] is not None or (not command_line and _holds_tickets(output)):
        tickets = _tickets(output, given)
        _show(tickets, ticket_tables(tickets), told_of(tickets), as_json=as_json)
        return
    report = _trials(command_line, output, given)
    _show(report, tables_of(report), told(report), as_json=as_json)
    if not as_json:
        for note in report.not_measured:
            click.echo(f"not measured: {note}")


def _holds_tickets(folder: Path) -> bool:
    try:
        read_plan(folder, FORMAT)
    except UnreadableFile:
        return False
    return True


def _show(report: ABReport | TicketReport, tables: Iterable[Table], about: str, *, as_json: bool) -> None:
    if as_json:
        print_json(report)
        return
    print_tables(*(table(made.title, made.columns, made.rows) for made in tables))
    click.echo(about)


def _trials(command_line: tuple[str, ...], output: Path, given: dict[str, Any]) -> ABReport:
    if not command_line:
        plan, trials = read_comparison(output)
        return compare_trials(plan.command, trials)
    plan = _plan(command_line, given)
    with _kept(output):
        trials = run_plan(plan, output, on_trial=_tell)
    report = compare_trials(plan.command, trials)
    (output / "report.md").write_text(markdown_of(report), encoding="utf-8")
    return report


def _tickets(output: Path, given: dict[str, Any]) -> TicketReport:
    if given["tickets"] is None:
        return report_tickets(*read_tickets(output))
    usual = Window()
    tokens = given["window"] or usual.tokens
    plan = TicketPlan(
        tasks=given["tickets"],
        model=given["model"],
        methods=given["methods"],
        window=Window(tokens=tokens, budget=parse_budget(given["budget"] or usual.budget).resolve(tokens)),
        is_hostile=given["hostile"],
    )
    with _kept(output):
        return report_tickets(plan, run_tickets(plan, output, on_trial=_tell_ticket))


@contextmanager
def _kept(output: Path) -> Iterator[None]:
    try:
        yield
    except (KeyboardInterrupt, ModelError):
        click.echo(f"what was run is kept in {output}; give the same command again to go on", err=True)
        raise


def _tell_ticket(trial: TicketTrial) -> None:
    made = trial.outcome
    shares = f"bugs {made.fixed:.2f}, rules {made.kept:.2f}, questions {made.right:.2f}"
    took = f"{trial.effort.calls} calls, {trial.duration_s:.1f} s"
    click.echo(f"task {trial.task}, {trial.method}: {shares}, {took}", err=True)
    for note in trial.effort.trouble:
        click.echo(f"  {note}", err=True)


def _plan(command_line: tuple[str, ...], given: dict[str, Any]) -> TrialPlan:
    if shutil.which(command_line[0]) is None:
        raise InputError(f"there is no program {command_line[0]!r}; give the command as the shell has it")
    if len(given["methods"]) > 1:
        raise InputError(f"{len(given['methods'])} methods; a command is tried with one")
    compression: Compression | None = None
    if upstream := given["upstream"]:
        compression = Compression(
            upstream=upstream,
            **{name: given[name] for name in ("window", "budget") if given[name]},
            **{name: given[name] for name in ("trigger", "keep_last", "tokenizer")},
            **({"method": given["methods"][0]} if given["methods"] else {}),
        )
    plan = TrialPlan(
        command=command_line,
        compression=compression,
        runs=given["runs"],
        seed=given["seed"],
        timeout_s=given["timeout"],
        before=given["before"],
        success=given["success"],
        logs=given["logs"],
    )
    if compression is not None:
        for arm in ARMS:  # what is wrong with it is found out before anything is run
            proxy_settings(compression, arm, Path())
    return plan


def _tell(trial: Trial) -> None:
    result = {True: "succeeded", False: "failed", None: trial.status}[trial.success]
    took = "" if trial.duration_s is None else f", {trial.duration_s:.1f} s"
    tokens = "" if trial.input_tokens is None else f", {trial.input_tokens:,} input tokens"
    turns = "" if trial.iterations is None else f", {trial.iterations} iterations"
    click.echo(f"{trial.name}: {result}{took}{turns}{tokens}", err=True)
    for note in trial.notes:
        click.echo(f"  {note}", err=True)
