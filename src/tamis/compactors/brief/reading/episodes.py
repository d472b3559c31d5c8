"""Episodes: the turns of the user's, and in a long turn the phases of the work."""

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.compactors.brief.reading.statement import Statement

LONG_TURN = 24
"""A turn of more messages than this is told in phases."""

PHASE = 12
"""About how many messages a phase has."""


@dataclass(frozen=True, slots=True)
class Episode:
    """A range of messages, end exclusive, that is told together."""

    start: int
    end: int


def episodes_of(statements: Sequence[Statement], turns: int, cuts: Sequence[int] = ()) -> list[Episode]:
    """The episodes of a session of so many messages; where an earlier brief ended, `cuts`, one ends too."""
    starts = sorted(
        {0, *cuts, *(s.turn for s in statements if s.kind == "asked" and "answer" not in s.flags)}
    )
    starts = [start for start in starts if start < turns] or [0]
    found: list[Episode] = []
    for start, end in zip(starts, [*starts[1:], turns], strict=True):
        found += _phases(statements, start, end) if end - start > LONG_TURN else [Episode(start, end)]
    return found


def _phases(statements: Sequence[Statement], start: int, end: int) -> list[Episode]:
    """A long turn cut where, after a stretch of looking, something was changed or tested."""
    marks = sorted(
        {s.turn for s in statements if start < s.turn < end and s.kind in ("changed", "committed")}
    )
    cuts = [start]
    for mark in marks:
        if mark - cuts[-1] >= PHASE:
            cuts.append(mark)
    for at in range(len(cuts) - 1, -1, -1):
        stop = cuts[at + 1] if at + 1 < len(cuts) else end
        many = (stop - cuts[at]) // (PHASE * 3)
        for n in range(many, 0, -1):
            cuts.insert(at + 1, cuts[at] + n * (stop - cuts[at]) // (many + 1))
    return [Episode(a, b) for a, b in zip(cuts, [*cuts[1:], end], strict=True)]
