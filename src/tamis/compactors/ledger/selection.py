"""Choosing what to say under a budget: what is required first, then whatever gives most per token.

The gain of an item is its own worth plus the likelihood of being needed of every name in it that nothing
chosen so far holds. That sum has diminishing returns (it is submodular), so the greedy choice by gain per
token is near the best one, and stale gains can be kept in a heap and renewed only when they come up (Minoux,
"Accelerated greedy algorithms for maximizing submodular set functions", 1978).
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tamis.compactors.ledger.items import Item, Section

REQUIRED_SHARES: Mapping[Section, float] = {
    "asked": 0.14,
    "rules": 0.08,
    "files": 0.10,
    "failed": 0.05,
    "open": 0.06,
}
"""The part of the budget that the required items of a section may take before anything else is chosen. What
is required and does not fit there competes with the rest by what it gains."""

FIRST_SHARE = 0.6
"""What the first sentence of what was asked may take: without it, nobody knows what the rest is about."""

_PIECES = re.compile(r"\w+")


@dataclass(kw_only=True, slots=True)
class Choice:
    """What was chosen, what was required and did not fit, and what it is worth together, in needed names."""

    items: list[Item] = field(default_factory=list)
    placed: set[int] = field(default_factory=set)
    names: list[str] = field(default_factory=list)
    left_out: list[Item] = field(default_factory=list)
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something to choose: an item or a bare name, its tokens and the names it would bring.

    The names stand in an order that is the same in every process, as a sum of floats depends on it.
    """

    what: Item | str
    tokens: int
    worth: float
    names: Collection[str]


def choose(
    items: Sequence[Candidate],
    names: Sequence[Candidate],
    likelihood: Mapping[str, float],
    room: int,
    *,
    kept: Sequence[Candidate] = (),
    kept_tokens: int = 0,
) -> Choice:
    """Fill `room` tokens.

    Args:
        items: what can be said.
        names: names that can be listed bare.
        likelihood: for each name, how likely it is to be needed.
        room: tokens to fill, beyond the frame.
        kept: what stands already; it is not in the choice, but counts for its value.
        kept_tokens: what that takes of the room.
    """
    choice = Choice()
    covered: set[str] = set()
    allowed = {section: share * room for section, share in REQUIRED_SHARES.items()}
    room -= kept_tokens

    def gain(candidate: Candidate) -> float:
        new = 0.0
        for name in candidate.names:
            if name not in covered:
                new += likelihood.get(name, 0.0)
        return candidate.worth + new

    def take(candidate: Candidate) -> None:
        choice.value += gain(candidate)
        covered.update(candidate.names)
        if isinstance(candidate.what, Item):
            choice.items.append(candidate.what)
        else:
            choice.names.append(candidate.what)

    for candidate in kept:
        choice.value += gain(candidate)
        covered.update(candidate.names)
        if isinstance(candidate.what, Item) and candidate.what.section in allowed:
            allowed[candidate.what.section] -= candidate.tokens
    required = [c for c in items if isinstance(c.what, Item) and c.what.required]
    waiting = []
    for candidate in sorted(required, key=lambda c: c.what.required if isinstance(c.what, Item) else 0):
        section = candidate.what.section if isinstance(candidate.what, Item) else "where"
        told = any(item.section == "asked" for item in choice.items)
        first = FIRST_SHARE * room if section == "asked" and not (told or kept) else 0
        if candidate.tokens <= max(allowed.get(section, 0), first):
            allowed[section] -= candidate.tokens
            room -= candidate.tokens
            take(candidate)
            choice.placed.add(id(candidate.what))
        else:
            waiting.append(candidate)
    chosen = {id(i) for i in choice.items}
    optional = [c for c in items if id(c.what) not in chosen] + list(names)
    heap = [(-gain(c) / c.tokens, i, c) for i, c in enumerate(optional)]
    heapq.heapify(heap)
    while heap:
        stale, i, candidate = heapq.heappop(heap)
        if candidate.tokens > room:
            continue
        fresh = -gain(candidate) / candidate.tokens
        if fresh > stale + 1e-12:
            heapq.heappush(heap, (fresh, i, candidate))
            continue
        if fresh >= 0:
            break  # nothing that is left says anything new
        room -= candidate.tokens
        take(candidate)
    chosen = {id(i) for i in choice.items}
    choice.left_out = [c.what for c in waiting if isinstance(c.what, Item) and id(c.what) not in chosen]
    return choice


def names_within(name: str, known: Callable[[str], bool]) -> frozenset[str]:
    """A name and the known names that can be read in it: ends of paths, parts of dotted names.

    >>> sorted(names_within("src/app/io.py", {"io.py", "app/io.py", "src"}.__contains__))
    ['app/io.py', 'io.py', 'src', 'src/app/io.py']
    """
    found = {name}
    pieces = [m.span() for m in _PIECES.finditer(name)]
    if len(pieces) > 12 or pieces == [(0, len(name))]:
        return frozenset(found)
    for i, (start, _) in enumerate(pieces):
        for _, end in pieces[i:]:
            for at in (start, start - 1):
                if at >= 0 and (part := name[at:end]) != name and known(part):
                    found.add(part)
    return frozenset(found)
