"""Going on from an earlier brief: as much of its beginning as may stand stands again, to the byte.

A provider's cache serves the common beginning of two prompts, so a brief that is written anew each time costs
its full price each time. The longest beginning is taken with which the whole brief, filled up with what is
new, is worth nearly as much as one written afresh; behind it the brief is written anew.
"""

from collections.abc import Sequence
from dataclasses import replace

from tamis.compactors.brief.choice.selection import KEPT, Candidate, choose
from tamis.compactors.brief.reading.statement import Statement

SLACK = 0.06
"""The share of what a brief is worth that may be given for a beginning that stays."""

HALVINGS = 5
"""How finely the end of the beginning is looked for."""

StatementId = tuple[int, int, int, str]
"""Which statement: its turn, its part, its position there, its kind."""


def place_of(statement: Statement) -> StatementId:
    """By what a statement is known again in a later reading."""
    return (statement.turn, *statement.place, statement.kind)


def with_beginning(
    candidates: Sequence[Candidate], told: Sequence[StatementId], room: int
) -> list[Candidate]:
    """The candidates, a beginning that stays marked as kept, and what would stand among it gone."""
    order = {place: at for at, place in enumerate(sorted(told))}
    known = sorted(order[p] for c in candidates if (p := place_of(c.statement)) in order)
    least = (1 - SLACK) * _value(candidates, room)
    best, low, high = list(candidates), 0, len(known)
    for _ in range(HALVINGS):
        if low >= high:
            break
        middle = (low + high + 1) // 2
        tried = _kept(candidates, order, known[middle - 1])
        if _value(tried, room) >= least:
            best, low = tried, middle
        else:
            high = middle - 1
    return best


def _kept(candidates: Sequence[Candidate], order: dict[StatementId, int], last: int) -> list[Candidate]:
    """What stood up to the last one is kept; what else belongs before it is left out."""
    end = next(place for place, at in order.items() if at == last)
    found = []
    for candidate in candidates:
        place = place_of(candidate.statement)
        if order.get(place, last + 1) <= last:
            found.append(replace(candidate, required=KEPT))
        elif place > end:
            found.append(candidate)
    return found


def _value(candidates: Sequence[Candidate], room: int) -> float:
    return sum(candidates[at].worth for at in choose(candidates, room))
