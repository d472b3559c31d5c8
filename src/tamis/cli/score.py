"""`tamis score`: score and judge the answers of a run again, without asking a reader."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.judging_options import judging_options
from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command("score", short_help="Score the answers of a run again; no reader is asked.")
@click.argument("run_dir", metavar="RUN_DIR", type=click.Path())
@judging_options
@json_option
def command(**given: Any) -> None:
    """Score the answers of the run that `tamis eval -o RUN_DIR` left with the exact scorer as it is now.

    Then have them judged by other judges, by another rubric, or more often. What is new is added to the run.
    """
    work("score:run", given)
