"""`ledger`: a hand-off that somebody can go on with, in whole statements, told in episodes, with no model.

The span is read into statements (or read on, behind a previous compaction), each is weighed, and the story is
chosen under the budget; rules, what was asked first and last, where things stand and what is next have their
room before that. Nothing is re-summarised: a later brief is made from the statements, not from a brief.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from tamis.compactors.account import MessageFate
from tamis.compactors.brief.choice.stock import root_of
from tamis.compactors.brief.choice.worth import Worth, default_worth
from tamis.compactors.brief.copying.passages import passages_of
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.frame import brief_message
from tamis.compactors.brief.writing.prefix_reuse import place_of
from tamis.compactors.brief.writing.writer import GivenStory, write_brief
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.compactors.protocol import Compaction, CompactionRequest
from tamis.ledger import State
from tamis.messages import MESSAGE_OVERHEAD_TOKENS, Message

WIDE, FILLED = 0.2, 0.8
"""A budget of more than so much of the span is meant to keep a large part of it as it was: where less than so
much of the room is taken, the newest text takes the rest, word for word."""

SMALL_BUDGETS = (32, 48, 64, 96, 128, 256)
"""Tried for the least that a brief fits in, where a smaller one was asked for."""


class LedgerMethod(Method):
    """The hand-off, packed into the budget."""

    name = "ledger"
    version = "3"

    def __init__(self, worth: Worth | None = None, *, clock: Callable[[], float] = time.perf_counter) -> None:
        """`worth` are the weights of statements; the shipped ones unless told."""
        super().__init__(clock=clock)
        self._worth = worth
        self._last: _Read | None = None

    async def replace(
        self, material: Material, *, story: GivenStory | None = None
    ) -> Replacement | CannotFit:
        """Say what fits, beside a story that somebody else wrote."""
        read = self._read(material)
        reading, turns = read.reading, read.turns
        changed = {s.key.rpartition("/")[2]: s.turn for s in reading.statements if s.kind == "changed"}
        write = partial(
            write_brief,
            reading,
            worth=self._worth or default_worth(),
            counter=material.counter,
            earlier=[(turn, part, start, kind) for turn, part, start, kind in material.carry.get("told", ())],
            cuts=material.carry.get("cuts", ()),
            given=story,
            tail=material.request.tail,
        )
        room = material.budget_tokens - MESSAGE_OVERHEAD_TOKENS
        copies = partial(
            passages_of,
            material.originals,
            turns,
            material.budget_tokens,
            changed,
            root=root_of(reading),
            tail=material.request.tail,
        )
        written = write(room=room, extra=list(copies()))
        if (
            written
            and material.counter.count(written.text) < FILLED * room
            and room > WIDE * sum(material.tokens)
        ):
            written = write(room=room, extra=list(copies(is_wide=True))) or written
        if written is None:
            least = next((n for n in SMALL_BUDGETS if write(room=n - MESSAGE_OVERHEAD_TOKENS)), None)
            advice = f": give it {least} or more" if least and least > material.budget_tokens else ""
            reason = f"nothing of the conversation fits {material.budget_tokens} tokens{advice}"
            return CannotFit(reason, reading.state)
        cuts = [*material.carry.get("cuts", ()), reading.turns]
        said = {statement.turn for statement in written.statements}
        return Replacement(
            messages=(brief_message(written.text),),
            told=_account(material, said, turns),
            warnings=written.warnings,
            state=reading.state,
            carry={**reading.carry(), "told": [list(place_of(s)) for s in written.statements], "cuts": cuts},
        )

    def state_of(self, material: Material) -> State:
        """What holds at the end of the material."""
        return self._read(material).reading.state

    def _read(self, material: Material) -> _Read:
        """The session as far as this material: read, or as it was just read for another budget."""
        request, last = material.request, self._last
        if last is not None and last.is_of(request):
            return last
        reading = StatementReader.resume(material.carry) if material.carry else StatementReader()
        turns = reading.read(material.originals, [reading.turns + at for at in _positions(material)])
        read = _Read(span=request.span, previous=request.previous, reading=reading, turns=turns)
        self._last = read  # of another thread's, perhaps, by the time that this one returns
        return read


@dataclass(frozen=True, kw_only=True, slots=True)
class _Read:
    """What was read, whatever the budget, and the positions in the session of the messages that were new."""

    span: tuple[Message, ...]
    previous: Compaction | None
    reading: StatementReader
    turns: Sequence[int]

    def is_of(self, request: CompactionRequest) -> bool:
        """Whether a request is about the very same span behind the very same answer, not equal ones."""
        return self.span is request.span and self.previous is request.previous


def _positions(material: Material) -> range:
    """Where the messages that are new stand in the span."""
    end = len(material.request.span)
    return range(end - len(material.originals), end)


def _account(material: Material, said: set[int], turns: Sequence[int]) -> tuple[MessageFate, ...]:
    condensed = MessageFate("condensed", "in the brief")
    archived = MessageFate("archived", "other things were worth more")
    turn_at = dict(zip(_positions(material), turns, strict=True))
    new = (turn_at[at] for at in material.positions[material.from_previous :])
    told = (condensed if turn in said or turn < 0 else archived for turn in new)
    return (condensed,) * material.from_previous + tuple(told)
