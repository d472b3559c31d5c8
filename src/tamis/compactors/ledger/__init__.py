"""`ledger`: what was asked, what holds, what was done to which files, and every name likely to be needed.

The ledger is read off the span (or read on, behind a previous compaction), each name gets the likelihood that
it will be needed, and what is said is chosen under the budget: required items first, then whatever gives most
per token. No model takes part, and nothing is re-summarised: a later brief is made from the ledger, not from
an earlier brief.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

from tamis.compactors.accounts import Told
from tamis.compactors.brief import brief_message
from tamis.compactors.importance import Importance, default_importance
from tamis.compactors.ledger.collecting import no_collections
from tamis.compactors.ledger.from_state import items_of
from tamis.compactors.ledger.items import Item
from tamis.compactors.ledger.layout import Row, render
from tamis.compactors.ledger.passages import passages_of
from tamis.compactors.ledger.reading import Reading
from tamis.compactors.ledger.selection import Choice
from tamis.compactors.ledger.writing import stock_of, write_brief
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.compactors.protocol import CompactionRequest
from tamis.messages import Message
from tamis.messages.tokens import MESSAGE_OVERHEAD_TOKENS


class Ledger(Method):
    """The ledger's brief, packed into the budget."""

    name = "ledger"
    version = "2"

    def __init__(
        self, importance: Importance | None = None, *, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        """`importance` are the weights to rank names by; the shipped ones unless told."""
        super().__init__(clock=clock)
        self._importance = importance

    async def replace(self, material: Material, *, extra: Sequence[Item] = ()) -> Replacement | CannotFit:
        """Say what fits; `extra` items compete with the ledger's own."""
        with no_collections():
            return self._replace(material, extra)

    def _replace(self, material: Material, extra: Sequence[Item]) -> Replacement | CannotFit:
        read = self._read(material)
        items = [
            *items_of(read.state, read.likelihood),
            *read.told_again,
            *passages_of(_new(material), read.first_turn, material.budget_tokens),
            *extra,
        ]
        stock = stock_of(items, read.likelihood, read.mentions, material.counter)
        carried = [Row.from_json(row) for row in material.carry.get("rows", ())]
        earlier = carried or read.brief
        room = material.budget_tokens - MESSAGE_OVERHEAD_TOKENS
        brief = write_brief(stock, earlier, room, material.counter)
        if brief is None:
            return CannotFit(f"not even the frame of a brief fits {material.budget_tokens} tokens")
        said = {turn for item in (*brief.kept.items, *brief.choice.items) for turn in item.turns}
        return Replacement(
            messages=(brief_message(render(brief.rows)),),
            told=tuple(_account(material, said, read.first_turn)),
            warnings=_warnings(brief.choice),
            state=read.state,
            carry={**read.carry, "rows": [row.to_json() for row in brief.rows]},
        )

    def _read(self, material: Material) -> _Read:
        """The session as far as this material: read, or as it was read for another budget."""
        request = material.request
        at_hand = (request.worked_out or {}).get(Ledger.name)
        if isinstance(at_hand, _Read) and at_hand.is_of(self, request):
            return at_hand
        reading = Reading.resume(material.carry) if material.carry else Reading.begin()
        first_turn = reading.mentions.messages
        reading.read(_new(material))
        likelihood = (self._importance or default_importance()).probabilities(reading.mentions)
        reading.raise_likelihood(likelihood)
        for name in reading.given_up():
            likelihood.pop(name, None)
        read = _Read(
            method=self, request=request, reading=reading, first_turn=first_turn, likelihood=likelihood
        )
        if request.worked_out is not None:
            request.worked_out[Ledger.name] = read
        return read


class _Read:
    """What was read, whatever the budget: the state, the names, and how likely each is to be needed."""

    def __init__(
        self,
        *,
        method: Ledger,
        request: CompactionRequest,
        reading: Reading,
        first_turn: int,
        likelihood: dict[str, float],
    ) -> None:
        self._of = (method, request.span, request.previous)
        self._reading = reading
        self.state = reading.state
        self.mentions = reading.mentions
        self.first_turn = first_turn
        self.likelihood = likelihood
        self.told_again = list(reading.told_again())
        self.brief = tuple(reading.brief)

    def is_of(self, method: Ledger, request: CompactionRequest) -> bool:
        """Whether this method would read the same for the request."""
        asked = (method, request.span, request.previous)
        return all(mine is theirs for mine, theirs in zip(self._of, asked, strict=True))

    @cached_property
    def carry(self) -> dict[str, Any]:
        """What the next compaction needs."""
        self._reading.forget(self.likelihood)
        return self._reading.carry()


def _new(material: Material) -> Sequence[Message]:
    return material.originals[material.from_previous :]


def _account(material: Material, said: set[int], first_turn: int) -> Iterator[Told]:
    for i in range(len(material.messages)):
        turn = first_turn + i - material.from_previous
        if i < material.from_previous or turn in said:
            yield Told("condensed", "in the brief")
        else:
            yield Told("archived", "nothing of it was likely enough to be needed")


def _warnings(choice: Choice) -> tuple[str, ...]:
    left_out = [item for item in choice.left_out if item.section in ("asked", "rules", "files", "open")]
    if not left_out:
        return ()
    counts: dict[str, int] = {}
    for item in left_out:
        counts[item.section] = counts.get(item.section, 0) + 1
    what = ", ".join(f"{n} in {section!r}" for section, n in counts.items())
    return (f"the budget is too small for all that should be said: left out {what}",)
