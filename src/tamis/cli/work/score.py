"""The work of `tamis score`: score and judge the answers of a run again, without asking a reader."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from tamis.cli.work.output import made_of, print_json, print_tables
from tamis.evals import read_run
from tamis.evals.experiment.experiment_run import ResourceLimits
from tamis.evals.rundir.rescore import score_run
from tamis.reports import reading_tables


@dataclass(frozen=True, kw_only=True)
class ScoreJson:
    """What `tamis score --json` prints.

    `rescored` of the run's `answers` have another exact score now; `judged` judgements are new.
    """

    run: str
    answers: int
    rescored: int
    judged: int


def run(
    run_dir: str,
    *,
    rubric: str | None,
    concurrency: int,
    max_cost_usd: float | None,
    as_json: bool,
    **judging: Any,
) -> None:
    """What `tamis score` does; `judging` is what `score_run` is asked for."""
    means = ResourceLimits(concurrency=concurrency, max_cost_usd=max_cost_usd)
    scored = score_run(Path(run_dir), rubric=Path(rubric) if rubric else None, means=means, **judging)
    if as_json:
        print_json(made_of(ScoreJson, scored, run=run_dir))
        return
    print_tables(*reading_tables(read_run(Path(run_dir))))
    click.echo(
        f"\n{scored.answers:,} answers: {scored.rescored:,} scored otherwise than before, "
        f"{scored.judged:,} new judgements"
    )
