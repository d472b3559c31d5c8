"""Earlier requests that were carried out: of them the aim, what binds and what was left is told."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from tamis.compactors.brief.reading.speech.referents import ADVISES
from tamis.compactors.brief.reading.statement import DEEDS, WANTED, Statement, request_turns
from tamis.ledger.events import Task
from tamis.ledger.speech.rule_polarity import rule_polarity
from tamis.text.cues.discourse_cues import LOOKED_AT, flags_of
from tamis.text.terms import terms_of

LEAST_PIECES = 12
"""A request of fewer pieces has no steps."""

AIM_PIECES = 12
"""So many pieces at the beginning of a request, before its parts, may tell what it is for."""

MET_SHARE, CARRIED_OUT = 0.6, 0.5
"""A piece is met with so much of its terms done or told, a request carried out with so many pieces met."""

SAID_SHARE = 0.7
"""With so much of its terms in one line of a report, a piece of a request is told by it."""

KNOWN_NAMES = 0.34
"""A piece of whose names fewer occur in what was done is not seen done."""

STEP_TERMS, HEAP_TERMS = 2, 40
"""With so many terms beside its names a piece says what to do with them; with more in all it lists things."""

_BINDS = frozenset({"choice", "cause", "found"})
"""Of what binds, or gives a reason."""

_LEFT = re.compile(
    r"\b(?:not (?:yet|done|implemented|changed|included|run|tested|verified)|did(?:n['’]t| not)"
    r"|remain(?:s|ing)?|left (?:to|for)|skipp(?:ed|ing)|deferred|postponed|todo|still (?:needs?|to)|pending"
    r"|follow-?ups?|next steps?|out of scope)\b|❌|⏭|⏳|\[ \]",
    re.IGNORECASE,
)
"""Says in a report that something was not done."""

_OF_PLAN = re.compile(
    r"\b(?:(?:the|your|this|that|our) plan|(?:phase|step|stage|milestone|task|part)s? \d"
    r"|next (?:phase|step|stage|part))\b",
    re.IGNORECASE,
)
"""Says in the newest request that an earlier one is still worked on."""

_GOES_ON = re.compile(
    r"\b(?:the (?:rest|others?)|remaining|continue|(?:go|carry|move) on|go ahead|proceed|keep going|finish)\b"
    r"|\A\W*(?:y(?:es|ep|eah)?|ok(?:ay)?|sure|do it)\b",
    re.IGNORECASE,
)
"""Says that the request before is still worked on."""

DENIES = re.compile(
    r"\byou (?:still )?(?:have|did|do)(?:n['’]t| not)\b|\bthat(?:['’]s| is)(?:n['’]t| not) what i\b",
    re.IGNORECASE,
)
"""Says that what was asked before was not done."""

_QUESTION = re.compile(
    r"\?(?=[\s)]|\Z)|\A(?:(?:so|and|but|ok|also),? ){0,2}(?:why|how|isn['’]t|aren['’]t|can you|could you)\b",
    re.IGNORECASE,
)
_SAYS_HALF = frozenset({"item", "heading", "opens", "stale", "vague"})
_NO_REQUEST = frozenset({"boilerplate", "quoted", "paste", "answer", "item"})
_VERDICT = frozenset({"change", "found", "state"})
ANSWER_CHARS, EMPTY_CHARS = 400, 120
"""A longer answer stands for itself; a shorter one may say nothing yet."""

_PART = re.compile(r"(?:phase|step|part|stage|milestone) \d{1,2}\b", re.IGNORECASE)
_FIRST_STEP = re.compile(r"\A(?:please )?(?:start|begin) (?:by|with) ", re.IGNORECASE)
_NAME = re.compile(r"`([^`\n]{2,80})`|(?<![\w./-])([\w./-]{1,90}\.[a-z]\w{0,4})\b")
_EFFECTS = frozenset({"changed", "committed", "posted"})
_OF_CODE = frozenset({"code", "excerpt"})
_FRAME = frozenset({"heading", "opens", "boilerplate"})
_OWN_WORTH = frozenset({"first", "fact", "opens", "heading"})


def without_done(
    statements: Sequence[Statement], tasks: Sequence[Task], kept: Set[int] = frozenset()
) -> list[Statement]:
    """The statements without the parts of a request that the tasks say are done, where others are left.

    What is `kept` stays.
    """
    parts = {found[0].casefold(): task.status for task in tasks if (found := _PART.match(task.text))}
    is_begun = not {"open", "in_progress"}.isdisjoint(parts.values())
    told: list[Statement] = []
    part: dict[int, str] = {}
    for s in statements:
        if s.kind == "asked" and (found := _PART.match(s.text)):
            part[s.turn] = found[0].casefold()
        is_done = is_begun and s.kind == "asked" and parts.get(part.get(s.turn, "")) == "done"
        told += [] if is_done and id(s) not in kept else [s]
    return told


def without_closed(statements: Sequence[Statement], kept: Set[int]) -> list[Statement]:
    """The statements without what need not be told of requests before the newest; the `kept` stay.

    A piece goes that one line of a report says again. Where most of a request was done and reported, so do
    its steps: what it is for, what binds, and what is not seen done or was reported as left stay.
    """
    asked = request_turns(statements)
    newest = max(asked, default=0)
    begins = {s.turn: s.text[:LOOKED_AT] for s in reversed(statements) if s.kind == "asked"}
    open_from = next((turn for turn in reversed(asked) if not _GOES_ON.search(begins[turn])), newest)
    ended = _is_answered(statements, newest)
    open_from = statements[-1].turn + 1 if ended else open_from
    open_from = 0 if _OF_PLAN.search(begins.get(newest, "")) else open_from
    gone: set[int] = set()
    notes: dict[int, str] = {}
    wanted = [s for s in statements if s.kind in WANTED and s.key.isdigit() and (ended or s.turn < newest)]
    for turn in sorted({s.turn for s in wanted}):
        pieces = [s for s in wanted if s.turn == turn]
        told = [
            s for s in statements if s.kind == "concluded" and turn < s.turn and (ended or s.turn < newest)
        ]
        deeds = [s for s in statements if s.turn > turn and s.kind in DEEDS]
        acted = min((s.turn for s in deeds if s.kind in _EFFECTS), default=newest)
        is_open = turn >= open_from or len(pieces) < LEAST_PIECES or not told or told[-1].turn < acted
        is_open = (
            is_open or DENIES.search(begins[min((at for at in asked if at > turn), default=turn)]) is not None
        )
        met = set() if is_open else _met(pieces, told, deeds) - kept
        aims = (s for s in pieces if id(s) not in met and not {"item", *_FRAME} & {*s.flags})
        if met and (aim := next(aims, None)):
            notes[id(aim)] = " (answered)"
        done = met or _told_again(pieces, told) - kept
        gone |= done - {id(lead) for s in pieces if id(s) not in done for lead in s.leads}
    return _noted([s for s in statements if id(s) not in gone], notes)


def with_answers(statements: Sequence[Statement]) -> list[Statement]:
    """The statements; what was asked before the newest request leans on what answered it first.

    So the two are told together, or, where they have no room, neither. Only a question leans on a list.
    """
    ends = dict(pairwise(request_turns(statements)))
    answers: dict[int, Statement] = {}
    for s in statements:
        first = answers.get(s.turn)
        is_advice = first and "item" in first.flags and ADVISES.search(s.text) and not _SAYS_HALF & {*s.flags}
        is_whole = "more" in s.flags or not _SAYS_HALF & {*s.flags}  # a list is told as one
        is_next = "reply" in s.flags or (first and _is_code(first) and not _is_code(s) and is_whole)
        is_verdict = first and _is_empty(first) and "runs-on" in s.flags and not _VERDICT.isdisjoint(s.flags)
        if s.kind == "concluded" and (is_next or is_verdict or is_advice):
            answers[s.turn] = s
    made: dict[int, Statement] = {}
    for s in statements:
        leads = tuple(made.get(id(lead), lead) for lead in s.leads)
        if s.turn in ends and s.kind == "asked" and not _NO_REQUEST & {*s.flags}:
            takes_any = _QUESTION.search(s.text)
            turns = (turn for turn in range(s.turn + 1, ends[s.turn]) if turn in answers)
            own = [answers[turn] for turn in turns][:1]
            own = [o for o in own if takes_any or (s.turn > min(ends) and "prose" in o.flags and not o.leads)]
            leads += tuple(o for o in own if len(o.text) <= ANSWER_CHARS and o not in leads)
        if leads != s.leads:
            made[id(s)] = replace(s, leads=leads)
    return [made.get(id(s), s) for s in statements]


def _is_empty(s: Statement) -> bool:
    """Whether an answer begins with few words that say nothing of the thing."""
    return len(s.text) <= EMPTY_CHARS and _VERDICT.isdisjoint(s.flags)


def _is_code(s: Statement) -> bool:
    """Whether a statement is code, or leans on what is: it takes more room than it tells."""
    return "code" in s.flags or any(map(_is_code, s.leads))


def _is_answered(statements: Sequence[Statement], newest: int) -> bool:
    """Whether the newest of several requests was answered, and nothing was done since."""
    own = [s for s in statements if s.turn > newest and (s.kind == "concluded" or s.kind in DEEDS)]
    return bool(own) and own[-1].kind == "concluded" and "alone" not in own[-1].flags


def _noted(statements: Sequence[Statement], notes: Mapping[int, str]) -> list[Statement]:
    """The statements with what is to be added to some of them, leads as well."""
    made: dict[int, Statement] = {}
    for s in statements:
        leads = tuple(made.get(id(lead), lead) for lead in s.leads)
        if id(s) in notes or leads != s.leads:
            made[id(s)] = replace(s, text=s.text + notes.get(id(s), ""), leads=leads)
    return [made.get(id(s), s) for s in statements]


def _told_again(pieces: Sequence[Statement], told: Sequence[Statement]) -> set[int]:
    """The pieces that one line of a report of what was done says again."""
    said = [{*terms_of(line)} for s in told if "change" in s.flags for line in s.text.splitlines()]
    gone: set[int] = set()
    for s in pieces:
        terms = terms_of(s.text)
        again = any(len(line.intersection(terms)) >= SAID_SHARE * len(terms) for line in said)
        gone |= {id(s)} if again and not _OWN_WORTH & {*s.flags} else set()
    return gone


def _met(pieces: Sequence[Statement], told: Sequence[Statement], deeds: Sequence[Statement]) -> set[int]:
    """The pieces that need not be told where most was done; none where it was not."""
    done = {term for s in (*told, *deeds) for term in terms_of(f"{s.text} {s.key}")}
    telling = [terms_of(s.text) for s in pieces if not (_FRAME | _OF_CODE) & {*s.flags}]
    met = sum(len(done.intersection(terms)) >= MET_SHARE * len(terms) for terms in telling)
    if not telling or met < CARRIED_OUT * len(telling):
        return set()
    seen = " ".join(["", *sorted(done)])  # `TestRows` is seen in `TestRows_empty`
    left = [{*terms_of(line)} for s in told for line in s.text.splitlines() if _LEFT.search(line)]
    prose = [s for s in pieces if "prose" in s.flags and not _FRAME & {*s.flags}]
    aims = {id(s) for s in (*_opening(pieces), *[s for s in prose if "wants" in s.flags][:2])}
    gone: set[int] = set()
    stays = False
    for s in pieces:
        if not _OF_CODE & {*s.flags}:  # code goes with what stands over it
            stays = (id(s) in aims or _stays(s, seen, left)) and not _FIRST_STEP.match(s.text)
        rests = [lead for lead in s.leads if not _FRAME & {*lead.flags}]
        if not stays or s.text.endswith("?") or (rests and all(id(lead) in gone for lead in rests)):
            gone.add(id(s))
    return gone


def _opening(pieces: Sequence[Statement]) -> Sequence[Statement]:
    """What stands before the first part: before the first heading, or the first list where there is none."""
    own = [s for s in pieces if "boilerplate" not in s.flags]
    ends = "heading" if any("heading" in s.flags for s in own) and "item" not in own[0].flags else "item"
    end = next((n for n, s in enumerate(own) if ({ends} | _OF_CODE) & {*s.flags}), len(own))
    return own[: min(end, AIM_PIECES)]


def _stays(s: Statement, done: str, left: Sequence[Set[str]]) -> bool:
    """Whether a piece of what was done binds, gives a reason, or is not seen done."""
    flags, terms = {*s.flags}, {*terms_of(s.text)}
    if _FRAME & flags:
        return False
    names = [terms_of(code or path) for code, path in _NAME.findall(s.text)]
    known = sum(all(f" {term}" in done for term in name) for name in names)
    is_step = len(terms) < HEAP_TERMS and len(terms.difference(*names)) >= max(STEP_TERMS, len(names))
    is_step = is_step or any("wants" in lead.flags for lead in s.leads)
    unseen = is_step and known < KNOWN_NAMES * len(names)
    is_left = any(2 * len(terms & line) >= len(terms) for line in left)
    says = s.text.partition("\n")[0]  # the code that it brings in binds nobody
    binds = rule_polarity(says) is not None or not _BINDS.isdisjoint(flags_of(says))
    return unseen or is_left or (binds and "item" not in flags)
