"""Writing a brief: what binds, what was chosen of the story, where things stand, what is next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tamis.compactors.brief.choice.selection import HEADER_TOKENS, REQUIRED_SHARES, Candidate, choose
from tamis.compactors.brief.choice.stock import EFFECT, Told, stock_of
from tamis.compactors.brief.choice.worth import Worth
from tamis.compactors.brief.reading.edits.edited_places import EditedPlace, edited_places, with_counts
from tamis.compactors.brief.reading.episodes import Episode
from tamis.compactors.brief.reading.speech.rejections import misread, taken_for
from tamis.compactors.brief.reading.statement import WORDS, Statement, is_order, request_turns
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.fact_lines import facts_of
from tamis.compactors.brief.writing.frame import one_line
from tamis.compactors.brief.writing.holds_now import LEAST_FOR_FRAME
from tamis.compactors.brief.writing.in_short import edit_in_short, without_numbers
from tamis.compactors.brief.writing.layout import ANSWERED, KEY, LEGEND, answers_of, render, story
from tamis.compactors.brief.writing.next_lines import NEWEST_RESULT
from tamis.compactors.brief.writing.prefix_reuse import StatementId, with_beginning
from tamis.compactors.brief.writing.rule_lines import rules_of
from tamis.compactors.brief.writing.small_brief import (
    LEAST_FOR_ALL,
    LEAST_FOR_KEY,
    as_of_now,
    need,
    replies_of,
    request_alone,
)
from tamis.compactors.brief.writing.status import standing
from tamis.compactors.brief.writing.told_first import CHARS_OF_TOKEN
from tamis.compactors.brief.writing.told_twice import LEAST_KNOWN, is_shown, is_stated, told_twice
from tamis.compactors.brief.writing.turn_end import is_closed
from tamis.messages import Counter, Message
from tamis.text.terms import run_of

TITLE_TOKENS = 4
"""Of the title over the story of a small brief."""

LEAST_FOR_NEXT = 150
"""In fewer tokens a brief of a talk tells only what was asked and said."""

LEAST_FOR_SERVED = 250
"""The same where somebody is served, and the frame is short: an id says more than how things stand."""

_WORK = frozenset({"changed", "tested", "committed"})
"""Overtakes what was said before; in a talk what was said stands."""

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
    facts = facts_of(reading, counter, room, rules, is_told=is_told)
    is_known = _known((*rules, *facts), is_told, given)
    stock = stock_of(
        reading, list(extra), worth=worth, counter=counter, room=room, is_told=is_known, cuts=cuts
    )
    stands = standing(reading, stock.root, room, counter, tail=tail)
    least_for_next = LEAST_FOR_SERVED if stock.is_served else LEAST_FOR_NEXT
    if room < least_for_next and not stands["state"] and len(request_turns(reading.statements)) > 1:
        stands = {}
    episodes = [Episode(0, reading.turns)] if room < LEAST_FOR_ALL else stock.episodes
    page = _Page(counter, room, {"rules": rules, "facts": facts, **stands}, episodes)
    page.is_tiny = room < (LEAST_FOR_SERVED if stock.is_served else LEAST_FOR_FRAME)
    page.tells_of = "talk" if reading.reader.talks or stock.is_served else "work"
    page.edits = edited_places(reading.statements)
    beside = {turns: taken_for(reading.statements, turns) for turns in misread(reading.statements)}
    page.answers = answers_of((c.statement for c in stock.candidates), beside)
    warnings = page.take(given) if given is not None else ()
    page.measure()
    stated = "\n".join(line for name in stands for line in page.sections[name])
    candidates: Sequence[Candidate] = [c for c in stock.candidates if not is_stated(c.statement, stated)]
    works = bool(reading.there) or any(s.kind in _WORK or is_order(s) for s in reading.statements)
    looks = bool(reading.last_calls) and not any("record" in s.flags for s in reading.statements)
    if room < LEAST_FOR_ALL and (works or looks):
        answered = replies_of(reading.statements) if works else set()
        page.answers = dict.fromkeys(answered, ANSWERED) | page.answers
        candidates = as_of_now(
            candidates,
            page.edits,
            room=room,
            count=counter.count,
            left=page.left,
            closed=is_closed(reading),
            works=works,
            steps=any(e.value.status in ("open", "in_progress") for e in reading.state.tasks),
            answered=answered,
        )
    else:
        candidates = [page.in_its_share(c) for c in candidates]
    if least := page.least(candidates):
        return least  # what was asked comes before what is told of it
    if earlier:
        candidates = with_beginning(candidates, earlier, page.left)
    chosen = page.chosen(candidates, reading)
    text = page.fit(chosen)
    if not chosen and not page.summary and (is_told is None or not rules):
        return None
    return RenderedBrief(text=text, statements=tuple(chosen), warnings=warnings)


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
        self.is_small, self.is_tiny = room < LEAST_FOR_ALL, room < LEAST_FOR_FRAME
        self.sections = sections
        self.edits: Sequence[EditedPlace] = ()
        self.answers: dict[int, str] = {}
        self.summary: list[str] = []
        self.tells_of = "work"
        self.left = room

    def measure(self) -> None:
        """Count the tokens that are left for the story."""
        title = TITLE_TOKENS * self.is_small
        self.left = self._room - self._counter.count(self._text_of([])) - title

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
        least = request_alone(candidates, self.sections, self._room, self._counter)
        first = min((c for c in candidates if c.required), key=need, default=None)
        if least is None or first in self._picked(candidates):
            return None
        return RenderedBrief(text=least[0], statements=least[1])

    def in_its_share(self, c: Candidate) -> Candidate:
        """An edit that has to be told, in fewer words where the whole has no room."""
        most = int(REQUIRED_SHARES[EFFECT] * self.left) - HEADER_TOKENS
        if c.required != EFFECT or c.statement.kind != "changed" or c.tokens <= most:
            return c
        chars, text, tokens = int(most * CHARS_OF_TOKEN), c.statement.text, c.tokens
        while tokens > most and chars > most:
            text = edit_in_short(c.statement.text, chars)
            tokens, chars = self._counter.count(f"- {text}\n"), chars - most // 2
        return replace(c, statement=replace(c.statement, text=text), tokens=tokens)

    def chosen(self, candidates: Sequence[Candidate], reading: StatementReader) -> list[Statement]:
        """What is told of the candidates: nothing twice, neither with what is next nor in two forms."""
        chosen = [c.statement for c in self._picked(candidates)]
        last = reading.last_calls[-1].turn if len(reading.last_calls) == 1 else reading.turns
        lines = self.sections.get("next", [])
        newest = [line for line in lines if line.startswith(NEWEST_RESULT)]
        copied = [one_line(s.text) for s in chosen if s.kind == "passage"] * bool(newest)
        is_there = any(is_shown(line.partition(" → ")[2], copied) for line in newest)
        if is_there or any(_shows_newest(s, last) for s in chosen):  # it need not be told twice
            self.sections["next"] = [line for line in lines if line not in newest]
            self.measure()
            chosen = [c.statement for c in self._picked(candidates)]
        twice: set[int] = set()
        stated = [one_line(line) for name in ("state", "next") for line in self.sections.get(name, ())]
        for _ in range(ROUNDS):  # told in full as well: their room goes to others
            looks = {id(s) for s in chosen if s.kind == "ran" and "` → " not in s.text and " → " in s.text}
            fresh = told_twice(chosen, stated) - looks  # whose room other copied text would take
            over = self._counter.count(self._text_of(chosen)) - self._room  # headings tell of files
            if not fresh and over <= 0:
                break
            twice |= fresh
            self.left -= max(over, 0)
            chosen = [
                c.statement for c in self._picked([c for c in candidates if id(c.statement) not in twice])
            ]
        twice = told_twice(chosen, stated)
        return _without_idle_openers([s for s in chosen if id(s) not in twice])

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
        counted = self._text_of(with_counts(chosen, self._episodes, self.edits))
        return counted if self._counter.count(counted) <= self._room else text

    def _picked(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        header_tokens = 0 if self.is_small else HEADER_TOKENS
        return [candidates[at] for at in choose(candidates, self.left, header_tokens=header_tokens)]

    def _text_of(self, chosen: Sequence[Statement]) -> str:
        is_headed = not self.is_small
        lines = story(chosen, self._episodes, headed=is_headed, edits=self.edits, answers=self.answers)
        lines = lines if is_headed else [*map(without_numbers, lines)]
        told = {**self.sections, "summary": self.summary, "story": lines}
        legend = LEGEND if is_headed else KEY if self._room >= LEAST_FOR_KEY[self.tells_of] else ""
        return render(told, legend=legend, short=self.is_tiny)


def _without_idle_openers(chosen: Sequence[Statement]) -> list[Statement]:
    """The statements without the agents' lines that open what is not told."""
    held = {id(lead) for s in chosen for lead in s.leads}
    return [s for s in chosen if s.kind not in WORDS or "opens" not in s.flags or id(s) in held]


def _shows_newest(s: Statement, last: int) -> bool:
    """Whether the story tells in full what the newest call changed, or what it printed."""
    return s.turn > last if s.kind == "passage" else s.turn == last and s.kind == "changed" and ": " in s.text
