"""`tamis ab`: try a command with and without compression, and say what the difference is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tamis.cli.inputs import complete_method, json_option, tokenizer_option
from tamis.cli.output import print_json, print_tables, table

if TYPE_CHECKING:
    from tamis.trials import ABReport, Compression, Trial, TrialPlan


@click.command(
    "ab",
    short_help="Try a command with and without compression.",
    context_settings={"allow_interspersed_args": False},
)
@click.argument("command_line", metavar="[-- COMMAND...]", nargs=-1, type=click.UNPROCESSED)
@click.option("--runs", default=5, show_default=True, type=int, help="Pairs of trials.")
@click.option(
    "-o",
    "--output",
    default="runs/ab",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Where it is kept; what was run there is not run again.",
)
@click.option("--upstream", metavar="URL", help="The command's API: a proxy is put before it, in both arms.")
@click.option("--window", default=200_000, show_default=True, type=int, help="As for tamis proxy.")
@click.option("-b", "--budget", default="5%", show_default=True, help="As for tamis proxy.")
@click.option("--trigger", default=0.8, show_default=True, help="As for tamis proxy.")
@click.option("--keep-last", default="10%", show_default=True, help="As for tamis proxy.")
@click.option("-m", "--method", default="ledger", show_default=True, shell_complete=complete_method)
@tokenizer_option
@click.option("--log", "logs", multiple=True, metavar="GLOB", help="Session files that the command writes.")
@click.option("--success", metavar="SHELL", default="", help="Exits with 0 where a trial has succeeded.")
@click.option("--before", metavar="SHELL", default="", help="Puts things back before each trial.")
@click.option("--timeout", default=3600.0, show_default=True, help="Seconds that a trial may take.")
@click.option("--seed", default=0, show_default=True, type=int, help="Of the order within each pair.")
@json_option
def command(command_line: tuple[str, ...], runs: int, output: Path, as_json: bool, **given: object) -> None:
    r"""Run COMMAND in pairs of trials, one with compression and one without, and compare them.

    With --upstream, each trial has a proxy of its own, and the command finds it in OPENAI_BASE_URL and
    ANTHROPIC_BASE_URL; without compression it passes everything on. TAMIS_MODE (and TAMIS_MEMORY_MODE) is
    `active` or `off`, TAMIS_AB_PAIR the number of the pair, TAMIS_AB_DIR the trial's folder, which a GLOB may
    name as {dir}. A trial has succeeded if the command exits with 0, or --success does.

    Without a COMMAND, what --output holds is shown. Interrupted, it goes on where it was when the same is
    given again; more --runs may be given then.

    \b
    tamis ab --runs 5 --upstream https://api.openai.com --window 128000 -- python agent.py
    """
    from tamis.trials import compare_trials, read_record, run_plan
    from tamis.trials.tables import markdown_of

    if command_line:
        plan = _plan(command_line, runs, given)
        try:
            trials = run_plan(plan, output, on_trial=_tell)
        except KeyboardInterrupt:
            click.echo(f"what was run is kept in {output}; give the same command again to go on", err=True)
            raise
    else:
        plan, trials = read_record(output)
    report = compare_trials(plan.command, trials)
    if command_line:
        (output / "report.md").write_text(markdown_of(report), encoding="utf-8")
    if as_json:
        print_json(report)
    else:
        _print(report)


def _plan(command_line: tuple[str, ...], runs: int, given: dict[str, object]) -> TrialPlan:
    import shutil

    from tamis.errors import InputError
    from tamis.trials import Compression, TrialPlan

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
    from tamis.trials.passage import proxy_settings
    from tamis.trials.plan import ARMS

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
    from tamis.trials.tables import tables_of, told

    print_tables(*(table(made.title, made.columns, made.rows) for made in tables_of(report)))
    click.echo(told(report))
    for note in report.not_measured:
        click.echo(f"not measured: {note}")
