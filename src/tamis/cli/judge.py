"""`tamis judge`: what a judge makes of answers whose worth is known."""

from typing import Any

import click

from tamis.cli.judging_options import AnswerCount
from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command("judge")
@click.argument("names", metavar="[JUDGE]...", nargs=-1)
@click.option("--rubric", "rubric_file", metavar="FILE", type=click.Path(), help="A rubric of your own.")
@click.option(
    "--cases", "cases_file", metavar="FILE", type=click.Path(), help="Labelled answers of your own."
)
@click.option(
    "--most", type=AnswerCount(), help="At most so many of the answers  [default: all; 24 for gguf:FILE]"
)
@click.option("--repeats", default=1, type=click.IntRange(1), help="How often each is asked.")
@click.option("--seed", default=0, help="What the order of the answers follows from.")
@click.option("--show-rubric", is_flag=True, help="Print the rubric that ships, to start your own from.")
@json_option
def command(**given: Any) -> None:
    """Put answers whose worth is known to each JUDGE, and say what it makes of them.

    A JUDGE is `offline`, or a model: openai:NAME, anthropic:NAME, http://host:port, or gguf:FILE. Several, or
    --repeats, get Krippendorff's alpha. The exit status is 0 when every judge can be relied on, else 1.
    """
    work("judge:run", given)
