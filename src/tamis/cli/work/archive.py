"""The work of `tamis recall`, `expand` and `pin`: what lies in an archive, and what never goes there."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from tamis.archive import Archive, Hit
from tamis.archive.recall_tool import hit_line
from tamis.archive.store import text_of
from tamis.cli.work.output import made_of, print_json, say
from tamis.context.pins import add_pin, load_pins, pin_of, remove_pin
from tamis.errors import InputError
from tamis.messages.codec import digest_of, message_to_json, to_record


@dataclass(frozen=True, kw_only=True)
class ExpandJson:
    """What `tamis expand --json` prints: the id in full, and the message with all of its fields."""

    id: str
    message: dict[str, Any]


def expand(archive: str, *, id: str, session: str | None, as_json: bool) -> None:  # noqa: A002 - its name
    with Archive.open(archive, read_only=True) as opened:
        if id.startswith("[secret:"):
            if not (secrets := opened.reveal(id)):
                raise InputError(f"{opened.path} does not know {id}; was it masked into another archive?")
            say("\n".join(secrets))
            return
        message = opened.get(id, session)
    if as_json:
        print_json(ExpandJson(id=digest_of(to_record(message)), message=message_to_json(message)))
        return
    say(text_of(message).encode("utf-8", "replace").decode("utf-8"))


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


@dataclass(frozen=True, kw_only=True)
class PinJson:
    """One pin: its id, and what stands behind every brief."""

    id: str
    text: str


def pin(archive: Path, *, text: str | None, message: str | None, remove: str | None, as_json: bool) -> None:
    if sum(given is not None for given in (text, message, remove)) > 1:
        raise InputError("give a text, --message or --remove: one of them")
    if text is None and not archive.is_file():
        raise InputError(f"{archive}: there is no such archive; `tamis pin {archive} TEXT` makes one")
    with Archive.open(archive) as opened:
        if remove is not None:
            click.echo(f"unpinned: {remove_pin(opened, remove).text}", err=True)
        elif text is not None or message is not None:
            made = pin_of(opened.get(message) if message is not None else text or "")
            said = "pinned" if add_pin(opened, made) else "pinned already"
            click.echo(f"{said}: {made.id}", err=True)
        pins = [made_of(PinJson, one) for one in load_pins(opened)]
    if as_json:
        print_json(pins, list[PinJson])
    elif text is None and message is None:
        for shown in pins:
            click.echo(f"{shown.id} {' '.join(shown.text.split())}")
        if not pins:
            click.echo(f"nothing is pinned in {archive}", err=True)
