"""A brief in little room: what holds now of what may be told, and what is asked with how things stand."""

from collections.abc import Callable, Mapping, Sequence, Set
from itertools import pairwise

from tamis.compactors.brief.choice.selection import Candidate
from tamis.compactors.brief.reading.edits.edited_places import EditedPlace
from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement, request_turns
from tamis.compactors.brief.writing.holds_now import LEAST_FOR_FRAME, HoldsNow
from tamis.compactors.brief.writing.in_short import in_short
from tamis.compactors.brief.writing.layout import render
from tamis.compactors.brief.writing.told_first import NO_AIM, told_first
from tamis.ledger.speech.requests import is_steering
from tamis.messages import Counter
from tamis.text.cues.discourse_cues import leans

LEAST_FOR_ALL = 420
"""In fewer tokens a brief tells what holds now, and what was asked before and answered gives way to it; it
has no headings over the story, and says in few words what its marks mean."""

LEAST_FOR_KEY, LEAST_FOR_ONE = {"work": 180, "talk": 300}, 300
"""In fewer tokens it does not say what its marks mean; nor what binds one request that is answered."""

NEAR_REPLY = 4
"""A reply stands so near before the next request: behind other words stand calls of which no line tells."""

_COPIED = frozenset({"code", "excerpt"})

ASKED_CHARS, SAYS_ENOUGH = (240, 160, 110, 75, 45), 3
"""To how many characters a request may be shortened, in the order in which it is tried; three say enough."""

_ALL = ("rules", "state", "next")
FIRST_TO_LAST = (
    *((_ALL, most) for most in (None, 1)),
    *((names, None) for names in (("state", "next"), ("rules", "next"), ("next",), ("rules",), ())),
)
"""What stands beside the request, and how many lines of each, from all to nothing."""


def as_of_now(
    candidates: Sequence[Candidate],
    edits: Sequence[EditedPlace],
    *,
    room: int,
    count: Callable[[str], int],
    left: int = 0,
    closed: bool,
    works: bool = True,
    steps: bool = False,
    answered: Set[int] = frozenset(),
) -> list[Candidate]:
    """What a small brief may tell: what is asked, what was changed, and of the agent's words the newest.

    What was asked before and `answered`, at these turns, gives its room to what the newest turn came to.
    `left` is for the story; with `steps` still open, those of the newest request are told. What a reader has
    to know first stands first, and shorter where it has no room.
    """
    holds = HoldsNow(
        candidates=candidates,
        edits=edits,
        room=room,
        closed=closed,
        works=works,
        steps=steps,
        answered=answered,
    )
    kept, lost = [], set[int]()
    for c in candidates:
        if holds(c) and not any(id(o) in lost and "prose" in o.flags for o in c.statement.leads):
            kept.append(c)
        else:
            lost.add(id(c.statement))
    last = [c for c in kept if holds.ends and c.statement.kind in WORDS and c.statement.turn == holds.spoke]
    questions = {id(c) for c in last if closed and "question" in c.statement.flags}  # they stand under Next
    kept = [c for c in kept if id(c) not in questions]
    said = [c for c in last if id(c) not in questions]
    return told_first(kept, said, holds.waits, left=left, count=count)


def replies_of(statements: Sequence[Statement]) -> set[int]:
    """The turns of the requests before the newest that the agent answered."""
    found: set[int] = set()
    for asked, behind in pairwise(request_turns(statements)):
        own = [s for s in statements if asked < s.turn < behind]
        ends = bool(own) and own[-1].kind in WORDS and behind - own[-1].turn <= NEAR_REPLY
        if ends and not any(s.turn == own[-1].turn and s.kind in DEEDS for s in own):
            found.add(asked)
    return found


def request_alone(
    candidates: Sequence[Candidate], sections: Mapping[str, Sequence[str]], room: int, counter: Counter
) -> tuple[str, tuple[Statement, ...]] | None:
    """What is asked in little room, shortened, with how things stand."""
    required = [c for c in candidates if c.required and not _COPIED.intersection(c.statement.flags)]
    if not required:
        return None
    newest = min(required, key=need).statement
    if "item" in newest.flags:  # one of several steps would pass for the whole
        own = (c.statement for c in candidates if c.statement.turn == newest.turn)
        newest = next((s for s in own if s.kind == "asked" and not NO_AIM & {*s.flags}), newest)
    before = [c.statement for c in required if c.statement.kind == "asked" and c.statement.turn < newest.turn]
    goes_on = leans(newest.text) or is_steering(newest.text)
    asked = (*before[: int(goes_on)], newest)
    text = least_of(asked, sections, room=room, counter=counter)
    return (text, asked) if text else None


def need(c: Candidate) -> tuple[int, bool, bool]:
    """How soon a candidate has to be told: what it is known by first."""
    return c.required, not c.leads, not c.asks


def least_of(
    asked: Sequence[Statement], sections: Mapping[str, Sequence[str]], *, room: int, counter: Counter
) -> str | None:
    """The text of a brief with the beginnings of what is asked and as many sections as have room beside it.

    Where things stand and what is next have room before what binds, and so has a request that says enough.
    None where not even the beginning of the request fits.
    """
    enough = [(names, lines, ASKED_CHARS[:SAYS_ENOUGH]) for names, lines in FIRST_TO_LAST if "state" in names]
    for names, most_lines, sizes in (*enough, *((*each, ASKED_CHARS) for each in FIRST_TO_LAST)):
        kept = {name: lines[:most_lines] for name, lines in sections.items() if name in names}
        for most in sizes:
            told = {**kept, "asked": [f"> {in_short(s, most)}" for s in asked]}
            text = render(told, legend="", short=room < LEAST_FOR_FRAME)
            if counter.count(text) <= room:
                return text
    return None
