"""A brief in little room: what holds now of what may be told, and what is asked with how things stand."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from tamis.compactors.brief.choice.selection import Candidate
from tamis.compactors.brief.reading.deeds.call_text import shortened
from tamis.compactors.brief.reading.edits.edited_places import EditedPlace, spoken_of_before
from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement, is_order, request_turns
from tamis.compactors.brief.writing.frame import one_line
from tamis.compactors.brief.writing.layout import render
from tamis.ledger.speech.requests import is_steering
from tamis.messages import Counter
from tamis.text.cues.discourse_cues import leans

LEAST_FOR_ALL = 420
"""In fewer tokens a brief tells what holds now, and what was asked before and answered gives way to it; it
has no headings over the story, and no line that says what its marks mean."""

LEAST_FOR_OLDER = 200
"""In fewer tokens it tells nothing that the agent said before its newest report; else since the request."""

LEAST_FOR_FRAME = 120
"""In fewer tokens a brief has a short frame."""

_ASIDE, _OPENS = frozenset({"detail", "boilerplate", "courtesy"}), frozenset({"heading", "opens"})
_AS_IT_WAS = re.compile(r"(?:there (?:is|are|seems?)|currently|at the moment|right now)\b", re.IGNORECASE)
"""Begins what a request tells of how things were before it was answered."""
_THIS = re.compile(r"\A[^?]{0,200}\b(?:this|these|that)\b[^?]{0,200}\?", re.IGNORECASE)
"""A question that does not name what it is about."""
_OF_NO_STATE = ("reverted ", "read ", "took up ", "handed to ")
"""Begins a deed that, told alone, says nothing of how the work stands, or the contrary."""

OUTCOME, LEAST_FOR_OUTCOME, CHARS_OF_TOKEN = 2, 12, 3.5
"""The rank of what the last turn came to, the tokens in which it says something, and the length of one."""
LEAST_OF_ONE = 0.75
"""A sentence of which a smaller part has room gives way to one that is told whole."""
_NO_OUTCOME = frozenset({"question", "heading", "opens", "code", "vague"})

_COPIED, _NO_AIM = frozenset({"code", "excerpt"}), frozenset({"boilerplate", "courtesy", "heading", "paste"})

ASKED_CHARS = (240, 160, 110, 75, 45)
"""To how many characters a request may be shortened, in the order in which it is tried."""

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
    left: int = 0,
    closed: bool,
    steps: bool = False,
    answered: Set[int] = frozenset(),
) -> list[Candidate]:
    """What a small brief may tell: what is asked, what was changed, and of the agent's words the newest.

    No heading says that a word is older, so in little room of the agent's words only those stand that came
    after the newest request and the last change, and what a request leans on. What was asked before and
    `answered`, at these turns, gives its room to what the newest turn came to. `left` is for the story; with
    `steps` still open, those of the newest request are told.
    """
    details = room >= LEAST_FOR_FRAME
    told = [c.statement for c in candidates]
    asked = [s for s in told if s.kind == "asked"]
    newest_asked = max((s.turn for s in asked), default=-1)
    waits = (s for s in asked if s.turn == newest_asked or s.turn not in answered)
    leads = {id(lead) for s in waits for lead in s.leads if not _is_answered(lead, s.text)}
    early = spoken_of_before(told, edits) | {id(s) for s in told if {"restore", "stale"} <= {*s.flags}}
    changed = max((s.turn for s in told if s.kind == "changed" and "trial" not in s.flags), default=-1)
    first = [*request_turns(told), -1][0]
    heads = [(s.turn, s.place) for s in asked if "heading" in s.flags and s.turn == newest_asked][: not steps]
    spoke = max((s.turn for s in told if s.kind in WORDS and s.kind != "thought"), default=-1)
    ends = spoke > changed and spoke >= newest_asked  # an answer stands with the words that it answers

    def is_of_now(c: Candidate) -> bool:
        s = c.statement
        if s.kind in WORDS:
            lasts = s.kind in ("found", "concluded") and s.turn > newest_asked and room >= LEAST_FOR_OLDER
            telling = "vague" not in s.flags or "reply" in s.flags or _opens_with_change(s)
            newest = lasts or (s.turn == spoke and ends and telling)
            newest = newest and ("reply" in s.flags or "runs-on" not in s.flags)
            is_one = "item" in s.flags and "\n" not in s.text  # of several, and says little alone
            return id(s) in leads or (newest and not (is_one or id(s) in early or is_order(s)))
        if s.kind == "asked":
            was = _AS_IT_WAS.match(s.text) and not {"first", "whole"} & {*s.flags}
            if closed and (was or any(head < (s.turn, s.place) for head in heads)):
                return False  # its steps were taken
            if s.turn in answered and not (s.turn == newest_asked or c.leads or id(s) in leads):
                return False
            yes = "?) " in s.text and is_steering(s.text.rpartition("?) ")[2])
            if yes and (s.turn < newest_asked or _THIS.search(s.text)):
                return False  # what was agreed to stands in the agent's words
            topic = s.turn in (newest_asked, first if "whole" in s.flags else -1)
            answers = s.turn < newest_asked and any(_is_answered(lead, s.text) for lead in s.leads)
            if not c.leads and (answers or (s.text.endswith("?") and not topic and id(s) not in leads)):
                return False  # it was answered
            newest_edit = () if details or c.leads or "item" not in s.flags else edits[-1:]
            if any(p.turn > s.turn and p.file in s.text for p in newest_edit):
                return False  # it does this
            opens = id(s) in leads and _OPENS & {*s.flags}
            return c.leads or bool(opens) or (details and c.required == 1) or not _ASIDE & {*s.flags}
        if s.kind == "committed" and s.turn < newest_asked:
            return False  # for a request of which nothing is told
        if not c.required and ({"trial", "outline"} & {*s.flags} or s.turn < changed):
            return False  # the work stands otherwise since
        if len(edits) > 1 and ": removed " in s.text and " ; put in " not in s.text:
            return False  # alone it tells the contrary of what the others put in
        is_now = c.required > 0 or (details and id(s) not in early)
        return is_now and not s.text.startswith(_OF_NO_STATE)

    kept, lost = [], set[int]()
    for c in candidates:
        is_kept = is_of_now(c) and not any(id(o) in lost and "prose" in o.flags for o in c.statement.leads)
        kept += [c] * is_kept
        lost |= set() if is_kept else {id(c.statement)}
    known = [c for c in kept if c.leads and c.statement.kind == "asked"]
    beside = left - sum(c.tokens for c in known)
    kept = _with_last_edit(kept, beside, edits)
    is_last = closed or spoke == newest_asked
    last = [c for c in kept if is_last and c.statement.kind in WORDS and c.statement.turn == spoke]
    questions = {id(c) for c in last if "question" in c.statement.flags}  # the user is told them under Next
    rest = [c for c in kept if id(c) not in questions]
    most = left - sum(c.tokens for c in known if c.statement.turn == newest_asked)
    said = [c for c in last if id(c) not in questions]
    outcome = _outcome(said, beside if beside >= LEAST_FOR_OUTCOME else most)
    if outcome is None:
        return rest
    at = outcome.statement.turn, outcome.statement.place
    return [outcome if (c.statement.turn, c.statement.place) == at else c for c in rest]


def _opens_with_change(s: Statement) -> bool:
    """Whether a message begins by telling what was done."""
    return s.key == "0" and {"change", "prose"} <= {*s.flags} and "opens" not in s.flags


def _with_last_edit(
    candidates: Sequence[Candidate], most: int, places: Sequence[EditedPlace]
) -> list[Candidate]:
    """The candidates; where the newest edit has no room, its place in that of all edits."""
    edits = [c for c in candidates if c.statement.kind == "changed" and c.required]
    last = max(edits, key=lambda c: c.statement.turn, default=None)
    if last is None or last.tokens <= most:
        return [*candidates]
    head, at = last.statement.text.partition(": ")[0], (f"/{last.statement.key}", last.statement.turn)
    if (many := len({p.part for p in places if (p.path, p.turn) == at})) > 1:  # one would stand for all
        head = f"{head.partition(' (')[0]} ({many} edits)"
    short = replace(
        last, statement=replace(last.statement, text=head), tokens=int(len(head) / CHARS_OF_TOKEN)
    )
    others = (c for c in candidates if c not in edits)
    return [*others, short] if head.endswith(")") else [*others]


def _outcome(said: Sequence[Candidate], most: int) -> Candidate | None:
    """What the last turn came to, in a sentence of the agent's; of one that is too long the beginning."""
    opening = [c for c in said if _opens_with_change(c.statement)]
    replies = opening or [c for c in said if "reply" in c.statement.flags]
    opens = [id(lead) for c in replies for lead in c.statement.leads if "named" in lead.flags]
    own = (c for c in said if not ("item" in c.statement.flags and "\n" in c.statement.text))
    opens += [id(c.statement) for c in replies]
    telling = [c for c in own if _NO_OUTCOME.isdisjoint(c.statement.flags) or id(c.statement) in opens]
    whole = [c for c in telling if c.tokens <= most and not c.statement.leads]

    def need_of(c: Candidate) -> tuple[bool, float]:
        return id(c.statement) in opens, c.worth

    best = max(telling, key=need_of, default=None)
    if best is not None and most < LEAST_OF_ONE * best.tokens:
        best = max(whole, key=need_of, default=best)
    if best is None or most < LEAST_FOR_OUTCOME:
        return None
    if best.tokens > most or best.statement.text.endswith(":"):
        text = shortened(one_line(best.statement.text).rstrip(":") + " …", int(most * CHARS_OF_TOKEN))
        tokens = min(best.tokens, most)
        best = replace(best, statement=replace(best.statement, text=text, leads=()), tokens=tokens)
    return replace(best, required=OUTCOME, leads=True)


def replies_of(statements: Sequence[Statement]) -> set[int]:
    """The turns of the requests before the newest that the agent answered."""
    found: set[int] = set()
    for asked, behind in pairwise(request_turns(statements)):
        own = [s for s in statements if asked < s.turn < behind]
        if own and own[-1].kind in WORDS and not any(s.turn == own[-1].turn and s.kind in DEEDS for s in own):
            found.add(asked)
    return found


def _is_answered(lead: Statement, answer: str) -> bool:
    """Whether an answer says more than yes or no to the question that it leans on."""
    return lead.text.endswith("?") and (not is_steering(answer) or any(map(str.isdigit, answer)))


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
        newest = next((s for s in own if s.kind == "asked" and not _NO_AIM & {*s.flags}), newest)
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

    Where things stand and what is next have room before what binds. None where not even the beginning of the
    request fits.
    """
    words = [one_line(s.text) for s in asked]
    for names, most_lines in FIRST_TO_LAST:
        kept = {name: lines[:most_lines] for name, lines in sections.items() if name in names}
        for most in ASKED_CHARS:
            told = {**kept, "asked": [f"> {shortened(said, most)}" for said in words]}
            text = render(told, legend=False, short=room < LEAST_FOR_FRAME)
            if counter.count(text) <= room:
                return text
    return None
