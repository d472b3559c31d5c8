"""What can be seen of a statement from the span alone: the signals by which its worth is judged."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tamis.compactors.brief.statement import Kind, Statement
from tamis.compactors.brief.terms import rarity, terms_of

NUMBERS = (
    "tokens",
    "age",
    "age_share",
    "requests_behind",
    "rarity",
    "names",
    "echo_later",
    "echo_earlier",
    "near_end",
    "near_request",
    "near_change",
    "place_in_message",
    "message_size",
)
FLAGS = (
    *(
        "whole",
        "boilerplate",
        "announces",
        "question",
        "cause",
        "choice",
        "found",
        "state",
        "change",
        "named",
    ),
    *(
        "heading",
        "code",
        "table",
        "item",
        "prose",
        "wants",
        "answer",
        "reads",
        "short",
        "last",
        "agent",
        "first",
    ),
    *("leans", "source", "scratch", "opens"),
    *("vague", "paste", "trouble", "reply", "outline", "review", "guess", "alone", "fact", "detail"),
)

_NAME = re.compile(
    r"`[^`\n]+`|\b\w+[._/]\w[\w./]*|\b[a-z]+[A-Z]\w*|\b[A-Z]{2,}-\d+|#\d+|\b[0-9a-f]{7,40}\b|\b\w+\(\)|\d{2,}"
)

ECHO_WINDOW = 400
"""Statements before and behind that are looked at for the same thing said again."""

MOST_HOLDERS = 40
"""A term that more statements hold tells nothing of who echoes whom."""

NEWEST_SHARE = 0.12
"""The part of a session, from its end, that counts as where things stand."""


@dataclass(frozen=True, slots=True)
class Signals:
    """The numbers, in the order of `NUMBERS`, and the flags that hold."""

    kind: Kind
    numbers: tuple[float, ...]
    flags: frozenset[str]


def signals_of(statements: Sequence[Statement], tokens: Sequence[int], turns: int) -> list[Signals]:
    """The signals of each statement of a session of so many messages."""
    terms = [terms_of(s.text) for s in statements]
    rare = rarity(terms)
    weights = [math.fsum(rare[t] for t in own) or 1.0 for own in terms]  # a set's order is another each time
    asked = sorted({s.turn for s in statements if s.kind == "asked"})
    requested = frozenset(
        t for s, own in zip(statements, terms, strict=True) if s.kind == "asked" for t in own
    )
    changed = frozenset(
        t for s, own in zip(statements, terms, strict=True) if s.kind in ("changed", "committed") for t in own
    )
    newest_from = turns * (1 - NEWEST_SHARE)
    newest = frozenset(
        t for s, own in zip(statements, terms, strict=True) if s.turn >= newest_from for t in own
    )
    later, earlier = _echoes(statements, terms, rare, weights)
    sizes: dict[int, int] = defaultdict(int)
    for s in statements:
        sizes[s.turn] += 1
    seen: dict[int, int] = defaultdict(int)
    found = []
    for at, s in enumerate(statements):
        place = seen[s.turn]
        seen[s.turn] += 1

        def share(of: frozenset[str], at: int = at) -> float:
            return sum(rare[t] for t in sorted(terms[at] & of)) / weights[at]

        flags = set(s.flags)
        if s.leads:
            flags.add("leans")
        numbers = (
            float(tokens[at]),
            float(turns - 1 - s.turn),
            1 - s.turn / max(turns - 1, 1),
            float(sum(t > s.turn for t in asked)),
            weights[at] / max(tokens[at], 1),
            float(len(_NAME.findall(s.text))),
            later[at],
            earlier[at],
            share(newest) if s.turn < newest_from else 1.0,
            share(requested) if s.kind != "asked" else 1.0,
            share(changed) if s.kind not in ("changed", "committed") else 1.0,
            place / max(sizes[s.turn] - 1, 1),
            float(sizes[s.turn]),
        )
        found.append(Signals(s.kind, numbers, frozenset(flags)))
    return found


def _echoes(
    statements: Sequence[Statement], terms: Sequence[frozenset[str]], rare: object, weights: Sequence[float]
) -> tuple[list[float], list[float]]:
    """How far each statement is said again by one later statement, and was said by one earlier."""
    holders: dict[str, list[int]] = defaultdict(list)
    later = [0.0] * len(statements)
    earlier = [0.0] * len(statements)
    for at, own in enumerate(terms):
        shared: dict[int, float] = defaultdict(float)
        for term in sorted(own):
            held = holders[term]
            if len(held) <= MOST_HOLDERS:
                weight = rare[term]  # type: ignore[index]
                for other in held:
                    if other >= at - ECHO_WINDOW:
                        shared[other] += weight
            held.append(at)
        for other, weight in shared.items():
            if statements[other].turn == statements[at].turn:
                continue
            later[other] = max(later[other], weight / weights[other])
            earlier[at] = max(earlier[at], weight / weights[at])
    return later, earlier
