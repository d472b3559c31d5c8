"""A brief in little room: what holds now of what may be told, and what is asked with how things stand."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from tamis.compactors.brief.choice.selection import KEPT, Candidate
from tamis.compactors.brief.reading.edits.edited_places import EditedPlace, spoken_of_before
from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement, is_order, request_turns
from tamis.compactors.brief.writing.in_short import in_short, is_short_order
from tamis.compactors.brief.writing.layout import render
from tamis.ledger.files.paths import is_trial
from tamis.ledger.speech.requests import is_steering
from tamis.messages import Counter
from tamis.text.cues.discourse_cues import leans
from tamis.text.terms import terms_of

LEAST_FOR_ALL = 420
"""In fewer tokens a brief tells what holds now, and what was asked before and answered gives way to it; it
has no headings over the story, and says in few words what its marks mean."""

LEAST_FOR_OLDER = 200
"""In fewer tokens it tells nothing that the agent said before its newest report; else since the request."""

LEAST_FOR_KEY, LEAST_FOR_ONE = {"work": 180, "talk": 300}, 300
"""In fewer tokens it does not say what its marks mean; nor what binds one request that is answered."""

LEAST_FOR_FRAME = 120
"""In fewer tokens a brief has a short frame."""

_ASIDE, _OPENS = frozenset({"detail", "boilerplate", "courtesy"}), frozenset({"heading", "opens"})
_AS_IT_WAS = re.compile(r"(?:there (?:is|are|seems?)|currently|at the moment|right now)\b", re.IGNORECASE)
"""Begins what a request tells of how things were before it was answered."""
_THIS = re.compile(r"\A[^?]{0,200}\b(?:this|these|that)\b[^?]{0,200}\?", re.IGNORECASE)
"""A question that does not name what it is about."""
_OF_NO_STATE = ("reverted ", "read ", "took up ", "handed to ")
"""Begins a deed that, told alone, says nothing of how the work stands, or the contrary."""

SHARES = {"asked": 0.65, "last": 0.2, "came": 0.35, "done": 0.3, "amiss": 0.35, "order": 0.2, "first": 0.25}
"""What is told before all else, in this order, and the part of the room for the story that each may take: the
request, the order that it ends with, what the work came to or stands at, the edit that answers it, what is
amiss, what a harness says to do about an issue, and the first request. Room that is left goes to them in the
same order."""

LEAST_TOLD, SHORT_EDIT, CHARS_OF_TOKEN = 18, 40, 3.5
"""The tokens in which a part of a sentence says something, those in which an edit is told with what it
changes wherever they are left, and the length of one."""
_NO_OUTCOME = frozenset({"announces", "question", "heading", "opens", "code", "table", "vague"})
_EFFECTS = frozenset({"changed", "committed", "posted"})
_NEWS = frozenset({"cause", "found", "state", "verdict"})
_SEEMS = re.compile(r"it (?:seems|appears|looks like) (?:that )?", re.IGNORECASE)
_PREPARES = re.compile(
    r"\W{0,3}(?:(?:please|first|start by|begin by|have a|take a)[, ]+){0,2}"
    r"(?:read|look(?:ing)? (?:at|into|through)|study|see|review|open|go through|familiari[sz]e)\w{0,3}\b",
    re.IGNORECASE,
)
_MAKES = re.compile(
    r"\b(?:creat|writ|implement|add|fix|build|mak|draft|refactor|renam|mov|remov|replac|updat|chang|convert|port"
    r"|migrat|design|plan|generat)(?:e|es|ing)?\b",
    re.IGNORECASE,
)
"""Begins what is to be read before something is made, and what says that something is to be made."""

_TEST = re.compile(r"[_.-](?:test|spec)s?\.\w{1,4}\Z|(?:^|/)tests?[_/]")
LEAST_TERMS, LEAST_OF_AIM, MOST_NEAR = 6, 4, 3
"""With fewer terms a sentence of an issue, or of a request, says little; what is amiss is near the title."""

_STEPS = re.compile(r"\b(?:reproduc\w*|steps|environment|versions?)\b[^\n]{0,40}\Z", re.IGNORECASE)
"""Opens how to see what an issue tells of, and where it was seen."""

_COPIED, _NO_AIM = frozenset({"code", "excerpt"}), frozenset({"boilerplate", "courtesy", "heading", "paste"})

MARK_TOKENS = 2
"""Of the sign for what is left out before a piece."""

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

    No heading says that a word is older, so in little room of the agent's words only those stand that came
    after the newest request and the last change, and what a request leans on. What was asked before and
    `answered`, at these turns, gives its room to what the newest turn came to. `left` is for the story; with
    `steps` still open, those of the newest request are told. What a reader has to know first stands first,
    and shorter where it has no room.
    """
    details = room >= LEAST_FOR_FRAME
    told = [c.statement for c in candidates]
    asked = [s for s in told if s.kind == "asked"]
    newest_asked = max((s.turn for s in asked), default=-1)
    waits = [s for s in asked if s.turn == newest_asked or s.turn not in answered]
    leads = {id(lead) for s in waits for lead in s.leads if not _is_answered(lead, s.text)}
    early = spoken_of_before(told, edits) | {id(s) for s in told if {"restore", "stale"} <= {*s.flags}}
    changed = max((s.turn for s in told if s.kind in _EFFECTS and "trial" not in s.flags), default=-1)
    first = [*request_turns(told), -1][0]
    heads = [(s.turn, s.place) for s in asked if "heading" in s.flags and s.turn == newest_asked][: not steps]
    spoken = [s for s in told if s.kind in WORDS and s.kind != "thought"]
    spoke = max((s.turn for s in spoken), default=-1)
    ends = spoke > changed and spoke >= newest_asked  # an answer stands with the words that it answers
    if ends and not closed:  # what was announced since says nothing of how things stand
        since = (s for s in spoken if s.turn > changed and s.turn >= newest_asked and id(s) not in early)
        acted = max((s.turn for s in told if s.kind in DEEDS), default=-1)  # what failed may go well since
        since = (s for s in since if _tells(s) and ("why" not in s.flags or s.turn >= acted))
        spoke = max((s.turn for s in since), default=spoke)

    def is_of_now(c: Candidate) -> bool:
        s = c.statement
        if not works:
            return True
        if s.kind in WORDS:
            lasts = s.kind in ("found", "concluded") and s.turn > newest_asked and room >= LEAST_FOR_OLDER
            lasts = lasts and (s.turn > changed or {"cause", "why"} & {*s.flags} == {"cause"})
            is_own = "reply" in s.flags or "runs-on" not in s.flags
            is_own = is_own or (not closed and s.turn == spoke and not leans(_SEEMS.sub("", s.text)))
            newest = is_own and (lasts or (s.turn == spoke and ends and _tells(s)))
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
            if any(_STEPS.search(o.text.rstrip(":")) for o in (s, *s.leads) if "opens" in o.flags):
                return False
            newest_edit = () if details or c.leads or "item" not in s.flags else edits[-1:]
            if any(p.turn > s.turn and p.file in s.text for p in newest_edit):
                return False  # it does this
            opens = id(s) in leads and _OPENS & {*s.flags}
            is_last = c.required == 1 and (details or "wants" in s.flags or steps)
            is_last = is_last or "order" in s.flags
            return c.leads or bool(opens) or is_last or not _ASIDE & {*s.flags}
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
    last = [c for c in kept if ends and c.statement.kind in WORDS and c.statement.turn == spoke]
    questions = {id(c) for c in last if closed and "question" in c.statement.flags}  # they stand under Next
    kept = [c for c in kept if id(c) not in questions]
    said = [c for c in last if id(c) not in questions]
    return _told_first(kept, said, waits, left=left, count=count)


def _told_first(
    kept: Sequence[Candidate],
    said: Sequence[Candidate],
    waits: Sequence[Statement],
    *,
    left: int,
    count: Callable[[str], int],
) -> list[Candidate]:
    """The candidates; those without which nobody knows how things stand are kept, each in its part."""
    asked = [c for c in kept if c.statement.kind == "asked" and (c.required or "order" in c.statement.flags)]
    newest = max((c.statement.turn for c in asked), default=-1)
    own = [c for c in asked if c.statement.turn == newest]
    aim, first = _aim(own), _aim([c for c in asked if c.statement.turn < newest])
    order = next((c for c in own if "order" in c.statement.flags), None)
    ends = (c for c in own if "final" in c.statement.flags and is_short_order(c.statement, c.statement.text))
    last = next((c for c in ends if c not in (aim, order)), None)
    rest = [c for c in own if c not in (aim, order, last) and not (_NO_AIM | _OPENS) & {*c.statement.flags}]
    if aim and "typed" in aim.statement.flags:
        rest = rest[:1]  # the template that it was typed behind: which one says its beginning
    if order:  # an issue says first what is amiss
        rest = [c for c in rest if len(terms_of(c.statement.text)) >= LEAST_TERMS][:MOST_NEAR]
    amiss = min(
        rest,
        key=lambda c: ("trouble" not in c.statement.flags, not c.leads, not order and -c.worth),
        default=None,
    )
    left -= MARK_TOKENS * sum(c is not None for c in (order, amiss, last))
    most = left - sum(c.tokens for c in (aim, last) if c)
    came = _outcome(said, max(most, int(SHARES["came"] * left)))
    most -= min(came.tokens, int(SHARES["came"] * left)) if came else 0
    spare = most - (order.tokens if order else 0) - LEAST_TOLD * (amiss is not None)
    edit = _answering_edit(kept, waits, max(spare, min(most, SHORT_EDIT), int(SHARES["done"] * left)), count)
    last = last and _told_as(last, last.statement.text, count)  # what it leans on stands before it
    parts = dict(zip(SHARES, (aim, last, came, edit, amiss, order, first), strict=True))
    tokens = {id(c.statement): c.tokens for c in kept}
    sizes: dict[str, int] = {}
    whole = {
        name: c.tokens + sum(tokens.get(id(lead), 0) for lead in c.statement.leads)
        for name, c in parts.items()
        if c
    }
    for name, need_of in whole.items():
        least = {"done": need_of, "amiss": max(LEAST_TOLD, need_of // 2)}.get(name, LEAST_TOLD)
        size = min(need_of, max(int(SHARES[name] * left), least), left - sum(sizes.values()))
        if size == need_of or size >= least:
            sizes[name] = size
    if "asked" not in sizes:
        return [*kept]
    made: list[Candidate] = []
    for name in sizes:
        sizes[name] += min(whole[name] - sizes[name], left - sum(sizes.values()))
        if c := parts[name]:
            made.append(c if sizes[name] == whole[name] else _clipped(c, sizes[name], count))
    front = {(c.statement.turn, c.statement.place, c.statement.kind) for c in made}
    is_short = edit is not None and edit not in kept  # beside it, others would pass for the newest
    others = (
        c
        for c in kept
        if (c.statement.turn, c.statement.place, c.statement.kind) not in front
        and not (is_short and c.statement.kind == "changed")
    )
    return sorted(
        [*others, *(replace(c, required=KEPT, leads=True) for c in made)],
        key=lambda c: (c.statement.turn, c.statement.place),
    )


def _clipped(c: Candidate, most: int, count: Callable[[str], int]) -> Candidate:
    """What a candidate says, in so many tokens: whole without what it leans on, or its beginning."""
    if c.tokens <= most and not c.statement.text.endswith(":"):
        return _told_as(c, c.statement.text, count)
    chars = int(most * CHARS_OF_TOKEN)
    while (told := _told_as(c, in_short(c.statement, chars), count)).tokens > most and chars > most:
        chars -= LEAST_TERMS
    is_open = told.statement.text.endswith(":")
    return _told_as(c, f"{told.statement.text[:-1]} …", count) if is_open else told


def _aim(pieces: Sequence[Candidate]) -> Candidate | None:
    """What says what a message asks for: what was typed; what is to be made before what is to be read."""
    own = [c for c in pieces if not ({"order"} | _NO_AIM) & {*c.statement.flags}]
    if typed := next((c for c in own if "typed" in c.statement.flags), None):
        return typed
    begins = next((c for c in own if c.leads), next(iter(own), None))
    if begins and "whole" not in begins.statement.flags and _PREPARES.match(begins.statement.text):
        says = (c for c in own if len(terms_of(c.statement.text)) >= LEAST_OF_AIM)
        rest = [c for c in says if not _PREPARES.match(c.statement.text)]
        makes = (c for c in rest if _MAKES.search(c.statement.text))
        return next(makes, next((c for c in rest if not leans(c.statement.text)), begins))
    return begins


def _tells(s: Statement) -> bool:
    """Whether the agent's words say by themselves how things stand."""
    if "reply" in s.flags or _opens_with_change(s):
        return True
    if {"guess", "found"} & {*s.flags} == {"guess"}:
        return False
    return _NO_OUTCOME.isdisjoint({*s.flags} - ({"vague"} if _NEWS & {*s.flags} else set()))


def _opens_with_change(s: Statement) -> bool:
    """Whether a message begins by telling what was done."""
    return s.key == "0" and {"change", "prose"} <= {*s.flags} and "opens" not in s.flags


def _answering_edit(
    candidates: Sequence[Candidate], waits: Iterable[Statement], most: int, count: Callable[[str], int]
) -> Candidate | None:
    """The edit that is most of what is asked, told by its place if it is long, or what was made since."""
    wanted = {term for s in waits for term in terms_of(s.text)}

    def answers(c: Candidate) -> tuple[bool, int, int]:
        return (
            not (is_trial(c.statement.key) or _TEST.search(c.statement.key)),
            len(wanted.intersection(terms_of(c.statement.text))),
            c.statement.turn,
        )

    edits = [c for c in candidates if c.statement.kind == "changed" and c.required]
    best = max(edits, key=answers, default=None)
    made = [c for c in candidates if c.statement.kind == "posted" and c.statement.text.startswith("created ")]
    if made and (best is None or made[-1].statement.turn > best.statement.turn):
        return _told_as(made[-1], made[-1].statement.text.partition(" — ")[0], count)
    if best is None or best.tokens <= most:
        return best
    place = best.statement.text.partition(": ")[0]
    return _told_as(best, place, count) if place.endswith(")") else None


def _told_as(c: Candidate, text: str, count: Callable[[str], int]) -> Candidate:
    """A candidate in other words that lean on nothing."""
    return replace(c, statement=replace(c.statement, text=text, leads=()), tokens=count(f"- {text}\n"))


def _outcome(said: Sequence[Candidate], most: int) -> Candidate | None:
    """What the last turn came to, in a sentence of the agent's."""
    opening = [c for c in said if _opens_with_change(c.statement)]
    replies = opening or [c for c in said if "reply" in c.statement.flags]
    opens = [id(lead) for c in replies for lead in c.statement.leads if "named" in lead.flags]
    own = (c for c in said if not ("item" in c.statement.flags and "\n" in c.statement.text))
    opens += [id(c.statement) for c in replies]
    telling = [c for c in own if _tells(c.statement) or id(c.statement) in opens]
    whole = [c for c in telling if c.tokens <= most and not c.statement.leads]

    def need_of(c: Candidate) -> tuple[bool, float]:
        return id(c.statement) in opens, c.worth

    best = max(telling, key=need_of, default=None)
    if best is not None and most < best.tokens:  # a sentence is told whole before the beginning of another
        best = max(whole, key=need_of, default=best)
    return best


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
