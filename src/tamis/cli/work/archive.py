"""The work of `tamis recall` and `tamis expand`: what lies in an archive, by words or by id."""

from dataclasses import dataclass
from typing import Any

import click

from tamis.archive import Archive, Hit
from tamis.archive.recall_tool import hit_line
from tamis.archive.store import text_of
from tamis.cli.work.output import print_json, say
from tamis.errors import InputError
from tamis.messages.codec import digest_of, message_to_json, to_record


@dataclass(frozen=True, kw_only=True)
class ExpandJson:
    """What `tamis expand --json` prints: the id in full, and the message with all of its fields."""

    id: str
    message: dict[str, Any]


def expand(archive: str, id: str, as_json: bool) -> None:  # noqa: A002 - the argument's name
    with Archive.open(archive, read_only=True) as opened:
        if id.startswith("[secret:"):
            say("\n".join(_secrets(opened, id)))
            return
        message = opened.get(id)
    if as_json:
        print_json(ExpandJson(id=digest_of(to_record(message)), message=message_to_json(message)))
        return
    say(text_of(message).encode("utf-8", "replace").decode("utf-8"))


def _secrets(archive: Archive, placeholder: str) -> list[str]:
    if found := archive.reveal(placeholder):
        return found
    raise InputError(f"{archive.path} does not know {placeholder}; was it masked into another archive?")


def recall(archive: str, *, words: str, limit: int, session: str | None, as_json: bool) -> None:
    with Archive.open(archive, read_only=True) as opened:
        hits = opened.search(words, limit, session)
    if as_json:
        print_json(hits, list[Hit])
        return
    for hit in hits:
        say(hit_line(hit))
    if not hits:
        click.echo(f"nothing in {archive} says {words!r}", err=True)
