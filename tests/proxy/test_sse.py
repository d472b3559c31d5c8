from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.proxy import sse


async def cut(raw: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(raw), size):
        yield raw[start : start + size]


async def read(raw: bytes, size: int) -> list[bytes]:
    return [event.raw async for event in sse.read_events(cut(raw, size))]


@given(raw=st.text("\r\nad: ").map(str.encode), size=st.integers(1, 7))
async def test_how_a_stream_is_cut_changes_no_event(raw: bytes, size: int) -> None:
    events = await read(raw, size)
    assert b"".join(events) == raw
    assert [bool(re.search(rb"\r\n\r\n|\n\n|\r\r", e[:-4])) for e in events] == [False] * len(events)


class Searching:
    """The pattern, and how many bytes it was given to look through."""

    def __init__(self) -> None:
        self.bytes = 0

    def search(self, held: bytearray, start: int) -> re.Match[bytes] | None:
        self.bytes += len(held) - start
        return re.compile(rb"\r\n\r\n|\n\n|\r\r").search(held, start)


async def test_an_event_in_many_pieces_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searching = Searching()
    monkeypatch.setattr(sse, "_END", searching)
    raw = b"data: " + b"x" * 100_000 + b"\n\n"
    assert await read(raw, 64) == [raw]
    assert searching.bytes < 2 * len(raw)


def test_an_event_nested_without_end_is_no_object() -> None:
    assert sse.parse_event(b"data: " + b"[" * 100_000 + b"\n\n").data is None
