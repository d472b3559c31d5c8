"""The work of `tamis eval`: measure what compaction methods keep."""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.progress import Progress, TaskID, TaskProgressColumn, TimeRemainingColumn

from tamis.cli.work.inputs import find_files
from tamis.cli.work.output import console, print_json, print_tables, progress_bar
from tamis.cli.work.runs import plan_run, print_plan
from tamis.errors import InputError
from tamis.evals import Settings, SkippedInput, read_run
from tamis.evals.experiment.components import model_names
from tamis.evals.experiment.estimate import CostEstimate
from tamis.evals.experiment.experiment_run import ExperimentListener, ResourceLimits, conduct
from tamis.evals.experiment.runner import SessionFile
from tamis.evals.figures.prices import find_price
from tamis.reports import reading_tables, run_report, run_tables


def run(
    paths: tuple[str, ...],
    *,
    output: str | None,
    planned: float | None,
    short: bool,
    as_json: bool,
    **options: Any,
) -> None:
    settings, means = _settings(options), _means(options)
    files, passed_over = find_files(paths)
    with _run_folder(output) as folder:
        with progress_bar(TaskProgressColumn(), TimeRemainingColumn()) as bar:
            conduct(
                [SessionFile(set=name, path=path) for name, path in files],
                settings,
                folder,
                means=means,
                passed_over=[SkippedInput(source=str(p), what=p.name, reason=why) for p, why in passed_over],
                watcher=_Bar(bar),
            )
        run = read_run(folder)
        if not len(run.points):
            first = next(iter(run.skipped), None)
            why = f"; the first: {first.what}: {first.reason}" if first else ""
            if not model_names(settings):  # what a model was asked is kept: it was paid for
                shutil.rmtree(folder)
            raise InputError(f"nothing could be measured in {run.sessions} sessions{why}")
        if as_json:
            print_json(run_report(run))
            return
        if short:
            click.echo(str(run.table()))
        else:
            print_tables(*run_tables(run, width=console().width), *reading_tables(run))
        if planned is not None:
            print_plan(plan_run(run, difference=planned))
        if run.skipped:
            ((why, times),) = Counter(skipped.reason for skipped in run.skipped).most_common(1)
            click.echo(f"note: {len(run.skipped)} not measured, most often ({times}): {why}", err=True)
    if output is not None:
        click.echo(f"\nrun: {output}    report: tamis report {output}")


def _settings(options: dict[str, Any]) -> Settings:
    """What is measured, from the options of the same names."""
    given = {f.name: options[f.name] for f in fields(Settings) if f.name in options}
    if options["no_probes"]:
        given |= {"readers": (), "judges": (), "probes": None, "probe_model": None}
    model = options["price_model"]
    price = find_price(model, on=datetime.now(tz=UTC).date()) if model else None
    return Settings(**given, price=price)


def _means(options: dict[str, Any]) -> ResourceLimits:
    """What may be used for it."""
    given = {f.name: options[f.name] for f in fields(ResourceLimits) if f.name in options}
    if given["jobs"] is None:
        given["jobs"] = os.cpu_count() or 1
    return ResourceLimits(**given)


@contextmanager
def _run_folder(output: str | None) -> Iterator[Path]:
    """Where the run is kept, or a folder that is gone when its table is printed."""
    if output is not None:
        yield Path(output)
        return
    with tempfile.TemporaryDirectory(prefix="tamis-run-", ignore_cleanup_errors=True) as folder:
        yield Path(folder) / "run"


class _Bar(ExperimentListener):
    """Counts bytes of sessions, as they take about as long as they are large."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task: TaskID | None = None

    def begins(self, total_bytes: int, done_bytes: int) -> None:
        self._task = self._bar.add_task("measuring", total=total_bytes, completed=done_bytes)

    def measured(self, done_bytes: int) -> None:
        if self._task is not None:
            self._bar.advance(self._task, done_bytes)

    def estimated(self, estimate: CostEstimate, cost_usd: float | None) -> None:
        """Said even where no bar is: it is what the user may want to stop before."""
        for model, load in estimate.loads.items():
            tokens = f"{load.input_tokens:,.0f} tokens in, {load.output_tokens:,.0f} out"
            files = f"(estimated from {estimate.files} files)"
            click.echo(f"{model}: about {load.calls:,.0f} questions, {tokens} {files}", err=True)
        price = "no list price is known" if cost_usd is None else f"about ${cost_usd:,.2f}"
        click.echo(f"cost: {price}; what is kept already is not asked again", err=True)
