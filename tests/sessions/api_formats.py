"""What every format of an API must hold, written once for the tests of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tamis.messages import Message, Session, pair_calls
from tamis.sessions import ApiFormat, Document


def assert_accepted_and_stable(api: ApiFormat, adapter: Any, messages: tuple[Message, ...]) -> None:
    """The output is accepted by the client's types, reads back to itself, and writes back to itself."""
    items = api.encode(messages)
    adapter.validate_python(items)
    read = api.decode(items)
    assert api.encode(read.messages) == items
    assert api.decode(api.encode(read.messages)) == read
    assert pair_calls(read.messages).orphan_results == ()


def assert_unchanged(api: ApiFormat, items: list[dict[str, Any]]) -> Session:
    """What was read comes back out as it was; gives the session for more to look at."""
    session = api.decode(items)
    assert api.encode(session.messages) == items
    return session


def assert_file_unchanged(api: ApiFormat, path: Path, text: str) -> Session:
    """A file of one session comes back out as the same JSON; gives the session for more to look at."""
    path.write_text(text, encoding="utf-8")
    (session,) = api.read(Document(path))
    written = "".join(api.write(session))
    assert _values(written) == _values(text)
    return session


def whole(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The messages without halves of pairs, for sessions that were interrupted."""
    pairing = pair_calls(messages)
    torn = {*pairing.open_calls, *pairing.orphan_results}
    kept = []
    for m, message in enumerate(messages):
        lost = {place.part for place in torn if place.message == m}
        parts = [part for p, part in enumerate(message.parts) if p not in lost]
        if not lost:
            kept.append(message)
        elif parts:
            kept.append(message.with_parts(parts))
    return tuple(kept)


def _values(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
