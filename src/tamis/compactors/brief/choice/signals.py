"""What can be seen of a statement from the span alone: the signals by which its worth is judged."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.text.terms import rarity, terms_of, weight_of

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
    *("whole", "boilerplate", "announces", "question", "cause", "choice", "found", "state", "change"),
    *("named", "heading", "code", "table", "item", "prose", "wants", "answer", "reads", "short", "last"),
    *("agent", "first", "leans", "source", "scratch", "opens", "vague", "paste", "trouble", "reply"),
    *("outline", "guess", "alone", "fact", "detail", "courtesy", "value", "record", "effect"),
)

_NAME = re.compile(
    r"`[^`\n]+`|\b(?:\w+[._/]\w[\w./]*|[a-z]+[A-Z]\w*|[A-Z]{2,}-\d+|[0-9a-f]{7,40}\b|\w+\(\))|#\d+|\d{2,}"
)

_OPEN = frozenset({"announces", "opens", "question", "scratch", "outline"})
_STATES_CAUSE = re.compile(
    r"(?<!aybe the )(?<!erhaps the )\b(?:issue|problem|bug|cause|culprit)s?"
    r"(?! (?:could|may|might)\b)(?: \w{1,20}){0,2}"
    r"(?: (?:is|are|was|be)\b|:)"
    r"(?! (?:likely|probably|related|occurring|specific)\b| (?:at|on|in) (?:line |the `|`))"
    r"|(?:\bis|['’]s|\bwas) (?:because|due to|caused by)\b",
    re.IGNORECASE,
)

ECHO_WINDOW = 400
"""Statements before and behind that are looked at for the same thing said again."""

MOST_HOLDERS = 40
"""A term that more statements hold tells nothing of who echoes whom."""

NEWEST_SHARE = 0.12
"""The part of a session, from its end, that counts as where things stand."""


@dataclass(frozen=True, slots=True)
class Signals:
    """The numbers, in the order of `NUMBERS`, the flags that hold, and the words."""

    kind: StatementKind
    numbers: tuple[float, ...]
    flags: frozenset[str]
    text: str = ""


def signals_of(statements: Sequence[Statement], tokens: Sequence[int], turns: int) -> Iterator[Signals]:
    """The signals of each statement of a session of so many messages."""
    terms = [terms_of(s.text) for s in statements]
    rare = rarity(terms)
    weights = [weight_of(own, rare) or 1.0 for own in terms]
    works = any(s.kind in ("changed", "committed") for s in statements)  # there, "go on" is no new request
    asked = sorted(
        {s.turn for s in statements if s.kind == "asked" and not (works and "courtesy" in s.flags)}
    )
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
    judged = _diagnoses(statements)
    sizes: dict[int, int] = defaultdict(int)
    for s in statements:
        sizes[s.turn] += 1
    seen: dict[int, int] = defaultdict(int)
    for at, s in enumerate(statements):
        place = seen[s.turn]
        seen[s.turn] += 1

        def share(of: frozenset[str], at: int = at) -> float:
            return weight_of(terms[at], rare, of) / weights[at]

        numbers = (
            float(tokens[at]),
            float(turns - 1 - s.turn),
            1 - s.turn / max(turns - 1, 1),
            float(len(asked) - bisect_right(asked, s.turn)),
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
        judgement = judged.get(id(s), "")
        shown = {"leans" if s.leads else "", judgement}
        past = {"", "stale"} if judgement == "diagnosis" else {""}  # mended, it is why the change was made
        yield Signals(s.kind, numbers, frozenset({*s.flags, *shown} - past), s.text)


def _diagnoses(statements: Sequence[Statement]) -> Mapping[int, str]:
    """The last cause that an agent alone stated before each change, and the guesses that it overrules."""
    judged: dict[int, str] = {}
    settled: set[str] = set()
    waits = True
    for s in (s for s in reversed(statements) if "alone" in s.flags and _OPEN.isdisjoint(s.flags)):
        waits = waits or (s.kind == "changed" and "source" in s.flags)
        names, states = {*_NAME.findall(s.text)}, _STATES_CAUSE.search(s.text)
        if not names or s.kind not in ("said", "found") or not (states or "guess" in s.flags):
            continue
        if waits and states:
            settled |= names
            judged[id(s)], waits = "diagnosis", False
        elif 2 * len(names & settled) >= len(names) and "why" not in s.flags:
            judged[id(s)] = "overruled"
    return judged


def _echoes(
    statements: Sequence[Statement],
    terms: Sequence[Sequence[str]],
    rare: Mapping[str, float],
    weights: Sequence[float],
) -> tuple[list[float], list[float]]:
    """How far each statement is said again by one later statement, and was said by one earlier."""
    holders: dict[str, list[int]] = defaultdict(list)
    later = [0.0] * len(statements)
    earlier = [0.0] * len(statements)
    turns = [statement.turn for statement in statements]
    for at, own in enumerate(terms):
        shared: dict[int, float] = defaultdict(float)
        first, turn = at - ECHO_WINDOW, turns[at]
        for term in own:
            held = holders[term]
            if len(held) <= MOST_HOLDERS:
                weight = rare[term]
                for other in held[bisect_left(held, first) :]:
                    shared[other] += weight
            held.append(at)
        most = 0.0
        for other, weight in shared.items():
            if turns[other] != turn:
                most = weight if weight > most else most
                echo = weight / weights[other]
                later[other] = echo if echo > later[other] else later[other]
        earlier[at] = most / weights[at]
    return later, earlier
