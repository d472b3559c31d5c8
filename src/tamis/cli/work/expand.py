"""The work of `tamis expand`: one message from an archive, in full."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tamis.archive import Archive
from tamis.archive.store import text_of
from tamis.cli.work.output import print_json, say
from tamis.errors import InputError
from tamis.messages.codec import digest_of, message_to_json, to_record


@dataclass(frozen=True, kw_only=True)
class ExpandJson:
    """What `tamis expand --json` prints: the id in full, and the message with all of its fields."""

    id: str
    message: dict[str, Any]


def run(archive: str, id: str, as_json: bool) -> None:  # noqa: A002 - the argument's name
    """What `tamis expand` does."""
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
