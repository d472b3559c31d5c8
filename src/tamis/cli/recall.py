"""`tamis recall`: search an archive by words."""

from __future__ import annotations

import click

from tamis.cli.inputs import json_option
from tamis.cli.output import print_json, say


@click.command("recall", short_help="Search an archive for what was taken out.")
@click.argument("archive", metavar="ARCHIVE", type=click.Path())
@click.argument("words", metavar="WORDS")
@click.option("-n", "--limit", default=10, show_default=True, metavar="N", help="Show at most N messages.")
@click.option("--session", metavar="ID", help="Only messages of this session.")
@json_option
def command(archive: str, words: str, limit: int, session: str | None, as_json: bool) -> None:
    """Search ARCHIVE for messages with all the WORDS, or with any of them where none has all.

    The best come first. `tamis expand ARCHIVE ID` prints one of them in full.
    """
    from tamis.archive import Archive, Hit
    from tamis.archive.tools import hit_line

    with Archive.open(archive, read_only=True) as opened:
        hits = opened.search(words, limit, session)
    if as_json:
        print_json(hits, list[Hit])
        return
    for hit in hits:
        say(hit_line(hit))
    if not hits:
        click.echo(f"nothing in {archive} says {words!r}", err=True)
