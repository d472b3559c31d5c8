"""The rules that hold for every method, in one place: what is replaced, when, and what is said about it.

A method derives from `Method` and writes `replace`, which is called only when the span is over the budget.
`Method.compact` puts the previous answer in front, takes torn pairs out, counts, compares with the budget,
and builds the account. A compactor that keeps the contract by itself needs none of this.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tamis.compactors.account import MessageFate, settle_account, stands
from tamis.compactors.pairs import PairedMessages, without_torn_pairs
from tamis.compactors.protocol import Compaction, CompactionRequest, Outcome, Usage
from tamis.ledger import State
from tamis.messages import Counter, Message, count_messages, whole_units


@dataclass(frozen=True, kw_only=True, slots=True)
class Unit:
    """A run of messages that can only be kept or dropped together, and its tokens."""

    positions: range
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Material:
    """What a method works on: what it replaces, oldest first, with every pair whole, and the tokens of each.

    The first `from_previous` messages are those that `carry`, left by the method's own last answer, speaks
    for: a method that carries something over need not read them again.

    `originals` is all that `carry` does not speak for as it stood in the source, torn pairs and all, up to
    the end of the span: what is quoted and pointed at is read off it. `positions` says where each of
    `messages` stands in the span; those of the previous answer stand before it, at negative positions.
    """

    messages: tuple[Message, ...]
    originals: tuple[Message, ...]
    positions: tuple[int, ...]
    tokens: tuple[int, ...]
    budget_tokens: int
    counter: Counter
    request: CompactionRequest
    from_previous: int = 0
    carry: Mapping[str, Any] = field(default_factory=dict)

    def units(self, tokens: Sequence[int] | None = None) -> list[Unit]:
        """The whole units, oldest first; `tokens` per message where they differ from the source's."""
        counts = self.tokens if tokens is None else tokens
        return [
            Unit(positions=positions, tokens=sum(counts[positions.start : positions.stop]))
            for positions in whole_units(self.messages)
        ]

    def keep(self, positions: Collection[int], *, why: str, why_not: str) -> Replacement:
        """The messages at these positions as they stand, and nothing else."""
        kept, archived = MessageFate("kept", why), MessageFate("archived", why_not)
        return Replacement(
            messages=tuple(self.messages[i] for i in sorted(positions)),
            told=tuple(kept if i in positions else archived for i in range(len(self.messages))),
        )

    def condense(self, *messages: Message, reason: str) -> Replacement:
        """New messages that stand for all of the material."""
        return Replacement(messages=messages, told=(MessageFate("condensed", reason),) * len(self.messages))

    def known_tokens(self) -> dict[int, int]:
        """The tokens by `id()` of the message object, so that what is kept is not counted again."""
        return {id(m): n for m, n in zip(self.messages, self.tokens, strict=True)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Replacement:
    """What a method made: the messages, and for each message of the material what became of it."""

    messages: tuple[Message, ...]
    told: tuple[MessageFate, ...]
    warnings: tuple[str, ...] = ()
    state: State | None = None
    usage: Usage = field(default_factory=Usage)
    carry: Mapping[str, Any] = field(default_factory=dict)
    readable: bool = True


@dataclass(frozen=True, slots=True)
class CannotFit:
    """A method's answer when nothing fits, with the reason, and what it read all the same."""

    reason: str
    state: State | None = None


class Method(ABC):
    """A compactor with the common rules.

    - What is small enough stands as it was: `unchanged`.
    - What the method made is counted; over the budget, or not smaller, it is not used.
    - When it could not be done, the source stands as it was: `unmet`, with the reason as a warning.
    """

    name: str
    version: str = "1"

    def __init__(self, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock

    @abstractmethod
    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Make something smaller of the material, within its budget."""

    async def compact(self, request: CompactionRequest) -> Compaction:
        """Replace the span under the common rules."""
        start = self._clock()
        compaction = await self._compact(request)
        return replace(compaction, latency_ms=(self._clock() - start) * 1000)

    async def _compact(self, request: CompactionRequest) -> Compaction:
        earlier = request.previous.messages if request.previous else ()
        source = (*earlier, *request.span)
        tokens = (*count_messages(earlier, request.counter), *_span_tokens(request))
        before = sum(tokens)
        if before <= request.budget_tokens:
            return self._as_it_was(request, source, before, "unchanged")
        sound = without_torn_pairs(source)
        material = self._material(request, sound, source, tokens)
        made = await self.replace(material)
        if isinstance(made, CannotFit):
            stood = self._as_it_was(request, source, before, "unmet", made.reason)
            return replace(stood, state=made.state)
        after = _count(made.messages, material)
        if after > request.budget_tokens:
            reason = f"{self.name} made {after} tokens, more than the budget of {request.budget_tokens}"
            return self._as_it_was(request, source, before, "unmet", reason)
        return Compaction(
            messages=made.messages,
            account=settle_account(source, sound, made.told)[len(earlier) :],
            tokens_before=before,
            tokens_after=after,
            outcome="fits",
            method=self.name,
            version=self.version,
            state=made.state,
            warnings=made.warnings,
            usage=made.usage,
            carry=made.carry,
            carry_covers=len(made.messages) if made.carry else 0,
            readable=made.readable,
        )

    def _material(
        self,
        request: CompactionRequest,
        sound: PairedMessages,
        source: Sequence[Message],
        tokens: Sequence[int],
    ) -> Material:
        """The sound messages with their tokens; only those that lost a part are counted again."""
        places = tuple(zip(sound.messages, sound.sources, strict=True))
        recounted = iter(count_messages([m for m, at in places if m is not source[at]], request.counter))
        covered = self._covered(request)
        return Material(
            messages=sound.messages,
            originals=tuple(source[covered:]),
            positions=tuple(at - (len(source) - len(request.span)) for at in sound.sources),
            tokens=tuple(tokens[at] if m is source[at] else next(recounted) for m, at in places),
            budget_tokens=request.budget_tokens,
            counter=request.counter,
            request=request,
            from_previous=sum(at < covered for at in sound.sources),
            carry=self._carry(request),
        )

    def _covered(self, request: CompactionRequest) -> int:
        """How many of the previous answer's messages its carry speaks for, if it was this method's."""
        previous = request.previous
        return previous.carry_covers if previous and previous.method == self.name else 0

    def _carry(self, request: CompactionRequest) -> Mapping[str, Any]:
        return request.previous.carry if request.previous and self._covered(request) else {}

    def _as_it_was(
        self,
        request: CompactionRequest,
        source: tuple[Message, ...],
        tokens: int,
        outcome: Outcome,
        reason: str = "",
    ) -> Compaction:
        why = "it fits the budget" if outcome == "unchanged" else "the budget could not be met"
        return Compaction(
            messages=source,
            account=stands(request.span, why),
            tokens_before=tokens,
            tokens_after=tokens,
            outcome=outcome,
            method=self.name,
            version=self.version,
            warnings=(reason,) if reason else (),
            carry=self._carry(request),
            carry_covers=self._covered(request),
        )


def _span_tokens(request: CompactionRequest) -> Sequence[int]:
    if request.counts is None:
        return count_messages(request.span, request.counter)
    if len(request.counts) != len(request.span):
        raise ValueError(f"{len(request.counts)} counts were given for {len(request.span)} messages")
    return request.counts


def _count(messages: Sequence[Message], material: Material) -> int:
    known = material.known_tokens()
    new = [m for m in messages if id(m) not in known]
    return sum(known.get(id(m), 0) for m in messages) + sum(count_messages(new, material.counter))
