"""`tamis probes`, `judge`, `check-method` and `learn`: what evaluations and briefs are made of."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import (
    FILE,
    AnswerCount,
    complete_method,
    json_option,
    option,
    output_option,
    tokenizer_option,
)


@click.command("probes")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=FILE)
@option(
    "--at",
    "Where to cut: 50%, 18k (tokens), #120 (a message), own, or end (the live end); repeat for more.",
    "PLACE",
    multiple=True,
    default=("50%",),
)
@option("--per-kind", "The most probes of a kind.", default=6, type=click.IntRange(1))
@option("--probe-model", "Let a model write probes too; it must quote its proof.", "MODEL")
@option("--blind", "Leave out what this model answers without any context.", "MODEL")
@output_option("FILE", "Write the probes there, one to a line.")
@option("--force", "Overwrite FILE if it exists.", is_flag=True)
@option("--check", "Check probes that were edited instead.", "FILE", type=FILE)
@tokenizer_option
@json_option
def probes(**given: Any) -> None:
    """Make probes from the sessions at the PATHs: questions about the older part that it answers itself.

    Each names the messages that prove its answer, and the session and the point that it belongs to. What
    could be answered without the older part is left out, and counted.

    \b
    tamis probes session.jsonl -o probes.jsonl      make them, then edit the file
    tamis probes --check probes.jsonl session.jsonl are they probes, and proved?
    tamis eval session.jsonl --probes probes.jsonl  ask them
    """  # noqa: D301 - click wants the character itself
    work("probes:run", given)


@click.command("judge")
@click.argument("names", metavar="[JUDGE]...", nargs=-1)
@option("--rubric rubric_file", "A rubric of your own.", "FILE", type=FILE)
@option("--cases cases_file", "Labelled answers of your own.", "FILE", type=FILE)
@option("--most", "At most so many of the answers  [default: all; 24 for gguf:FILE]", type=AnswerCount())
@option("--repeats", "How often each is asked.", default=1, type=click.IntRange(1))
@option("--seed", "What the order of the answers follows from.", default=0)
@option("--show-rubric", "Print the rubric that ships, to start your own from.", is_flag=True)
@json_option
def judge(**given: Any) -> None:
    """Put answers whose worth is known to each JUDGE, and say what it makes of them.

    A JUDGE is `offline`, or a model: openai:NAME, anthropic:NAME, http://host:port, or gguf:FILE. Several, or
    --repeats, get Krippendorff's alpha. The exit status is 0 when every judge can be relied on, else 1.
    """
    work("judge:run", given)


@click.command("check-method")
@click.argument("method", metavar="METHOD", shell_complete=complete_method)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=FILE)
@option("--timeout timeout_s", "Seconds for one compaction.", default=60.0)
@tokenizer_option
@json_option
def check_method(**given: Any) -> None:
    """Run METHOD through the guarantees, on sessions made to break it and on those at the PATHs.

    METHOD is a name from `tamis methods`, package.module:Class, path/to/file.py:Class, or exec:COMMAND. The
    exit status is 0 when every guarantee that no method may break held, else 1.
    """
    work("check_method:run", given)


@click.command("learn")
@click.argument("paths", metavar="[SESSIONS]...", nargs=-1, type=FILE)
@output_option("FILE", "Write the weights to this file.")
@option("--force", "Overwrite FILE if it exists.", is_flag=True)
@option(
    "--show",
    "Show the weights of a file (the shipped ones unless one is named) instead of learning.",
    is_flag=True,
)
@option("--sample", "Read at most N files of each set.", "N", type=click.IntRange(1))
@option(
    "--exclude",
    "Leave out files whose path ends like this (a/b.jsonl, *.md); can be given again.",
    "PATTERN",
    multiple=True,
)
@option("--jobs", "How many processes read sessions.", "N", default=1)
@tokenizer_option
@json_option
def learn(**given: Any) -> None:
    """Learn what each statement of a session is worth, from what agents summed up later in SESSIONS.

    SESSIONS are files or folders, a set each. The same sessions give the same bytes, whatever --jobs.

    \b
    tamis learn ~/.claude/projects -o worth.json      learn
    tamis compact session.jsonl -m ledger@worth.json  use it
    tamis learn --show worth.json            look at it, or at those that ship
    """  # noqa: D301 - click wants the character itself
    work("learn:run", given)
