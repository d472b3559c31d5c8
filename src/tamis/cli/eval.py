"""`tamis eval`: measure what compaction methods keep."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import (
    FILE,
    json_option,
    judging_options,
    method_option,
    option,
    output_option,
    tokenizer_option,
)


@click.command("eval")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=FILE)
@method_option(
    "A method to measure; repeat for more. METHOD+restated: with the constraints said again.",
    "-m --method methods",
    multiple=True,
    default=("truncate", "mask", "index", "extractive", "ledger"),
)
@option(
    "-b --budget budgets",
    "A budget; repeat for more. own: as many tokens as the agent's own summary took.",
    "TOKENS|PERCENT|own",
    multiple=True,
    default=("1.4%", "5%", "10%"),
)
@option(
    "--at",
    "Where to cut: 50%, 18k (tokens), #120 (a message), own (where the agent did); repeat for more.",
    "PLACE",
    multiple=True,
    default=("50%",),
)
@option("--cycles", "Compact so often in a row, the last answer and what is new.", "N", default=1)
@option(
    "--reader readers",
    "Who answers the probes: lexical needs no model; repeat for more.",
    "MODEL",
    multiple=True,
    default=("lexical",),
)
@judging_options
@option(
    "--likelihood likelihoods",
    "Bits that the agent's next act costs this model (gguf:FILE, or a server's URL); repeat for more.",
    "MODEL",
    multiple=True,
)
@option(
    "--next-action next_actions",
    "Compare this model's next call behind each context with the agent's.",
    "MODEL",
    multiple=True,
)
@option("--no-probes", "Measure hindsight and statement recall only.", is_flag=True)
@option("--probes", "Ask these saved probes, and make none.", "FILE", type=FILE)
@option("--probe-model", "A model that makes more probes, each with its proof.", "MODEL")
@output_option("RUN_DIR", "Keep everything there; a run that was stopped goes on.")
@option(
    "--plan planned",
    "Say how many sessions show a difference of X in recall from the first method.",
    "X",
    type=float,
)
@option("--jobs", "How many processes measure  [default: one for each core]", "N", type=int)
@option(
    "--engine",
    "Processes of this machine, or of a Ray cluster (RAY_ADDRESS, else one is started).",
    type=click.Choice(["processes", "ray"]),
    default="processes",
)
@option("--timeout timeout_s", "The most that one compaction may take.", "SECONDS", type=float, default=300.0)
@option(
    "--price-model",
    "Price the tokens as this model's, with and without a prompt cache (openai:gpt-5).",
    "MODEL",
)
@option(
    "--by",
    "Average by PATH, or by task: debugging, feature, review, refactoring, support, other.",
    type=click.Choice(["set", "task"]),
    default="set",
)
@option("--short", "Print one small table: what each method kept at each budget.", is_flag=True)
@tokenizer_option
@json_option
def command(**given: Any) -> None:
    """Measure methods on the sessions at the PATHs: files, or folders with everything below.

    Each session is cut, its older part compacted by every method at every budget, and judged by the names
    that the agent used behind the cut, what it summed up there, and questions. Sessions of one PATH are one
    set. Where models are asked, an estimate of the cost comes first.
    """
    work("eval:run", given)
