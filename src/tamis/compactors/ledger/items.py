"""What can be said in a brief: items, each with a place, a text and a worth.

An item is a whole thing: a sentence of a request, a file of the trail, a decision with its reason, a passage.
It is said or it is not; it is never cut.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

from tamis.ledger.state import Entry, State

Section = Literal[
    "asked", "rules", "decided", "noted", "files", "known", "detail", "where", "excerpts", "failed", "open"
]

TITLES: dict[Section, str] = {
    "asked": "Asked",
    "rules": "Rules",
    "decided": "Decided",
    "noted": "Noted by a model",
    "files": "Files",
    "known": "Known",
    "detail": "In detail",
    "where": "Where",
    "excerpts": "Excerpts",
    "failed": "Failed",
    "open": "Open tasks",
}
"""The sections in the order in which they stand: what seldom changes first, so that a prompt cache holds, and
last what the work goes on with."""


READ = "read, not changed"
"""The group of files that were only looked at; it stands with the names, not with the trail."""

HALF_LIFE = 60
"""Messages after which an entry is worth half."""

MAX_LINE_CHARS = 400
"""A command or a message that is longer is a script or a dump; its beginning says what it is."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Item:
    """Something that can be said.

    `worth` is what it is worth beside the names in it, in needed names: 1.0 is a name that is surely needed.
    `required` is 0 for what may be left out; a positive number says in which order the required items are
    placed before anything else. `order` places it within its section. `turns` are the positions of the
    messages that it comes from. `quote` marks text that is somebody's words and stands as a quotation.
    `group` is set for what can share a line with its like where there is nothing more to say of it: the
    files that were created, say. `details` are what can be said of it beyond the text, the newest last.
    """

    section: Section
    text: str
    order: tuple[int, ...]
    worth: float
    required: int = 0
    turns: tuple[int, ...] = ()
    quote: bool = False
    group: str = ""
    details: tuple[str, ...] = ()
    names: frozenset[str] = field(default=frozenset())


def faded(worth: float, entry: Entry[Any], state: State) -> float:
    """The worth of an entry by its age."""
    age = state.turns - 1 - entry.last_turn
    return worth * math.exp2(-age / HALF_LIFE)
