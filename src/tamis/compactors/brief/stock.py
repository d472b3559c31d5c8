"""The stock of a brief: all that can be said of a session, what each thing is worth, and what must be said."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tamis.compactors.brief.episodes import Episode, episodes_of
from tamis.compactors.brief.layout import lines_of
from tamis.compactors.brief.reading import Reading
from tamis.compactors.brief.selection import Candidate
from tamis.compactors.brief.signals import signals_of
from tamis.compactors.brief.statement import Statement
from tamis.compactors.brief.worth import Worth
from tamis.messages import Counter

NEWEST, FIRST = 1, 2
"""Ranks of what has room before all else: the newest request, and the first."""

REFERRING_CHARS = 160
_LABEL = re.compile(
    r"\b(?:option|variant|choice|number|#)\s*([A-Fa-f]|\d{1,2})\b|(?<![\w'])([A-F])(?![\w'])|(?<![\w.])(\d{1,2})(?![\w%])"
)
_LABELLED = re.compile(
    r"(?:- )?(?:option|variant)\s+([A-Fa-f]|\d{1,2})\b|(?:- |\| )?#?([A-F]|\d{1,2})(?:[.):]| \|)", re.IGNORECASE
)
_EMPTY = frozenset({"announces", "heading", "opens", "vague", "question", "code"})

_NOT_REQUIRED = frozenset({"boilerplate", "heading", "code", "answer", "retold", "opens"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Stock:
    """What can be said: candidates in the order of the session, in episodes; paths are told from `root`."""

    candidates: Sequence[Candidate]
    episodes: Sequence[Episode]
    root: str


def stock_of(reading: Reading, passages: Sequence[Statement], worth: Worth, counter: Counter) -> Stock:
    """The stock of a session as far as it was read."""
    root = root_of(reading)
    statements = [*settled(reading, root), *passages]
    tokens = counter.count_many(["\n".join(lines_of(s)) + "\n" for s in statements])
    signals = signals_of(statements, tokens, reading.turns)
    episodes = episodes_of(statements, reading.turns)
    ranks = _ranks(statements)
    candidates = []
    at = 0
    for number in sorted(range(len(statements)), key=lambda n: (statements[n].turn, statements[n].place)):
        statement = statements[number]
        while statement.turn >= episodes[at].end:
            at += 1
        candidates.append(
            Candidate(
                statement=statement,
                tokens=max(1, tokens[number]),
                worth=worth(signals[number]),
                episode=at,
                required=ranks.get(id(statement), 0),
            )
        )
    return Stock(candidates=candidates, episodes=episodes, root=root)


def settled(reading: Reading, root: str = "") -> list[Statement]:
    """The statements with what only the whole shows: which close a turn, and which files the agent made."""
    closing = _closing_turns(reading)
    last = reading.turns - 1
    born = {e.value.path for e in reading.state.files if e.value.born or e.value.status == "created"}
    made: dict[int, Statement] = {}
    replies: set[int] = set()
    closed: dict[int, list[Statement]] = {}
    for s in reading.statements:
        kind, flags, text = s.kind, set(s.flags), s.text
        if kind in ("said", "found") and s.turn in closing and "announces" not in flags:
            kind = "concluded"
        if s.turn == last or (closing and s.turn == max(closing)):
            flags.add("last")
        if kind == "changed" and s.key in born:
            flags = (flags - {"source"}) | {"scratch"}
        if kind == "concluded" and s.turn not in replies and not _EMPTY.intersection(flags):
            replies.add(s.turn)
            flags.add("reply")
        leads = tuple(made[id(n)] for n in s.leads if id(n) in made)
        if kind == "asked" and closed and "whole" in flags:
            leads += tuple(_referred(text, closed[max(closed)]))
        if root and kind != "asked":
            text = text.replace(root + "/", "")
        new = replace(s, kind=kind, text=text, flags=tuple(sorted(flags)), leads=leads)
        made[id(s)] = new
        if kind == "concluded":
            closed.setdefault(s.turn, []).append(new)
    return list(made.values())


def _referred(words: str, said: Sequence[Statement]) -> Iterator[Statement]:
    """The items of the agent's last message that a short answer names: `A.`, `option 3`, `skip 5, 7, 8`."""
    if len(words) > REFERRING_CHARS:
        return
    labels = {label.upper() for found in _LABEL.finditer(words) for label in found.groups() if label}
    for statement in said:
        item = _LABELLED.match(statement.text)
        if item and (item[1] or item[2]).upper() in labels:
            yield statement
            labels.discard((item[1] or item[2]).upper())


def request_turns(statements: Sequence[Statement]) -> list[int]:
    """The turns at which the user asked for something by a message."""
    return sorted({s.turn for s in statements if s.kind == "asked" and "answer" not in s.flags})


def root_of(reading: Reading) -> str:
    """The folder that paths are told from; empty where none is known."""
    if reading.cwd:
        return reading.cwd.rstrip("/")
    paths = [e.value.path for e in reading.state.files if e.value.path.startswith("/")]
    folder = os.path.commonpath(paths) if len(paths) > 1 else ""
    return folder if re.fullmatch(r"/.{3,}", folder) else ""


def _closing_turns(reading: Reading) -> set[int]:
    """Of each turn of the user's, the last message in which the agent says something."""
    spoken = sorted({s.turn for s in reading.statements if s.kind in ("said", "found")})
    asked = request_turns(reading.statements)
    closing = set()
    for start, end in zip([-1, *asked], [*asked, reading.turns], strict=True):
        within = [turn for turn in spoken if start < turn < end]
        if within:
            closing.add(within[-1])
    return closing


def _ranks(statements: Sequence[Statement]) -> Mapping[int, int]:
    asked = request_turns(statements)
    if not asked:
        return {}
    ranks = {asked[0]: FIRST, asked[-1]: NEWEST}
    return {
        id(s): ranks[s.turn]
        for s in statements
        if s.kind == "asked" and s.turn in ranks and not _NOT_REQUIRED.intersection(s.flags)
    }
