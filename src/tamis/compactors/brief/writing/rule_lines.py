"""What binds, as the lines of a brief: every rule of the user's, to the letter, as long as there is room."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import groupby

from tamis.compactors.brief.reading.statement import Statement, request_turns
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.layout import marked
from tamis.compactors.brief.writing.small_brief import LEAST_FOR_ONE, replies_of
from tamis.compactors.brief.writing.turn_end import is_closed
from tamis.compactors.completeness import MANY_ITEMS, STANDING, binding
from tamis.ledger.events import Constraint
from tamis.ledger.speech.sentence_acts import sentence_act
from tamis.ledger.state import Entry
from tamis.messages import Counter as TokenCounter

SHARE = 0.3
"""The part of the room that the user's own rules may take."""

SURE = 0.5
"""Less likely to be a rule, a sentence of a talk waits until the others have their room."""

FORMAL_SHARE = 0.08
"""The part that rules among a harness's instructions may take."""

_FORBIDS_DEEDS = re.compile(
    r"\b(?:modify|change|commit|edit|delete|touch|push|submit|remove|rename)\b", re.IGNORECASE
)
_BOUNDS_WORK = re.compile(
    r"\b(?:interactive (?:session|tool|command)|one command|only contain|separate commands)", re.IGNORECASE
)
"""Of a harness's instructions, what forbids or bounds what is done to the work; the rest is how to answer."""

_SHARES_DEEDS = re.compile(
    r"\b(?:commit|stag(?:e|ing)|push|stash|publish|deploy|force|merge|fetch)\b", re.IGNORECASE
)
MAX_FILE_RULE = 160
"""Of a project's rules for agents, the short ones on what others will see or lose."""

_HEADS = {
    "user": "said with the request",
    "over": "said with the answered request",
    "system": "of the project's rules for agents,",
}
_PRINTED = re.compile(r"^\W*(?:\w+\.)*\w*(?:Error|Exception|Warning)\b")
"""What a program printed and the user pasted."""

_WRAPPED = re.compile(r"(?<=[a-z,;]) ?\n(?=[a-z0-9(])")
"""Where a sentence goes on in the next line."""


def rules_of(
    reading: StatementReader,
    counter: TokenCounter,
    room: int,
    *,
    is_told: Callable[[Statement], bool] | None = None,
) -> tuple[str, ...]:
    """The lines of the rules that hold and are not told, oldest first; where room is short the newest stand.

    What has no room the gate names.
    """
    own, formal = [], []
    for entry in binding(reading.state):
        is_formal = _is_formal(reading, entry)
        text = _WRAPPED.sub(" ", _whole(reading, entry))
        if entry.value.by == "assistant" or text.endswith((":", "：")) or _PRINTED.search(text):
            continue
        place = (entry.source.part, entry.source.start)
        rule = Statement(kind="asked", text=text, turn=entry.last_turn, place=place)
        if is_told is not None and is_told(rule):
            continue
        if not is_formal and entry.value.by == "user":
            own.append((text, entry))
        elif (
            _BOUNDS_WORK.search(text) or (entry.value.polarity == "must_not" and _FORBIDS_DEEDS.search(text))
            if is_formal
            else len(text) <= MAX_FILE_RULE and _SHARES_DEEDS.search(text)
        ):
            formal.append((text, entry))
    within, is_talk = _requests_for_one(reading), reading.reader.talks
    kept: list[tuple[tuple[int, str], int, int, list[str]]] = []
    for entries, share in ((own, SHARE), (formal, FORMAL_SHARE)):
        left = share * room
        ranked = sorted(entries, key=lambda e: _by_need(e[0])) if entries is formal else entries
        for text, entry in sorted(ranked, key=lambda e: (is_talk and _is_doubtful(e[0]), -e[1].last_turn)):
            lines = marked(text, "> ")
            tokens = counter.count("\n".join(lines)) + 1
            is_for_one = entry.last_turn in within and not STANDING.search(text)
            if tokens <= left and not (is_for_one and room < LEAST_FOR_ONE):
                left -= tokens
                is_for_one = is_for_one or (entry.value.by, _is_formal(reading, entry)) == ("system", False)
                scope = (entry.last_turn, entry.value.by) if is_for_one else (-1, "")
                kept.append((scope, entry.first_turn, entry.source.start, lines))
    answered, told = replies_of(reading.statements), list[str]()
    for scope, group in groupby(sorted(kept), key=lambda rule: rule[0]):
        said = "over" if scope[1] == "user" and scope[0] in answered else scope[1]
        told += [f"- {_HEADS[said]} #{scope[0]}:"] if said else []
        told += [line for *_, lines in group for line in lines]
    return tuple(told)


def _is_doubtful(text: str) -> bool:
    """Whether what was learned of sentences speaks against the cue by which one is taken for a rule."""
    return sentence_act(text).rule < SURE


def _by_need(text: str) -> tuple[bool, int]:
    """Of a harness's rules, what forbids deeds goes before how they are done; short ones first."""
    return not _FORBIDS_DEEDS.search(text), len(text)


def _requests_for_one(reading: StatementReader) -> set[int]:
    """Turns of requests for one work, by lists or `Let's ...`, that are answered or followed by others."""
    asked = request_turns(reading.statements)
    own = [s for s in reading.statements if s.kind == "asked"]
    said = Counter(s.turn for s in own if "item" in s.flags)
    proposed = {s.turn for s in own if "whole" in s.flags and s.text[:5].lower() in ("let's", "let’s")}
    over = asked if is_closed(reading) else asked[:-1]
    return (
        {turn for turn in over if said[turn] >= MANY_ITEMS or turn in proposed} if len(asked) > 1 else set()
    )


def _whole(reading: StatementReader, entry: Entry[Constraint]) -> str:
    """The words of a rule, with the code that it opens."""
    text = entry.value.text.rstrip()
    if not text.endswith((":", "：")):
        return text
    own = (s.text for s in reading.statements if s.kind == "asked" and s.turn == entry.last_turn)
    return next((said for said in own if said.startswith(f"{text}\n") and "\n- " not in said), text)


def _is_formal(reading: StatementReader, entry: Entry[Constraint]) -> bool:
    start = reading.formal.get((entry.source.message_id, entry.source.part))
    return start is not None and entry.source.start >= start
