"""`tamis bench`: seeded cases, true drift, a board that is hard to game."""

from typing import Any

import click

from tamis.cli.lazy import Group, work
from tamis.cli.options import FILE, json_option, method_option, option, output_option, together

suite_option = option("--suite suite_name", "A suite's name, or a folder of templates.", default="practice")
case_options = together(
    suite_option,
    option("--slots", "Cases of each template.", default=5),
    option("--per-family", "Only the first N templates of each family.", "N", type=int),
    option("--cycles", "How often it is compacted again.", default=2),
    option(
        "--difficulty",
        "How obliquely things are said.",
        default="medium",
        type=click.Choice(["easy", "medium", "hard", "elite"]),
    ),
    option("--length length_tokens", "Tokens of a transcript.", default=4_000),
    option(
        "--position",
        "Where the tested turns stand; by turns unless told.",
        type=click.Choice(["start", "middle", "end"]),
    ),
    option(
        "--tier",
        "Compress at least 2x, 4x, 8x.",
        default="mid",
        type=click.Choice(["light", "mid", "aggressive"]),
    ),
    option("--seed-group", "Another group, other cases.", default="practice"),
    option("--secret", "A sealed seed group, from `bench seal`.", "FILE", type=FILE),
)
"""Which cases: the same for making, counting and running them."""


@click.group("bench", cls=Group)
def command() -> None:
    """Benchmark compaction methods on seeded, made-up sessions of any length."""


@command.command()
@suite_option
@option("--schema", "Print the JSON schema of a template file.", is_flag=True)
@json_option
def templates(**given: Any) -> None:
    """List the templates of a suite, or check a folder of your own.

    \b
    tamis bench templates
    tamis bench templates --suite my-suite/
    """  # noqa: D301 - click wants the character itself
    work("bench.cases:templates", given)


@command.command()
@case_options
@option("--template key", "Only this template's cases.", "KEY")
@output_option("FOLDER", "Write the transcripts there as sessions.")
@json_option
def cases(**given: Any) -> None:
    """Show the cases: their questions and what is expected. With -o, write the transcripts as sessions.

    \b
    tamis bench cases --template bc_release_day --slots 1
    tamis bench cases --per-family 1 --length 20000 -o cases/
    """  # noqa: D301 - click wants the character itself
    work("bench.cases:cases", given)


@command.command()
@case_options
@method_option("What to measure.", required=True)
@option("--reader", "lexical, or a model's name.", "NAME", default="lexical")
@output_option("FILE", "The run's log.", required=True)
@option("--resume", "Go on with a log that is there.", is_flag=True)
@option("--retry-missing", "Resume, and ask again what the reader did not answer.", is_flag=True)
@option("--timeout timeout_s", "Seconds for one compaction.", default=60.0)
@option("--compat", "Run as CompactBench's own program does; writes its results.jsonl.", is_flag=True)
@option("--words", "With --compat: where CompactBench is installed.", "FOLDER", type=FILE)
@option(
    "--seeds",
    "With --compat: what seeds are derived from; suite is release 0.1.0.",
    default="template",
    type=click.Choice(["template", "suite"]),
)
@json_option
def run(**given: Any) -> None:
    """Run a method over a suite: compact, ask, go on, compact again.

    METHOD is a name from `tamis methods`, package.module:Class, path/to/file.py:Class, or exec:COMMAND. What
    is not tamis's own runs in a process of its own, with limits and without your keys.

    \b
    tamis bench run -m ledger -o runs/ledger.jsonl
    tamis bench run -m ./mine.py:Mine --tier aggressive -o runs/mine.jsonl
    tamis bench run -m mask --reader gguf:model.gguf -o runs/mask.jsonl
    """  # noqa: D301 - click wants the character itself
    work("bench.running:run", given)


_logs = together(
    click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=FILE),
    option("--suite suites", "Where runs of a suite of your own have theirs.", "FOLDER", multiple=True),
)


@command.command()
@_logs
@json_option
def score(**given: Any) -> None:
    """Score runs from their logs, by this scorer and the published one; a results.jsonl as published.

    \b
    tamis bench score runs/*.jsonl
    tamis bench score results.jsonl
    """  # noqa: D301 - click wants the character itself
    work("bench.running:score", given)


@command.command()
@_logs
@output_option("FOLDER", "Write the board there as a site.")
@option("--force", "Replace a site that is there.", is_flag=True)
@json_option
def rank(**given: Any) -> None:
    """Rank runs; those of other cases, readers or scorers stand apart.

    With -o, the board is a site: index.html, which needs no network, and board.json with every figure.

    \b
    tamis bench rank runs/*.jsonl -o board/
    """  # noqa: D301 - click wants the character itself
    work("bench.running:rank", given)


@command.command()
@case_options
@json_option
def estimate(**given: Any) -> None:
    """Count what a run would take, before it is begun: compactions, questions, tokens.

    \b
    tamis bench estimate --per-family 1 --slots 1 --length 1000
    """  # noqa: D301 - click wants the character itself
    work("bench.cases:estimate", given)


@command.command()
@suite_option
@output_option("FILE", "The seal, to publish.", required=True)
@option("--secret", "The secret, to keep.", "FILE", required=True, type=FILE)
@json_option
def seal(**given: Any) -> None:
    """Draw a hidden seed group, and publish a hash of it before anybody is measured.

    \b
    tamis bench seal -o autumn.seal --secret autumn.secret
    tamis bench run --secret autumn.secret -m ledger -o runs/hidden.jsonl
    """  # noqa: D301 - click wants the character itself
    work("bench.cases:seal", given)


@command.command()
@click.argument("sealed", metavar="SEAL", type=FILE)
@click.argument("secret", metavar="SECRET", type=FILE)
@json_option
def reveal(**given: Any) -> None:
    """Check that a SECRET is the one that a SEAL was made from, and say its seed group.

    \b
    tamis bench reveal autumn.seal autumn.secret
    """  # noqa: D301 - click wants the character itself
    work("bench.cases:reveal", given)
