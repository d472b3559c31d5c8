"""`tamis recall`, `expand` and `pin`: what was taken out, and what must never be."""

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import FILE, PATH, json_option, option


@click.command("recall")
@click.argument("archive", metavar="ARCHIVE", type=FILE)
@click.argument("words", metavar="WORDS")
@option("-n --limit", "Show at most N messages.", "N", default=10)
@option("--session", "Only messages of this session.", "ID")
@json_option
def recall(**given: Any) -> None:
    """Search ARCHIVE for messages with all the WORDS, or with any of them where none has all.

    The best come first. `tamis expand ARCHIVE ID` prints one of them in full.
    """
    work("archive:recall", given)


@click.command("expand")
@click.argument("archive", metavar="ARCHIVE", type=FILE)
@click.argument("id", metavar="ID")
@option("--session", "Only a message of this session.", "ID")
@json_option
def expand(**given: Any) -> None:
    """Print the message ID from ARCHIVE, as it was before it was taken out.

    ID is what `tamis recall` shows, a number as a brief shows it ('#20'), or a placeholder
    `[secret:KIND:DIGITS]`: then the secret is printed.
    """
    work("archive:expand", given)


@click.command("pin")
@click.argument("archive", metavar="ARCHIVE", type=PATH)
@click.argument("text", metavar="[TEXT]", required=False)
@option("--message", "Pin a message of the archive: an id that `tamis recall` shows.", "ID")
@option("--remove", "Unpin what has this id.", "ID")
@json_option
def pin(**given: Any) -> None:
    """Pin TEXT for all sessions that keep what they take out in ARCHIVE, or list what is pinned.

    From the next compaction on it stands word for word behind the brief. An agent's archive lies in its
    folder: `.claude/tamis.archive`.
    """
    work("archive:pin", given)
