"""A small context, and a talk that fills it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from compactors.conversations import run, say
from tamis.archive import Archive
from tamis.context import Context
from tamis.messages import Message

RULE = "Never change prices.csv, another program writes it."

BEGIN = [
    say("system", "You are careful.", id="sys"),
    say("user", f"Make rows.py skip empty rows. {RULE}", id="u1"),
]


def turns(many: int, start: int = 0, size: int = 20) -> Iterator[Message]:
    for n in range(start, start + many):
        yield from run(f"c{n}", f"cat file{n}.txt", f"content of file{n} " * size, 0)


def small(archive: Archive | None = None, **settings: Any) -> Context:
    return Context(**{"window": 2_000, "budget": 300, "archive": archive, **settings})
