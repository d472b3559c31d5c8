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
from tamis.compactors.brief.speech import sentences_of_request
from tamis.compactors.brief.statement import WORDS, Statement, request_turns
from tamis.compactors.brief.worth import Worth
from tamis.ledger.state import State
from tamis.messages import Counter

NEWEST, FIRST = 1, 2
"""Ranks of what has room before all else: the newest request, and the first."""

LEAST_OLD = 12
"""A corrected text that is shorter may stand for something else elsewhere."""

FEW_REQUESTS = 2
"""With no more, the agent works alone: what it did and saw tells more than what it says to itself."""

WHOLE_SHARE = 0.2
"""A request that takes more of the room is told by its sentences."""

REFERRING_CHARS = 160
_LABEL = re.compile(
    r"\b(?:option|variant|choice|number|#)\s*([A-Fa-f]|\d{1,2})\b|(?<![\w'])([A-F])(?![\w'])|(?<![\w.])(\d{1,2})(?![\w%])"
)
_LABELLED = re.compile(
    r"(?:- )?(?:option|variant)\s+([A-Fa-f]|\d{1,2})\b|(?:- |\| )?#?([A-F]|\d{1,2})(?:[.):]| \|)",
    re.IGNORECASE,
)
_EMPTY = frozenset({"announces", "heading", "opens", "vague", "question", "code"})

_TAKES_BACK = re.compile(
    r"\b(?:ignore|disregard|forget|scratch) (?:that|it|(?:the|my) (?:last|previous)(?: (?:message|one|request))?)\b|\bwrong (?:chat|window|session)\b"
    r"|^never ?mind\b|^scratch that\b|忽略(?:上一|刚才)",
    re.IGNORECASE,
)
_SPEECH = frozenset({"asked", "said", "found", "thought"})
_OLD = re.compile(r"`([^`]+)` → `[^`]*`")
_NEW = re.compile(r"`[^`]+` → `([^`]+)`")

_NOT_REQUIRED = frozenset({"boilerplate", "heading", "code", "answer", "retold", "opens"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Stock:
    """What can be said: candidates in the order of the session, in episodes; paths are told from `root`."""

    candidates: Sequence[Candidate]
    episodes: Sequence[Episode]
    root: str


def stock_of(
    reading: Reading, extra: Sequence[Statement], *, worth: Worth, counter: Counter, room: int
) -> Stock:
    """The stock of a session as far as it was read, for a brief of `room` tokens."""
    root = root_of(reading)
    statements = [*_within(settled(reading, root), room, counter), *extra]
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
    gone = _withdrawn(reading.statements) | _overtaken(reading.statements)
    made: dict[int, Statement] = {}
    replies: set[int] = set()
    closed: dict[int, list[Statement]] = {}
    edited: dict[str, int] = {}
    corrected = Corrections(reading.state)
    alone: set[str] = {"alone"} if len(request_turns(reading.statements)) <= FEW_REQUESTS else set()
    for s in reading.statements:
        if id(s) in gone:
            continue
        kind, flags, text = s.kind, {*s.flags, *alone}, corrected(s)
        if not text:
            continue
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
        if kind == "ran" and "reads" in flags and _looks_at(text, edited, s.turn):
            flags.add("review")
        if kind == "changed" and "source" in flags:
            edited[s.key.rpartition("/")[2]] = s.turn
        if kind == "asked" and corrected.tells_fact(text):
            flags.add("fact")
        if root and kind != "asked":
            text = text.replace(root + "/", "")
        if kind in WORDS and "announces" in flags and s.turn != last and not leads:
            continue  # what it announced was done, or stands with what was not
        new = replace(s, kind=kind, text=text, flags=tuple(sorted(flags)), leads=leads)
        made[id(s)] = new
        if kind == "concluded":
            closed.setdefault(s.turn, []).append(new)
    return list(made.values())


class Corrections:
    """What the user corrected: the old words stand nowhere any more."""

    def __init__(self, state: State) -> None:
        self._old = [" ".join(e.value.old.split()) for e in state.corrections if e.value.old.strip()]
        facts = [e.value.text for e in (*state.facts, *state.entities) if e.value.text]
        self._facts = [" ".join(text.split()) for text in facts]

    def __call__(self, statement: Statement) -> str:
        """The statement's text without what was corrected since."""
        text = statement.text
        for old in self._old:
            words = r"\s+".join(map(re.escape, old.split()))
            if len(old) >= LEAST_OLD and re.search(words, text):
                text = re.sub(words, "", text).strip()
        return text

    def tells_fact(self, text: str) -> bool:
        """Whether a text holds a fact that stands."""
        told = " ".join(text.split())
        return any(fact in told for fact in self._facts)


def _looks_at(text: str, edited: Mapping[str, int], turn: int) -> bool:
    """Whether a deed looks at a file of the work behind a change of it: what it shows is how things are."""
    words = text.partition(" → ")[0]
    return "git diff" in words or any(name in words and at < turn for name, at in edited.items())


def _withdrawn(statements: Sequence[Statement]) -> set[int]:
    """What the user took back, and what the agent answered to it."""
    asked = request_turns(statements)
    gone: set[int] = set()
    for s in statements:
        if s.kind == "asked" and "whole" in s.flags and _TAKES_BACK.search(s.text) and s.turn in asked:
            before = [turn for turn in asked if turn < s.turn]
            if before:
                gone |= {id(o) for o in statements if before[-1] <= o.turn < s.turn and o.kind in _SPEECH}
    return gone


def _overtaken(statements: Sequence[Statement]) -> set[int]:
    """Runs that the same command's later run overtakes, and changes that a later change takes out again."""
    gone: set[int] = set()
    runs: dict[str, Statement] = {}
    for s in statements:
        if s.kind in ("tested", "failed") and s.key:
            if s.key in runs:
                gone.add(id(runs[s.key]))
            runs[s.key] = s
    removed: dict[str, list[str]] = {}
    for s in reversed(statements):
        if s.kind != "changed" or "outline" in s.flags:
            continue
        later = removed.get(s.key, [])
        new = _NEW.findall(s.text)
        if new and later and all(any(line in old for old in later) for line in new):
            gone.add(id(s))
        removed.setdefault(s.key, []).extend(_OLD.findall(s.text))
    return gone


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


def _within(statements: Sequence[Statement], room: int, counter: Counter) -> Iterator[Statement]:
    """The statements, the first and the newest request by their sentences where the whole is too long."""
    ranks = _ranks(statements)
    for s in statements:
        if id(s) in ranks and "whole" in s.flags and counter.count(s.text) > WHOLE_SHARE * room:
            yield from sentences_of_request(s)
        else:
            yield s


def root_of(reading: Reading) -> str:
    """The folder that paths are told from: the one that most files lie under; empty where none is known."""
    paths = [e.value.path for e in reading.state.files if e.value.path.startswith("/")]
    changed = [
        e.value.path for e in reading.state.files if e.value.status != "read" and e.value.path in paths
    ]
    changed = [path for path in changed if not path.startswith("/tmp/")]
    cwd = (reading.cwd or "").rstrip("/")
    if cwd and 2 * sum(path.startswith(cwd + "/") for path in changed) >= len(changed):
        return cwd
    folder = os.path.commonpath(changed) if len(changed) > 1 else cwd
    if folder in changed:
        folder = os.path.dirname(folder)
    return folder if re.fullmatch(r"/[^/]+/.+|/testbed|/[^/]*__[^/]*", folder) else cwd


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
