"""The work of `tamis recall`: search an archive by words."""

from __future__ import annotations

import click

from tamis.archive import Archive, Hit
from tamis.archive.recall_tool import hit_line
from tamis.cli.work.output import print_json, say


def run(archive: str, words: str, limit: int, session: str | None, as_json: bool) -> None:
    """What `tamis recall` does."""
    with Archive.open(archive, read_only=True) as opened:
        hits = opened.search(words, limit, session)
    if as_json:
        print_json(hits, list[Hit])
        return
    for hit in hits:
        say(hit_line(hit))
    if not hits:
        click.echo(f"nothing in {archive} says {words!r}", err=True)
