"""Server-sent events, taken apart from bytes and put together again.

https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """One event: the bytes as they came, and what they say. `data` is None where it is no JSON object."""

    raw: bytes
    name: str = ""
    data: dict[str, Any] | None = None
    text: str = ""


async def read_events(pieces: AsyncIterator[bytes]) -> AsyncIterator[Event]:
    """The events of a stream, however it was cut into pieces.

    What stands behind the last blank line is given as a last event, so that no byte is lost.
    """
    held = b""
    async for piece in pieces:
        held += piece
        while found := _END.search(held):
            if found.end() == len(held) and held.endswith(b"\r"):
                break  # its line feed may come with the next piece
            yield parse_event(held[: found.end()])
            held = held[found.end() :]
    if held:
        yield parse_event(held)


def parse_event(raw: bytes) -> Event:
    r"""One event.

    >>> parse_event(b'event: ping\ndata: {"type": "ping"}\n\n').data
    {'type': 'ping'}
    """
    name = ""
    lines = []
    for line in re.split(r"\r\n|\n|\r", raw.decode("utf-8", "replace")):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            lines.append(value)
    text = "\n".join(lines)
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    return Event(raw=raw, name=name, data=data if isinstance(data, dict) else None, text=text)


def make_event(data: Mapping[str, Any], name: str = "") -> Event:
    """An event that says this."""
    text = json.dumps(data, separators=(",", ":"))
    head = f"event: {name}\n" if name else ""
    return Event(raw=f"{head}data: {text}\n\n".encode(), name=name, data=dict(data), text=text)
