"""A statement: one thing that was asked, said, found or done, with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

StatementKind = Literal[
    "asked",  # the user's words
    "demanded",  # what a file says that the user asked to carry out
    "concluded",  # what the agent told at the end of a turn
    "found",  # a cause, a reason, a decision, in the agent's words
    "said",  # the agent's other words
    "thought",  # the agent's reasoning
    "reported",  # what another agent gave back
    "committed",
    "posted",  # an issue, a pull request, a comment, a push
    "changed",  # a file
    "tested",  # a run of tests, a linter or a build
    "failed",  # a call that went wrong
    "ran",  # any other call
    "noted",  # what a model added
    "passage",  # source text word for word
]
KINDS: tuple[StatementKind, ...] = get_args(StatementKind)

WORDS: frozenset[StatementKind] = frozenset({"concluded", "found", "said", "thought", "reported"})
"""Kinds that stand in somebody's own words."""

WANTED: frozenset[StatementKind] = frozenset({"asked", "demanded"})
"""Kinds that say what is to be done, by the user or by what he refers to."""

DEEDS: frozenset[StatementKind] = frozenset({"committed", "posted", "changed", "tested", "failed", "ran"})
"""Kinds that tell of a call and what it came to."""

LISTED = frozenset({"item", "table"})
"""Flags of what is one of several."""

CUT = "cut"
"""Flag of a piece of a request of which the beginning is told."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Statement:
    """One thing that can be said, or left out; it is never cut.

    `turn` is the position of its message in the session and `place` its position in the message: the part,
    and the character. `leads` are statements without which it would mean something else: the heading over a
    list item, the sentence that a pronoun goes back to. `key` is what a deed was done to or with: a path, a
    command. `flags` say what can be seen of it (`signals.py`).
    """

    kind: StatementKind
    text: str
    turn: int
    place: tuple[int, int]
    leads: tuple[Statement, ...] = ()
    key: str = ""
    flags: tuple[str, ...] = ()


MOST_STATEMENTS = 5_000
"""Remembered from one compaction to the next; of more, the agent's oldest words go first."""

STOPPED, STOPPED_PLAN = "(stopped the agent's ", "(stopped the agent's plan)"
"""Begins what the user said in stopping a call; with its bracket's end, nothing was said."""

_PUT = re.compile(r"\A\w{0,20}?(?:plan|question)", re.IGNORECASE)
"""Names a tool that puts something before the user."""


def statements_to_json(statements: Sequence[Statement]) -> list[Any]:
    """Statements as JSON values, in order; `statements_from_json` gives the same back."""
    at = {id(s): i for i, s in enumerate(statements)}
    return [
        [s.kind, s.text, s.turn, *s.place, [at[id(n)] for n in s.leads if id(n) in at], s.key, list(s.flags)]
        for s in statements
    ]


def statements_from_json(data: Iterable[Sequence[Any]]) -> list[Statement]:
    """What `statements_to_json` gave; leads stand before what leans on them."""
    made: list[Statement] = []
    for kind, text, turn, part, start, leads, key, flags in data:
        made.append(
            Statement(
                kind=kind,
                text=text,
                turn=turn,
                place=(part, start),
                leads=tuple(made[i] for i in leads if i < len(made)),
                key=key,
                flags=tuple(flags),
            )
        )
    return made


def request_turns(statements: Sequence[Statement]) -> list[int]:
    """The turns at which the user asked for something by a message."""
    return sorted({s.turn for s in statements if s.kind == "asked" and "answer" not in s.flags})


def is_order(s: Statement) -> bool:
    """Whether one of several agents tells another what to do."""
    return "authored" in s.flags and s.kind in WORDS and " -> " in s.text.partition(": ")[0]


def tells_nothing(s: Statement, text: str) -> bool:
    """Whether a statement of this text tells only of a stopped call, an edited file, or a help text."""
    if s.kind == "asked":
        return text.startswith(STOPPED) and text.endswith(")") and not _PUT.match(text[len(STOPPED) :])
    if s.kind == "changed":
        bare = text.startswith("edited ") and ": " not in text and not text.endswith(")")
        return bare or text == f"wrote {s.key}"
    return s.kind == "ran" and "--help" in s.key.split()


def bounded(statements: Sequence[Statement]) -> list[Statement]:
    """No more statements than are remembered: all of the user's, then the newest."""
    if len(statements) <= MOST_STATEMENTS:
        return list(statements)
    asked = [s for s in statements if s.kind in ("asked", "committed")][-MOST_STATEMENTS // 2 :]
    others = [s for s in statements if s.kind not in ("asked", "committed")]
    kept = {id(s) for s in (*asked, *others[len(asked) - MOST_STATEMENTS :])}
    return [_without_lost(s, kept) for s in statements if id(s) in kept]


def _without_lost(statement: Statement, kept: Set[int]) -> Statement:
    leads = tuple(lead for lead in statement.leads if id(lead) in kept)
    return statement if leads == statement.leads else replace(statement, leads=leads)
