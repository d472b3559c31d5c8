"""Sections of a level, the lines in them, and the worth of each line.

L0  the current task and the latest tool results      verbatim
L1  the earlier iterations, each condensed            outcome, errors, decisions
L2  patterns across all iterations                    rules, errors by meaning, what worked, the file trail
L3  the skillbook, filtered by relevance              across sessions
"""

from dataclasses import dataclass
from typing import Literal

Level = Literal["L0", "L1", "L2", "L3"]

LineWorth = Literal["essential", "useful", "potentially useful", "wasteful"]
"""The four classes. What is essential never goes; what is wasteful always does."""

PRIORITY: dict[LineWorth, int] = {"essential": 1, "useful": 2, "potentially useful": 3, "wasteful": 4}
"""1 goes in first and is given up last."""

LineKind = Literal[
    "task",
    "latest",
    "rule",
    "skill",
    "outcome",
    "request",
    "error",
    "old error",
    "fixed",
    "decision",
    "change",
    "test",
    "worked",
    "command",
    "summary",
    "marked",
    "said",
    "name",
    "text",
]
"""What a line tells. `fixed` is an error that a later run showed gone; `old error` one of an iteration that
is no longer told by itself; `marked` has one of the essential words; `text` is given as it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryLine:
    """One thing that is kept or goes as a whole. Of two of the same worth, the higher `rank` goes in first.

    `meaning` is what it shares with lines that say the same; empty: its own words tell.
    """

    text: str
    kind: LineKind
    rank: float = 0.0
    meaning: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class MemorySection:
    """Lines of one level that stand under one heading.

    `source` names it: `task`, `latest`, `rules`, `errors`, `worked`, `skills`, `names`, `iteration 4`.
    `tokens_before` are those of what it stands for.
    """

    level: Level
    source: str
    lines: tuple[MemoryLine, ...]
    tokens_before: int


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedLine:
    """A line, what it is worth and why, and its tokens."""

    line: MemoryLine
    worth: LineWorth
    reason: str
    tokens: int

    @property
    def priority(self) -> int:
        """1 to 4, as `PRIORITY` says."""
        return PRIORITY[self.worth]
