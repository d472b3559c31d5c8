"""What is carried on of a very long session: of each kind, the entries that matter most.

Without a bound, each compaction of a live session would write down, and rank, everything that ever happened.
The bounds are far above what sessions of some hundred messages reach. What is left out is what was settled or
merely looked at, longest ago; the messages that say it lie in the archive.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tamis.ledger.events import Constraint, Request, Task, TestRun
from tamis.ledger.state import Entry, ErrorState, FileState, State

MOST: Mapping[str, int] = {
    "requests": 300,
    "constraints": 300,
    "decisions": 300,
    "files": 1_000,
    "commands": 300,
    "tests": 100,
    "errors": 200,
    "tasks": 300,
    "facts": 500,
    "entities": 200,
    "corrections": 200,
}
"""How many entries of each kind are carried on."""

TURNS_PER_DOUBLING = 50
"""An entry that was said twice as often counts as if it had been said so many messages later."""


def bounded(state: State) -> State:
    """The state with no more than `MOST` entries of a kind; the same where it has no more.

    What still stands (the user's rules, changed files, open tasks and errors, failing tests) goes before what
    does not, then the newer and the more frequent before the rest. The first request always stays.
    """
    too_long = {name: table for name in MOST if len(table := getattr(state, name)) > MOST[name]}
    shorter: dict[str, Any] = {name: _best(table, MOST[name]) for name, table in too_long.items()}
    return replace(state, **shorter)


def _best(table: tuple[Entry[Any], ...], most: int) -> tuple[Entry[Any], ...]:
    ranked = sorted(table, key=_rank, reverse=True)[:most]
    kept = {entry.subject for entry in ranked}
    if isinstance(table[0].value, Request) and table[0].subject not in kept:
        kept.remove(ranked[-1].subject)
        kept.add(table[0].subject)
    return tuple(entry for entry in table if entry.subject in kept)


def _rank(entry: Entry[Any]) -> tuple[bool, float, str]:
    return _stands(entry.value), entry.last_turn + TURNS_PER_DOUBLING * math.log2(entry.count), entry.subject


def _stands(value: Any) -> bool:
    match value:
        case FileState():
            return value.status != "read"
        case Constraint():
            return value.by == "user"
        case Task():
            return value.status in ("open", "in_progress", "deferred")
        case ErrorState():
            return not value.resolved
        case TestRun():
            return value.is_red
        case _:
            return True
