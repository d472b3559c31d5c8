"""A statement: one thing that was asked, said, found or done, whole, with the place that it was read from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "asked",  # the user's words
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
    "passage",  # source text word for word
]

WORDS: frozenset[Kind] = frozenset({"concluded", "found", "said", "thought", "reported"})
"""Kinds that stand in somebody's own words."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Statement:
    """One thing that can be said, or left out; it is never cut.

    `turn` is the position of its message in the session and `place` its position in the message. `leads` are
    statements without which it would mean something else: the heading over a list item, the sentence that a
    pronoun goes back to. `about` are the files that it is about.
    """

    kind: Kind
    text: str
    turn: int
    place: tuple[int, int]
    density: float = 0.0
    required: int = 0
    leads: tuple[Statement, ...] = ()
    about: tuple[str, ...] = ()
    key: str = ""
    features: tuple[str, ...] = field(default=())
