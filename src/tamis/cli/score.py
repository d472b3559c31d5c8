"""`tamis score`: score and judge the answers of a run again, without asking a reader."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from tamis.cli.inputs import json_option
from tamis.cli.judging_options import judging_options
from tamis.cli.output import print_json


@dataclass(frozen=True, kw_only=True)
class ScoreJson:
    """What `tamis score --json` prints.

    `rescored` of the run's `answers` have another exact score now; `judged` judgements are new.
    """

    run: str
    answers: int
    rescored: int
    judged: int


@click.command("score", short_help="Score and judge the answers of a run again; no reader is asked.")
@click.argument("run_dir", metavar="RUN_DIR", type=click.Path())
@judging_options
@json_option
def command(
    run_dir: str,
    judges: tuple[str, ...],
    repeats: int,
    calibration: int | Literal["all"] | None,
    rubric: str | None,
    concurrency: int,
    max_cost_usd: float | None,
    as_json: bool,
) -> None:
    """Score the answers of the run that `tamis eval -o RUN_DIR` left with the exact scorer as it is now.

    Then have them judged by other judges, by another rubric, or more often. What is new is added to the run;
    what is there already is not asked for again.
    """
    from tamis.cli.output import print_tables
    from tamis.evals import read_run
    from tamis.evals.conducting import Means
    from tamis.evals.scoring import score_run
    from tamis.reports import reading_tables

    scored = score_run(
        Path(run_dir),
        judges=judges,
        rubric=Path(rubric) if rubric else None,
        repeats=repeats,
        calibration=calibration,
        means=Means(concurrency=concurrency, max_cost_usd=max_cost_usd),
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
