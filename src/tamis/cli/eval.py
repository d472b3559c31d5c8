"""`tamis eval`: measure what compaction methods keep."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option, judging_options, method_option, output_option, tokenizer_option


@click.command("eval")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
@method_option(
    "-m",
    "--method",
    "methods",
    multiple=True,
    default=("truncate", "mask", "index", "extractive", "ledger"),
    help="A method to measure; repeat for more. METHOD+restated: with the constraints said again.",
)
@click.option(
    "-b",
    "--budget",
    "budgets",
    multiple=True,
    default=("1.4%", "5%", "10%"),
    metavar="TOKENS|PERCENT|own",
    help="A budget; repeat for more. own: as many tokens as the agent's own summary took.",
)
@click.option(
    "--at",
    multiple=True,
    default=("50%",),
    metavar="PLACE",
    help="Where to cut: 50%, 18k (tokens), #120 (a message), own (where the agent did); repeat for more.",
)
@click.option(
    "--cycles", default=1, metavar="N", help="Compact so often in a row, the last answer and what is new."
)
@click.option(
    "--reader",
    "readers",
    multiple=True,
    default=("lexical",),
    metavar="MODEL",
    help="Who answers the probes: lexical needs no model; repeat for more.",
)
@judging_options
@click.option(
    "--likelihood",
    "likelihoods",
    multiple=True,
    metavar="MODEL",
    help="Bits that the agent's next act costs this model (gguf:FILE, or a server's URL); repeat for more.",
)
@click.option(
    "--next-action",
    "next_actions",
    multiple=True,
    metavar="MODEL",
    help="Compare this model's next call behind each context with the agent's.",
)
@click.option("--no-probes", is_flag=True, help="Measure hindsight and statement recall only.")
@click.option("--probes", metavar="FILE", type=click.Path(), help="Ask these saved probes, and make none.")
@click.option("--probe-model", metavar="MODEL", help="A model that makes more probes, each with its proof.")
@output_option("RUN_DIR", "Keep everything there; a run that was stopped goes on.")
@click.option(
    "--plan",
    "planned",
    type=float,
    metavar="X",
    help="Say how many sessions show a difference of X in recall from the first method.",
)
@click.option(
    "--jobs", type=int, metavar="N", help="How many processes measure  [default: one for each core]"
)
@click.option(
    "--engine",
    type=click.Choice(["processes", "ray"]),
    default="processes",
    help="Processes of this machine, or of a Ray cluster (RAY_ADDRESS, else one is started).",
)
@click.option(
    "--timeout",
    "timeout_s",
    type=float,
    default=300.0,
    metavar="SECONDS",
    help="The most that one compaction may take.",
)
@click.option(
    "--price-model",
    metavar="MODEL",
    help="Price the tokens as this model's, with and without a prompt cache (openai:gpt-5).",
)
@click.option(
    "--by",
    type=click.Choice(["set", "task"]),
    default="set",
    help="Average by PATH, or by task: debugging, feature, review, refactoring, support, other.",
)
@click.option("--short", is_flag=True, help="Print one small table: what each method kept at each budget.")
@tokenizer_option
@json_option
def command(**given: Any) -> None:
    """Measure methods on the sessions at the PATHs: files, or folders with everything below.

    Each session is cut, its older part compacted by every method at every budget, and judged by the names
    that the agent used behind the cut, what it summed up there, and questions. Sessions of one PATH are one
    set. Where models are asked, an estimate of the cost comes first.
    """
    work("eval:run", given)
