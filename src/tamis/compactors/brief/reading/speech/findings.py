"""What a review found, or somebody proposed: gone where a later report tells that it was done.

So is what a review only approves of beside what it finds amiss.
"""

import re
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence, Set

from tamis.compactors.brief.reading.statement import WORDS, Statement, request_turns
from tamis.text.terms import terms_of

LEAST_SHARED, SETTLED_SHARE = 5, 0.6
"""So many of its terms, and so much of them, a line of a report shares with the finding that it settles."""

MOST_OPEN = 200
"""So many of the newest findings are looked at for each line of a report."""

LEAST_AMISS = 2
"""With so many remarks on what is amiss, those that approve are not needed."""

LABEL_CHARS = 80
"""What is no longer only says what the remarks below it are on."""

_APPROVES = re.compile(r"\W{0,12}(?:\(?\d{1,3}[.)])?\W{0,6}(?:✅|👍)")
_AMISS = re.compile(r"\W{0,12}(?:\(?\d{1,3}[.)])?\W{0,6}(?:⚠|❓|❌|🔴|🟡)")
_NUMBERED = re.compile(r"\A\W{0,6}(\d{1,2})[.)] ")
_PICKED = re.compile(r"\b\d{1,2}(?:(?: ?[-–,&] ?|,? and )\d{1,2}\b){1,20}")
_RANGE = re.compile(r"(\d+)(?: ?[-–] ?(\d+))?")
_LINE = re.compile(r"\n| ⏎ (?=[-*] )")
_BEGINS = re.compile(r"(?:\(reported\) )?\W{0,4}(?:`([\w#./-]{2,80})`|(#\d{1,6})\b)")
_WORD = re.compile(r"[\w#./-]{0,80}\w")
"""What an item begins with that is of a name, and words in which it may be said again."""
_EFFECTS = frozenset({"changed", "committed", "posted"})


def closed_findings(statements: Sequence[Statement]) -> set[int]:
    """The findings, by identity, that need not be told: settled since, or no more than praise."""
    asked = {*request_turns(statements)}
    gone: set[int] = set()
    found: deque[tuple[Statement, set[str]]] = deque(maxlen=MOST_OPEN)
    marked: dict[int, tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    acted = False  # since the last request: what is told then tells of it
    numbered: dict[int, dict[int, Statement]] = defaultdict(dict)  # proposals, by turn and number
    picked: list[Statement] = []
    for s in statements:
        if s.kind == "asked" and "whole" in s.flags:
            picked = _picked(s.text, [*numbered.values()])
        elif s.kind in WORDS and {"heading", "item"} & {*s.flags} and (number := _NUMBERED.match(s.text)):
            numbered[s.turn].setdefault(int(number[1]), s)
        acted = (acted and not (s.kind == "asked" and s.turn in asked)) or s.kind in _EFFECTS
        if s.kind == "committed" or (s.kind == "concluded" and "change" in s.flags and acted):
            verdicts = [terms_of(line) for line in _LINE.split(s.text) if not line.endswith(":")]
            settled = (
                f for f, terms in found if f.turn < s.turn and any(_settles(v, terms) for v in verdicts)
            )
            gone |= {*map(id, [*settled, *picked])}
        elif s.kind in WORDS and "item" in s.flags and (not acted or s.kind == "reported"):
            for own, cue in zip(marked[s.turn], (_APPROVES, _AMISS), strict=True):
                own.update([id(s)] if cue.match(s.text) else ())
            if "\n" not in s.text:
                found.append((s, {*terms_of(s.text)}))
    for approving, amiss in marked.values():
        gone |= approving if len(amiss) >= LEAST_AMISS else set()
    for s in statements:
        if s.kind in WORDS and s.leads and all(id(lead) in gone for lead in s.leads):
            gone.add(id(s))
    gone |= _passed_over(statements)
    return gone | _bare_labels(statements, gone)


def _passed_over(statements: Sequence[Statement]) -> set[int]:
    """Of what another agent lists by name, or a thought weighs, that of which nobody speaks again.

    As long as nothing was asked or done since, all of it stays.
    """
    named = {name: s.turn for s in statements for name in _WORD.findall(s.text)}
    since = max((s.turn for s in statements if s.kind in ("asked", *_EFFECTS)), default=-1)
    early = (s for s in statements if s.turn < since)
    ones = (s for s in early if s.kind == "thought" or s.text.startswith("(reported) - "))
    begins = ((s, found) for s in ones if (found := _BEGINS.match(s.text)))
    return {id(s) for s, found in begins if named.get(found[1] or found[2], -1) <= s.turn}


def _picked(request: str, lists: Sequence[Mapping[int, Statement]]) -> list[Statement]:
    """The proposals that a request takes up by their numbers: `now do 6, 7 and 9-11`."""
    found = _PICKED.search(request)
    ends = [(int(first), int(last or first)) for first, last in _RANGE.findall(found[0] if found else "")]
    numbers = [number for first, last in ends for number in range(first, last + 1)]
    proposed = next((own for own in reversed(lists) if all(map(own.__contains__, numbers))), {})
    return [proposed[number] for number in numbers] if proposed else []


def _bare_labels(statements: Sequence[Statement], gone: Set[int]) -> set[int]:
    """The short lines of which everything below is gone."""
    bare: set[int] = set()
    label: Statement | None = None
    is_bare = False
    for s in statements:
        if id(s) in gone:
            is_bare = True
            continue
        if label is not None and is_bare and "item" not in s.flags:
            bare.add(id(label))
        is_label = s.kind in WORDS and "item" not in s.flags and len(s.text) <= LABEL_CHARS
        label, is_bare = (s if is_label else None), False
    return bare


def _settles(verdict: Sequence[str], finding: set[str]) -> bool:
    shared = len(finding.intersection(verdict))
    return shared >= LEAST_SHARED and shared >= SETTLED_SHARE * len(verdict)
