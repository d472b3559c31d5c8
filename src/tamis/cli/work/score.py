"""The work of `tamis score`: score and judge the answers of a run again, without asking a reader."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from tamis.cli.work.output import print_json, print_tables
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
    judges: tuple[str, ...],
    repeats: int,
    calibration: int | Literal["all"] | None,
    rubric: str | None,
    concurrency: int,
    max_cost_usd: float | None,
    as_json: bool,
) -> None:
    """What `tamis score` does."""
    scored = score_run(
        Path(run_dir),
        judges=judges,
        rubric=Path(rubric) if rubric else None,
        repeats=repeats,
        calibration=calibration,
        means=ResourceLimits(concurrency=concurrency, max_cost_usd=max_cost_usd),
    )
    if as_json:
        print_json(
            ScoreJson(run=run_dir, answers=scored.answers, rescored=scored.rescored, judged=scored.judged)
        )
        return
    print_tables(*reading_tables(read_run(Path(run_dir))))
    click.echo(
        f"\n{scored.answers:,} answers: {scored.rescored:,} scored otherwise than before, "
        f"{scored.judged:,} new judgements"
    )
