"""Writing a brief: what binds, what was chosen of the story, where things stand, what is next."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tamis.compactors.brief.choice.selection import HEADER_TOKENS, Candidate, choose
from tamis.compactors.brief.choice.stock import Told, stock_of
from tamis.compactors.brief.choice.worth import Worth
from tamis.compactors.brief.reading.call_text import JOINT, shortened
from tamis.compactors.brief.reading.edited_places import EditedPlace, edited_places, spoken_of_before
from tamis.compactors.brief.reading.episodes import Episode
from tamis.compactors.brief.reading.statement import DEEDS, STOPPED, WORDS, Statement, is_order, request_turns
from tamis.compactors.brief.reading.statement_reader import BEFORE, StatementReader
from tamis.compactors.brief.writing.frame import one_line
from tamis.compactors.brief.writing.layout import render, story
from tamis.compactors.brief.writing.next_lines import NEWEST_RESULT
from tamis.compactors.brief.writing.prefix_reuse import StatementId, with_beginning
from tamis.compactors.brief.writing.rule_lines import rules_of
from tamis.compactors.brief.writing.status import standing
from tamis.compactors.brief.writing.turn_end import is_closed
from tamis.ledger.speech.requests import is_steering
from tamis.messages import Counter, Message
from tamis.text.cues.discourse_cues import leans
from tamis.text.terms import run_of

_SHORT_FORMS = frozenset({"outline", "excerpt"})

LEAST_KNOWN, ASKED_BY, LEAST_FOR_LEGEND = 12, 100, 260
"""Characters of a sentence that is known where it stands within a rule, and of a question in what is next;
tokens below which a brief does without the line that says what its marks mean."""

LEAST_FOR_OLDER = 200
"""In fewer tokens it tells nothing that the agent said before its newest report; else since the request."""

TITLE_TOKENS, LEAST_FOR_FRAME = 4, 120
"""Of the title over the story of a small brief; in fewer tokens than the second it has a short frame, and no
heading over a story that is told in one go."""

LEAST_FOR_NEXT = 90
"""In fewer tokens a brief of a talk tells only what was asked and said."""

MOSTLY = 0.8
"""Copied text of which so many lines stand elsewhere is told."""

_ASKS_STATE = re.compile(r"\b(?:status|list|log|diff|ls|branch|remote)\b")
"""Part of a command that asks how things stand."""

_ASIDE, _OPENS = frozenset({"detail", "boilerplate", "courtesy"}), frozenset({"heading", "opens"})
_AS_IT_WAS = re.compile(r"(?:there (?:is|are|seems?)|currently|at the moment|right now)\b", re.IGNORECASE)
"""Begins what a request tells of how things were before it was answered."""
_OF_NO_STATE = ("reverted ", "read ", "took up ")
"""Begins a deed that, told alone, says nothing of how the work stands, or the contrary."""

ROUNDS, LATE = 3, 6
"""So often others are chosen in place of what is told twice; of so many chosen last, a short one goes."""

GIVEN_SHARE = 0.97
"""The part of the room beside rules and state that a story of somebody else's may take."""


class GivenStory(Protocol):
    """A story that somebody else wrote, in the place of most of the ledger's own."""

    @property
    def says_next(self) -> bool:
        """Whether it tells what is next."""
        ...

    def tells(self, statement: Statement) -> bool:
        """Whether it says what a statement says."""
        ...

    def within(self, room_tokens: int, counter: Counter) -> tuple[list[str], int]:
        """Its lines in so many tokens, and how many were left out."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class RenderedBrief:
    """The text of a brief and the statements that it tells."""

    text: str
    statements: tuple[Statement, ...]
    warnings: tuple[str, ...] = ()


def write_brief(
    reading: StatementReader,
    *,
    worth: Worth,
    counter: Counter,
    room: int,
    extra: Iterable[Statement] = (),
    is_told: Told | None = None,
    given: GivenStory | None = None,
    earlier: Sequence[StatementId] = (),
    cuts: Sequence[int] = (),
    tail: Sequence[Message] = (),
) -> RenderedBrief | None:
    """A brief of at most `room` tokens; None where nothing fits, or there is nothing to tell.

    Args:
        reading: the session as far as it was read.
        worth: what a statement is worth.
        counter: the tokenizer.
        room: the tokens that the text may take.
        extra: statements that compete with those that were read: passages.
        is_told: what the reader knows already, and is left out.
        given: a story that is told first; what it tells is not told again.
        earlier: what the last brief told, in its order; as much of its beginning as may stand stands again.
        cuts: behind which messages earlier briefs ended; their headings stay as they were.
        tail: what stands behind the brief.
    """
    rules = rules_of(reading, counter, room, is_told=is_told)
    is_known = _known(rules, is_told, given)
    stock = stock_of(
        reading, list(extra), worth=worth, counter=counter, room=room, is_told=is_known, cuts=cuts
    )
    stands = standing(reading, stock.root, room, counter, tail=tail)
    if room < LEAST_FOR_NEXT and not stands["state"] and len(request_turns(reading.statements)) > 1:
        stands = {}
    episodes = [Episode(0, reading.turns)] if room < LEAST_FOR_LEGEND else stock.episodes
    page = _Page(counter, room, {"rules": rules, **stands}, episodes)
    page.edits = edited_places(reading.statements, reading.there)
    warnings = page.take(given) if given is not None else ()
    page.measure()
    if least := page.least(stock.candidates):
        return least  # what was asked comes before what is told of it
    stated = "\n".join(line for name in stands for line in page.sections[name])
    candidates: Sequence[Candidate] = [c for c in stock.candidates if not _is_stated(c.statement, stated)]
    if page.is_small:
        candidates = _as_of_now(candidates, page.edits, room=room, closed=is_closed(reading))
    if earlier:
        candidates = with_beginning(candidates, earlier, page.left)
    chosen = page.chosen(candidates, reading)
    text = page.fit(chosen)
    if not chosen and not page.summary and (is_told is None or not rules):
        return None
    return RenderedBrief(text=text, statements=tuple(chosen), warnings=warnings)


def _as_of_now(
    candidates: Sequence[Candidate], edits: Sequence[EditedPlace], *, room: int, closed: bool
) -> list[Candidate]:
    """What a small brief may tell: what is asked, what was changed, and of the agent's words the newest.

    No heading says that a word is older, so in little room of the agent's words only those stand that came
    after the newest request and the last change, and what a request leans on.
    """
    details = room >= LEAST_FOR_FRAME
    told = [c.statement for c in candidates]
    asked = [s for s in told if s.kind == "asked"]
    leads = {id(lead) for s in asked for lead in s.leads if not _is_answered(lead, s.text)}
    early = spoken_of_before(told, edits) | {id(s) for s in told if {"restore", "stale"} <= {*s.flags}}
    changed = max((s.turn for s in told if s.kind == "changed" and "trial" not in s.flags), default=-1)
    first, newest_asked = [*request_turns(told), -1][0], max((s.turn for s in asked), default=-1)
    done = max(changed, newest_asked)
    heads = [(s.turn, s.place) for s in asked if "heading" in s.flags and s.turn == newest_asked][:1]
    spoke = max((s.turn for s in told if s.kind in WORDS and s.kind != "thought"), default=-1)

    def is_of_now(c: Candidate) -> bool:
        s = c.statement
        if s.kind in WORDS:
            lasts = s.kind in ("found", "concluded") and s.turn > newest_asked and room >= LEAST_FOR_OLDER
            newest = lasts or (s.turn == spoke > done and "vague" not in s.flags)
            is_one = "item" in s.flags and "\n" not in s.text  # of several, and says little alone
            return id(s) in leads or (newest and not (is_one or id(s) in early or is_order(s)))
        if s.kind == "asked":
            was = _AS_IT_WAS.match(s.text) and not {"first", "whole"} & {*s.flags}
            if closed and (was or any(head < (s.turn, s.place) for head in heads)):
                return False  # its steps were taken
            topic = s.turn in (newest_asked, first if "whole" in s.flags else -1)
            answers = s.turn < newest_asked and any(_is_answered(lead, s.text) for lead in s.leads)
            if not c.leads and (answers or (s.text.endswith("?") and not topic and id(s) not in leads)):
                return False  # it was answered
            opens = id(s) in leads and _OPENS & {*s.flags}
            return c.leads or bool(opens) or (details and c.required == 1) or not _ASIDE & {*s.flags}
        if not c.required and ({"trial", "outline"} & {*s.flags} or s.turn < changed):
            return False  # the work stands otherwise since
        is_now = c.required > 0 or (details and id(s) not in early)
        return is_now and not s.text.startswith(_OF_NO_STATE)

    return [c for c in candidates if is_of_now(c)]


def _is_answered(lead: Statement, answer: str) -> bool:
    """Whether an answer says more than yes or no to the question that it leans on."""
    return lead.text.endswith("?") and (not is_steering(answer) or any(map(str.isdigit, answer)))


def _known(rules: Sequence[str], is_told: Told | None, given: GivenStory | None) -> Told:
    """Whether the reader has a statement already, from elsewhere or by the rules that are told."""
    lines = [run_of(line) for line in rules]
    bound = f" {' . '.join(lines)} "

    def is_known(statement: Statement) -> bool:
        if (is_told is not None and is_told(statement)) or (given is not None and given.tells(statement)):
            return True
        said = run_of(statement.text.lstrip(" -*•0123456789.)"))  # "push" is not said by "do not push"
        return (
            statement.kind == "asked" and f" {said} " in bound and (len(said) >= LEAST_KNOWN or said in lines)
        )

    return is_known


class _Page:
    """A brief in the making: its sections beside the story, and the room that they leave."""

    def __init__(
        self, counter: Counter, room: int, sections: dict[str, Sequence[str]], episodes: Sequence[Episode]
    ) -> None:
        self._counter, self._room, self._episodes = counter, room, episodes
        self.is_small, self._is_tiny = room < LEAST_FOR_LEGEND, room < LEAST_FOR_FRAME
        self.sections = sections
        self.edits: Sequence[EditedPlace] = ()
        self.summary: list[str] = []
        self.left = room

    def measure(self) -> None:
        """Count the tokens that are left for the story."""
        heading = TITLE_TOKENS if self._is_tiny else self.is_small * HEADER_TOKENS
        self.left = self._room - self._counter.count(self._text_of([])) - heading

    def take(self, given: GivenStory) -> tuple[str, ...]:
        """Put in a story of somebody else's; the warning that some of it was left out."""
        if given.says_next:
            self.sections["next"] = []
        room = self._room - self._counter.count(self._text_of([]))
        self.summary, lost = given.within(int(GIVEN_SHARE * room), self._counter)
        return (f"the story was too long; left out {lost} of its lines",) if lost else ()

    def least(self, candidates: Sequence[Candidate]) -> RenderedBrief | None:
        """A brief of what is asked alone, where the room is small and the choice would leave it out."""
        if not self.is_small or self.summary:
            return None
        least = _least(candidates, self.sections, self._room, self._counter)
        first = min((c for c in candidates if c.required), key=_need, default=None)
        return None if first in self._picked(candidates) else least

    def chosen(self, candidates: Sequence[Candidate], reading: StatementReader) -> list[Statement]:
        """What is told of the candidates: nothing twice, neither with what is next nor in two forms."""
        chosen = [c.statement for c in self._picked(candidates)]
        last = reading.last_calls[-1].turn if len(reading.last_calls) == 1 else reading.turns
        if any(_shows_newest(s, last) for s in chosen):  # it need not be told twice
            lines = self.sections.get("next", [])
            self.sections["next"] = [line for line in lines if not line.startswith(NEWEST_RESULT)]
            self.measure()
            chosen = [c.statement for c in self._picked(candidates)]
        twice: set[int] = set()
        stated = [one_line(line) for name in ("state", "next") for line in self.sections.get(name, ())]
        for _ in range(ROUNDS):  # told in full as well: their room goes to others
            fresh = _told_twice(chosen, stated)
            over = self._counter.count(self._text_of(chosen)) - self._room  # headings tell of files
            if not fresh and over <= 0:
                break
            twice |= fresh
            self.left -= max(over, 0)
            chosen = [
                c.statement for c in self._picked([c for c in candidates if id(c.statement) not in twice])
            ]
        twice = _told_twice(chosen, stated)
        return [s for s in chosen if id(s) not in twice]

    def fit(self, chosen: list[Statement]) -> str:
        """The text with as much of what is chosen as has room; the rest is taken out of `chosen`."""
        text = self._text_of(chosen)
        while chosen and (over := self._counter.count(text) - self._room) > 0:  # lines do not add up to it
            held = {id(lead) for s in chosen for lead in s.leads}
            late = [(s, at) for at, s in enumerate(chosen) if s.kind != "asked" and id(s) not in held]
            sizes = [(self._counter.count(s.text), at) for s, at in late[-LATE:]]
            gone = [chosen.pop(min([s for s in sizes if s[0] >= over], default=(0, -1))[1])]
            for one in gone:  # what leans on it means nothing without
                gone += [s for s in chosen if one in s.leads]
                chosen[:] = [s for s in chosen if one not in s.leads]
            text = self._text_of(chosen)
        return text

    def _picked(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        header_tokens = 0 if self.is_small else HEADER_TOKENS
        return [candidates[at] for at in choose(candidates, self.left, header_tokens=header_tokens)]

    def _text_of(self, chosen: Sequence[Statement]) -> str:
        lines = story(chosen, self._episodes, headed=not self._is_tiny, edits=self.edits)
        told = {**self.sections, "summary": self.summary, "story": lines}
        return render(told, legend=not self.is_small, short=self._is_tiny)


def _least(
    candidates: Sequence[Candidate], sections: Mapping[str, Sequence[str]], room: int, counter: Counter
) -> RenderedBrief | None:
    """What is asked in little room, shortened, with how things stand."""
    required = [c for c in candidates if c.required and not _COPIED.intersection(c.statement.flags)]
    if not required:
        return None
    newest = min(required, key=_need).statement
    before = [c.statement for c in required if c.statement.kind == "asked" and c.statement.turn < newest.turn]
    goes_on = leans(newest.text) or is_steering(newest.text)
    asked = (*before[: int(goes_on)], newest)
    text = least_of(asked, sections, room=room, counter=counter)
    return RenderedBrief(text=text, statements=asked) if text else None


def _need(c: Candidate) -> tuple[int, bool, bool]:
    """How soon a candidate has to be told: what it is known by first."""
    return c.required, not c.leads, not c.asks


def _shows_newest(s: Statement, last: int) -> bool:
    """Whether the story tells in full what the newest call changed, or what it printed."""
    return s.turn > last if s.kind == "passage" else s.turn == last and s.kind == "changed" and ": " in s.text


def _is_stated(statement: Statement, stated: str) -> bool:
    """Whether how things stand tells of a run, or of the newest order, as much as the story would."""
    if statement.kind in WORDS:
        said = one_line(statement.text.partition(": ")[2] if is_order(statement) else statement.text)
        of_it = {lead.text.endswith("?") and _is_stated(lead, stated) for lead in statement.leads} == {True}
        return of_it or (len(said) >= LEAST_KNOWN and said[: ASKED_BY if said[-1] == "?" else None] in stated)
    if statement.kind not in ("tested", "failed", "ran"):
        return statement.text.startswith(STOPPED) and f"in stopping #{statement.turn} (" in stated
    installs = "installed" in statement.flags or (" install " in statement.key and "- installed: " in stated)
    if (installs and statement.kind == "ran") or statement.text.partition(BEFORE)[0] in stated:
        return True
    ran = re.escape(statement.text.partition(" → ")[0])
    at = f"run (#{statement.turn}"
    return at in stated and re.search(rf"{re.escape(at)}\b[^)\n]{{0,80}}\): {ran}", stated) is not None


def _outlined(chosen: Sequence[Statement]) -> set[int]:
    """The outlines of deeds, and the excerpts of pastes, that are told in full, too."""
    short = {id(s) for s in chosen if not _SHORT_FORMS.isdisjoint(s.flags) or {"page", "short"} <= {*s.flags}}
    whole = (s for s in chosen if id(s) not in short and (s.kind in DEEDS or "paste" in s.flags))
    full = {(s.turn, s.place, s.key) for s in whole}
    return {id(s) for s in chosen if id(s) in short and (s.turn, s.place, s.key) in full}


def _told_twice(chosen: Sequence[Statement], stated: Sequence[str]) -> set[int]:
    """What is told in full elsewhere, as well: outlines, and copied text beside a line that tells of it.

    Of a call and what is copied of its output, the line goes where the copied text has all that it tells; the
    copied text goes where most of it stands in the line, in another copied text, or in how things stand. Of a
    state that was asked for again, the newest answer is enough.
    """
    states = [s for s in chosen if s.kind == "ran" and _ASKS_STATE.search(s.key)]
    newest = {s.key: s.turn for s in sorted(states, key=lambda s: s.turn)}
    twice = {*_outlined(chosen), *(id(s) for s in states if s.turn < newest[s.key])}
    copied = [s for s in chosen if s.kind == "passage"]
    for s in chosen:
        own = [p for p in copied if p.key == f"{s.turn}.{s.place[0]}"] if s.kind in DEEDS else []
        if own and (s.kind in ("ran", "failed", "tested") or s.text.startswith("wrote ")):
            shown = one_line("\n".join(p.text for p in own))
            _, given, gave = s.text.partition(": " if s.kind == "changed" else "` → ")
            if given and all(part.strip(" …") in shown for part in JOINT.split(gave)):
                twice.add(id(s))
    lines = {id(p): [one_line(line) for line in p.text.splitlines()[1:]] for p in copied}
    for p in copied:
        beside = [
            s.text
            for s in chosen
            if s.kind in DEEDS and id(s) not in twice and p.key == f"{s.turn}.{s.place[0]}"
        ]
        there = [*beside, *stated]
        others = {line for o in copied if o is not p and id(o) not in twice for line in lines[id(o)]}
        mine = [line for line in lines[id(p)] if any(map(str.isalnum, line))]
        known = sum(line in others or any(line in text for text in there) for line in mine)
        if known >= MOSTLY * len(mine):
            twice.add(id(p))
    return twice


_COPIED = frozenset({"code", "excerpt"})

ASKED_CHARS = (240, 160, 110, 75, 45)
"""To how many characters a request may be shortened, in the order in which it is tried."""

_ALL = ("rules", "state", "next")
FIRST_TO_LAST = (
    *((_ALL, most) for most in (None, 1)),
    *((names, None) for names in (("state", "next"), ("rules", "next"), ("next",), ("rules",), ())),
)
"""What stands beside the request, and how many lines of each, from all to nothing."""


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
