"""The progress of an experiment, as a bar on stderr with the time that is left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn

from tamis.cli.work.output import console
from tamis.evals.experiment.estimate import CostEstimate
from tamis.evals.experiment.experiment_run import ExperimentListener


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
            click.echo(
                f"{model}: about {load.calls:,.0f} questions, {load.input_tokens:,.0f} tokens in, "
                f"{load.output_tokens:,.0f} out (estimated from {estimate.files} files)",
                err=True,
            )
        price = "no list price is known" if cost_usd is None else f"about ${cost_usd:,.2f}"
        click.echo(f"cost: {price}; what is kept already is not asked again", err=True)


@contextmanager
def watching() -> Iterator[ExperimentListener]:
    """A watcher that shows a bar, none where stderr is piped."""
    err = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield _Bar(bar)
