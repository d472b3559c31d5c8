"""`tamis report`, `view`, `score`, `gate` and `plan`: what is done with a run that `tamis eval -o` left."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import FILE, json_option, judging_options, method_option, option, output_option


@click.command("report")
@click.argument("run_dir", metavar="RUN_DIR", type=FILE)
@output_option("FILE", "The file  [default: RUN_DIR/report.html]")
@option(
    "--points",
    "How many points can be read in the page, the worst first  [default: as many as fit into 25 MB]",
    "N|all",
)
@option(
    "--answers",
    "How many of each method's worst answers stand in the page.",
    "N",
    type=click.IntRange(min=0),
    default=5,
)
@option("--force", "Overwrite FILE if it exists.", is_flag=True)
@json_option
def report(**given: Any) -> None:
    """Write the run that `tamis eval -o RUN_DIR` left as one HTML file that works offline.

    A FILE that ends in .md becomes a summary in Markdown, one that ends in .json the figures as
    `tamis eval --json` prints them.
    """
    work("runs:report", given)


@click.command("view")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=FILE)
@option(
    "--port",
    "Where to listen on this machine; 0: wherever is free.",
    type=click.IntRange(0, 65_535),
    default=8642,
)
@option("--open opens", "Open the browser too.", is_flag=True)
@json_option
def view(**given: Any) -> None:
    """Serve the RUNs that `tamis eval -o` left to the browser of this machine, until Ctrl-C.

    Filter the answers, set two methods, budgets or runs side by side, and open any answer in full.
    """
    work("runs:view", given)


@click.command("score")
@click.argument("run_dir", metavar="RUN_DIR", type=FILE)
@judging_options
@json_option
def score(**given: Any) -> None:
    """Score the answers of the run that `tamis eval -o RUN_DIR` left with the exact scorer as it is now.

    Then have them judged by other judges, by another rubric, or more often. What is new is added to the run.
    """
    work("runs:score", given)


@click.command("gate")
@click.argument("run_dir", metavar="RUN", type=FILE)
@option("--baseline", "What it is judged by.", "RUN", required=True, type=FILE)
@option("--margin", "So much worse is too much: 0.1 of recall, say.", "X", required=True, type=float)
@option(
    "--figure figure_name",
    "recall, statements, weighted_recall, regret_rate, refetch_tokens, tokens_per_task, reading, "
    "overall, reading:KIND, overall:DIMENSION.",
    "FIGURE",
    default="recall",
)
@method_option("Only this one  [default: every method of the baseline]")
@method_option("The baseline's method  [default: the one of the same name]", "--against")
@json_option
def gate(**given: Any) -> None:
    """Exit with 0 if the RUN is not worse than the baseline by the margin, at any budget, else with 1.

    It has to be shown: the whole 95 % interval of the difference lies on the good side of the margin. Runs
    that were measured in other ways cannot be compared: exit 2.
    """
    work("runs:gate", given)


@click.command("plan")
@click.argument("run_dir", metavar="RUN", type=FILE)
@option("--difference", "What is to be seen: 0.05 of recall, say.", "X", required=True, type=float)
@method_option("What the other methods are compared with  [default: the run's first]", "--baseline")
@option("--figure figure_name", "As in tamis gate.", "FIGURE", default="recall")
@json_option
def plan(**given: Any) -> None:
    """Plan an evaluation with the RUN as the pilot.

    Print how many sessions find a difference of X in 8 of 10 cases, at a level that allows for all
    comparisons, and the smallest difference that the RUN itself could have shown.
    """
    work("runs:plan", given)
