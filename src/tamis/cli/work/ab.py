"""The work of `tamis ab`: try a command with and without compression, and say what the difference is."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from tamis.ab import ABReport, Compression, Trial, TrialPlan, compare_trials, read_comparison, run_plan
from tamis.ab.metered_proxy import proxy_settings
from tamis.ab.plan import ARMS
from tamis.ab.tables import markdown_of, tables_of, told
from tamis.cli.work.output import print_json, print_tables, table
from tamis.errors import InputError


def run(command_line: tuple[str, ...], runs: int, output: Path, as_json: bool, **given: object) -> None:
    """What `tamis ab` does."""
    if command_line:
        plan = _plan(command_line, runs, given)
        try:
            trials = run_plan(plan, output, on_trial=_tell)
        except KeyboardInterrupt:
            click.echo(f"what was run is kept in {output}; give the same command again to go on", err=True)
            raise
    else:
        plan, trials = read_comparison(output)
    report = compare_trials(plan.command, trials)
    if command_line:
        (output / "report.md").write_text(markdown_of(report), encoding="utf-8")
    if as_json:
        print_json(report)
    else:
        _print(report)


def _plan(command_line: tuple[str, ...], runs: int, given: dict[str, object]) -> TrialPlan:
    if shutil.which(command_line[0]) is None:
        raise InputError(f"there is no program {command_line[0]!r}; give the command as the shell has it")
    proxied = ("window", "budget", "trigger", "keep_last", "method", "tokenizer")
    compression: Compression | None = None
    if upstream := given["upstream"]:
        compression = Compression(upstream=str(upstream), **{name: given[name] for name in proxied})  # type: ignore[arg-type] # each option has the name and the type of a field
    plan = TrialPlan(
        command=command_line,
        compression=compression,
        runs=runs,
        seed=given["seed"],  # type: ignore[arg-type]
        timeout_s=given["timeout"],  # type: ignore[arg-type]
        before=str(given["before"]),
        success=str(given["success"]),
        logs=given["logs"],  # type: ignore[arg-type]
    )
    if compression is not None:
        _check_proxy(compression)
    return plan


def _check_proxy(compression: Compression) -> None:
    """Find out what is wrong with it before anything is run."""
    for arm in ARMS:
        proxy_settings(compression, arm, Path())


def _tell(trial: Trial) -> None:
    """One line for each trial as it ends."""
    result = {True: "succeeded", False: "failed", None: trial.status}[trial.success]
    took = "" if trial.duration_s is None else f", {trial.duration_s:.1f} s"
    tokens = "" if trial.input_tokens is None else f", {trial.input_tokens:,} input tokens"
    turns = "" if trial.iterations is None else f", {trial.iterations} iterations"
    click.echo(f"{trial.name}: {result}{took}{turns}{tokens}", err=True)
    for note in trial.notes:
        click.echo(f"  {note}", err=True)


def _print(report: ABReport) -> None:
    print_tables(*(table(made.title, made.columns, made.rows) for made in tables_of(report)))
    click.echo(told(report))
    for note in report.not_measured:
        click.echo(f"not measured: {note}")
