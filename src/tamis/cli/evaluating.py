"""`tamis probes`, `judge`, `check-method` and `learn`: what evaluations and briefs are made of."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import AnswerCount, complete_method, json_option, output_option, tokenizer_option


@click.command("probes")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option(
    "--at",
    multiple=True,
    default=("50%",),
    metavar="PLACE",
    help="Where to cut: 50%, 18k (tokens), #120 (a message), own, or end (the live end); repeat for more.",
)
@click.option("--per-kind", default=6, type=click.IntRange(1), help="The most probes of a kind.")
@click.option("--probe-model", metavar="MODEL", help="Let a model write probes too; it must quote its proof.")
@click.option("--blind", metavar="MODEL", help="Leave out what this model answers without any context.")
@output_option("FILE", "Write the probes there, one to a line.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@click.option("--check", metavar="FILE", type=click.Path(), help="Check probes that were edited instead.")
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
def judge(**given: Any) -> None:
    """Put answers whose worth is known to each JUDGE, and say what it makes of them.

    A JUDGE is `offline`, or a model: openai:NAME, anthropic:NAME, http://host:port, or gguf:FILE. Several, or
    --repeats, get Krippendorff's alpha. The exit status is 0 when every judge can be relied on, else 1.
    """
    work("judge:run", given)


@click.command("check-method")
@click.argument("method", metavar="METHOD", shell_complete=complete_method)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option("--timeout", "timeout_s", default=60.0, help="Seconds for one compaction.")
@tokenizer_option
@json_option
def check_method(**given: Any) -> None:
    """Run METHOD through the guarantees, on sessions made to break it and on those at the PATHs.

    METHOD is a name from `tamis methods`, package.module:Class, path/to/file.py:Class, or exec:COMMAND. The
    exit status is 0 when every guarantee that no method may break held, else 1.
    """
    work("check_method:run", given)


@click.command("learn")
@click.argument("paths", metavar="[SESSIONS]...", nargs=-1, type=click.Path())
@output_option("FILE", "Write the weights to this file.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@click.option(
    "--show",
    is_flag=True,
    help="Show the weights of a file (the shipped ones unless one is named) instead of learning.",
)
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Read at most N files of each set.")
@click.option(
    "--exclude",
    multiple=True,
    metavar="PATTERN",
    help="Leave out files whose path ends like this (a/b.jsonl, *.md); can be given again.",
)
@click.option("--jobs", default=1, metavar="N", help="How many processes read sessions.")
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
