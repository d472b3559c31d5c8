"""Server-sent events, taken apart from bytes and put together again.

https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerSentEvent:
    """One event: the bytes as they came, and what they say. `data` is None where it is no JSON object."""

    raw: bytes
    name: str = ""
    data: dict[str, Any] | None = None
    text: str = ""


async def read_events(pieces: AsyncIterator[bytes]) -> AsyncIterator[ServerSentEvent]:
    """The events of a stream, however it was cut into pieces.

    What stands behind the last blank line is given as a last event, so that no byte is lost.
    """
    held = bytearray()
    async for piece in pieces:
        searched = max(0, len(held) - 3)  # what stands before cannot be part of a blank line
        held += piece
        begin = 0
        while found := _END.search(held, searched):
            end = found.end()
            if end == len(held) and held.endswith(b"\r"):
                break  # its line feed may come with the next piece
            yield parse_event(bytes(held[begin:end]))
            begin = searched = end
        del held[:begin]
    if held:
        yield parse_event(bytes(held))


def parse_event(raw: bytes) -> ServerSentEvent:
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
    return ServerSentEvent(raw=raw, name=name, data=json_object(text), text=text)


def json_object(text: str | bytes) -> dict[str, Any] | None:
    """The JSON object that a text is; None where it is anything else.

    >>> json_object('{"type": "ping"}'), json_object("[1]"), json_object("{")
    ({'type': 'ping'}, None, None)
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def make_event(data: Mapping[str, Any], name: str = "") -> ServerSentEvent:
    """An event that says this."""
    text = json.dumps(data, separators=(",", ":"))
    head = f"event: {name}\n" if name else ""
    return ServerSentEvent(raw=f"{head}data: {text}\n\n".encode(), name=name, data=dict(data), text=text)
