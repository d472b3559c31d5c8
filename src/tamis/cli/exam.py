"""`tamis exam`: can a reader go on from a compacted text? Graded blind."""

from typing import Any

import click

from tamis.cli.lazy import Group, work
from tamis.cli.options import FILE, json_option, method_option, option, output_option, tokenizer_option

sitting_argument = click.argument("folder", metavar="SITTING", type=click.Path(file_okay=False))


@click.group("exam", cls=Group)
def command() -> None:
    """Questions with key points, answered from one text alone, graded key point by key point, blind.

    \b
    tamis exam write SESSIONS --writer MODEL -o points  or bring your own
    tamis exam deal points SITTING -m ledger -m mask --sessions SESSIONS
    tamis exam answer SITTING --reader MODEL   or fill in SITTING/r0/answers.json
    tamis exam grade SITTING --judge MODEL     or fill in SITTING/grades.json
    tamis exam sit SITTING --reader 0          or answer in the browser
    tamis exam score SITTING
    """  # noqa: D301 - click wants the character itself


@command.command("write", short_help="Let a model write questions with key points.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=FILE)
@option("--writer", "Who writes them, from the span and what followed.", "MODEL", required=True)
@output_option("DIR", "A folder for the points.", required=True)
@option("--at", "Where to cut.", "PLACE", multiple=True, default=("50%",))
@option("--budget", "What a text may take: tokens, or a share.", "N", default="5%")
@option("--most", "The most questions at a point.", default=8, type=click.IntRange(1))
@tokenizer_option
def write(**given: Any) -> None:
    """Write the questions at the points of the sessions at the PATHs, one file to a point."""
    work("exam:write", given)


@command.command("deal", short_help="Deal the methods' texts to readers, blind.")
@click.argument("points", metavar="POINTS", type=click.Path(file_okay=False))
@sitting_argument
@method_option(
    "A method; `recorded` is the agent's own summary, `full` the whole span. Repeat for more.",
    "-m --method methods",
    multiple=True,
    required=True,
)
@option("--sessions", "Where the points' sessions are.", "DIR", required=True, type=FILE)
@tokenizer_option
def deal(**given: Any) -> None:
    """Compact every point by every method, and deal the texts: each reader sees each point once."""
    work("exam:deal", given)


@command.command("answer", short_help="Let a model answer the texts that nobody has answered.")
@sitting_argument
@option("--reader", "Who answers, from one text alone each time.", "MODEL", required=True)
def answer(**given: Any) -> None:
    """Answer from the texts; what is in SITTING/rN/answers.json already stays."""
    work("exam:answer", given)


@command.command("grade", short_help="Collect the answers, and let a model grade them.")
@sitting_argument
@option("--judge", "Who grades  [default: nobody; only the sheet is written]", "MODEL")
def grade(**given: Any) -> None:
    """Write SITTING/sheet.json, answers under letters; a judge's grades go to SITTING/grades.json."""
    work("exam:grade", given)


@command.command("sit", short_help="Answer or grade yourself, in the browser.")
@sitting_argument
@option("--reader", "Answer as this reader, from its texts alone.", "N", type=click.IntRange(0))
@option("--grades", "Grade, into this file in SITTING: grades-anna.json.", "FILE")
@option(
    "--port",
    "Where to listen on this machine; 0: wherever is free.",
    type=click.IntRange(0, 65_535),
    default=8643,
    show_default=True,
)
@option("--open opens", "Open the browser too.", is_flag=True)
def sit(**given: Any) -> None:
    """Serve the texts or the answers, page by page, to the browser of this machine, until Ctrl-C.

    Nothing says which method wrote what. Each page is kept when it is sent; the same command goes on where it
    was left. A judge is told in the end how far SITTING/grades.json agrees.
    """
    work("exam:sit", given)


@command.command("score", short_help="Print what the exam came to.")
@sitting_argument
@option("--against", "Other grades in SITTING, as a person's: say how far they agree.", "FILE")
@json_option
def score(**given: Any) -> None:
    """Print for each method the share of the key points with its interval, false claims and rating."""
    work("exam:score", given)
