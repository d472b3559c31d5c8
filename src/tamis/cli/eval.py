"""`tamis eval`: measure what compaction methods keep of what the agent went on to use."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.inputs import complete_method, find_files, json_option, tokenizer_option
from tamis.cli.judging_options import judging_options
from tamis.cli.output import console, print_json

if TYPE_CHECKING:
    from tamis.evals import Run, Settings
    from tamis.evals.conducting import Means

METHODS = ("truncate", "mask", "index", "extractive", "ledger")
BUDGETS = ("1.4%", "5%", "10%")


@click.command("eval", short_help="Measure what compaction methods keep of what the agent went on to use.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
@click.option(
    "-m",
    "--method",
    "methods",
    multiple=True,
    default=METHODS,
    show_default=True,
    metavar="METHOD",
    help="A method to measure; repeat for more. METHOD+restated: with the constraints said again.",
    shell_complete=complete_method,
)
@click.option(
    "-b",
    "--budget",
    "budgets",
    multiple=True,
    default=BUDGETS,
    show_default=True,
    metavar="TOKENS|PERCENT|own",
    help="A budget; repeat for more. own: as many tokens as the agent's own summary took.",
)
@click.option(
    "--at",
    multiple=True,
    default=("50%",),
    show_default=True,
    metavar="PLACE",
    help="Where to cut: a share of the tokens (50%), tokens (18k), a message (#120), or own (where the agent "
    "compacted itself); repeat for more.",
)
@click.option(
    "--cycles",
    default=1,
    show_default=True,
    metavar="N",
    help="Compact so many times in a row, each time the last answer and what is new.",
)
@click.option(
    "--reader",
    "readers",
    multiple=True,
    default=("lexical",),
    show_default=True,
    metavar="MODEL",
    help="Who answers the probes from the compacted context: lexical needs no model; repeat for more.",
)
@judging_options
@click.option("--no-probes", is_flag=True, help="Measure hindsight only.")
@click.option("--probes", metavar="FILE", type=click.Path(), help="Ask these saved probes, and make none.")
@click.option("--probe-model", metavar="MODEL", help="A model that makes more probes, each with its proof.")
@click.option(
    "-o",
    "--output",
    metavar="RUN_DIR",
    type=click.Path(),
    help="Keep everything measured there; a run that was stopped there goes on.",
)
@click.option(
    "--plan",
    "planned",
    type=float,
    metavar="X",
    help="Say too how many sessions it takes to see a difference of X in recall from the first method.",
)
@click.option(
    "--jobs", type=int, metavar="N", help="How many processes measure  [default: one for each core]"
)
@click.option(
    "--engine",
    type=click.Choice(["processes", "ray"]),
    default="processes",
    show_default=True,
    help="Whose processes: this machine's, or a Ray cluster's (RAY_ADDRESS; else one is started).",
)
@click.option(
    "--timeout",
    "timeout_s",
    type=float,
    default=300.0,
    show_default=True,
    metavar="SECONDS",
    help="The most that one compaction may take.",
)
@click.option(
    "--price-model",
    metavar="MODEL",
    help="Price the tokens as this model's, with and without a prompt cache (openai:gpt-5).",
)
@tokenizer_option
@json_option
def command(
    paths: tuple[str, ...], output: str | None, planned: float | None, as_json: bool, **options: Any
) -> None:
    """Measure methods on the sessions at the PATHs: files, or folders with everything below.

    Each session is cut, its older part compacted by every method at every budget, and judged by the names
    that the agent really used behind the cut, and by questions about what was taken out. Sessions of one PATH
    are one set, averaged together. Where models are asked, an estimate of what that costs comes first.
    """
    from tamis.cli.output import print_tables
    from tamis.cli.plan import plan_run, print_plan
    from tamis.errors import InputError
    from tamis.evals import read_run
    from tamis.evals.experiment.tools import model_names
    from tamis.evals.judging.agreement import require_library
    from tamis.reports import reading_tables, run_report, run_tables

    settings, means = _settings(options), _means(options)
    if settings.judges:
        require_library()
    with _run_folder(output) as folder:
        _measure(paths, settings, folder, means)
        run = read_run(folder)
        if not len(run.points):
            why = _why_nothing(run)
            if not model_names(settings):  # what a model was asked is kept: it was paid for
                shutil.rmtree(folder)
            raise InputError(why)
        if as_json:
            print_json(run_report(run))
            return
        print_tables(*run_tables(run, width=console().width), *reading_tables(run))
        if planned is not None:
            print_plan(plan_run(run, difference=planned))
        _say_skipped(run)
    if output is not None:
        click.echo(f"\nrun: {output}    report: tamis report {output}")


def _settings(options: dict[str, Any]) -> Settings:
    """What is measured, from the options of the same names."""
    from tamis.evals import Settings
    from tamis.evals.prices import find_price

    given = {f.name: options[f.name] for f in fields(Settings) if f.name in options}
    if options["no_probes"]:
        given |= {"readers": (), "judges": (), "probes": None, "probe_model": None}
    model = options["price_model"]
    price = find_price(model, on=datetime.now(tz=UTC).date()) if model else None
    return Settings(**given, price=price)


def _means(options: dict[str, Any]) -> Means:
    """What may be used for it."""
    from tamis.evals.conducting import Means

    given = {f.name: options[f.name] for f in fields(Means) if f.name in options}
    return Means(**{**given, "jobs": (os.cpu_count() or 1) if given["jobs"] is None else given["jobs"]})


@contextmanager
def _run_folder(output: str | None) -> Iterator[Path]:
    """Where the run is kept, or a folder that is gone when its table is printed."""
    if output is not None:
        yield Path(output)
        return
    with tempfile.TemporaryDirectory(prefix="tamis-run-", ignore_cleanup_errors=True) as folder:
        yield Path(folder) / "run"


def _measure(paths: Sequence[str], settings: Settings, folder: Path, means: Means) -> None:
    """Find the sessions, measure them, and write down what comes."""
    from tamis.cli.watching import watching  # loads what measures
    from tamis.evals import Skipped
    from tamis.evals.conducting import conduct
    from tamis.evals.runner import SessionFile

    files, passed_over = find_files(paths)
    with watching() as watcher:
        conduct(
            [SessionFile(set=name, path=path) for name, path in files],
            settings,
            folder,
            means=means,
            passed_over=[Skipped(source=str(path), what=path.name, reason=why) for path, why in passed_over],
            watcher=watcher,
        )


def _why_nothing(run: Run) -> str:
    first = next(iter(run.skipped), None)
    why = f"; the first: {first.what}: {first.reason}" if first else ""
    return f"nothing could be measured in {run.sessions} sessions{why}"


def _say_skipped(run: Run) -> None:
    if run.skipped:
        reasons: dict[str, int] = {}
        for skipped in run.skipped:
            reasons[skipped.reason] = reasons.get(skipped.reason, 0) + 1
        most = max(reasons, key=lambda reason: reasons[reason])
        click.echo(f"note: {len(run.skipped)} not measured, most often ({reasons[most]}): {most}", err=True)
