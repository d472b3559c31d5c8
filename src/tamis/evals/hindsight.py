"""Hindsight: judging a compaction by what the agent really went on to use.

Cut a recorded session. Behind the cut stands what the agent did. Every name that it used there, that stood in
the span, and that it could not have known from the system prompt or from what came after the cut, was needed.
Which names were needed follows from the session alone; no method's output takes part, and no model.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tamis.evals.points import Point
from tamis.messages import Counter, Message, Thinking, count_messages
from tamis.text.names import KINDS, Name, NameKind, message_names
from tamis.text.needed_names import SearchableContext, cheap_carriers, refetch_tokens


@dataclass(frozen=True, kw_only=True, slots=True)
class Need:
    """A name that the agent used after the cut and could have known from the span only.

    `turn` is the assistant turn that used it first (from 0 after the cut), `uses` in how many it was used.
    """

    name: str
    kind: NameKind
    turn: int
    uses: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Needs:
    """What the agent needed at one point.

    `turns` is the number of assistant turns after the cut. `carriers` gives for each needed name the
    positions of the span messages that it stands in.
    """

    needs: tuple[Need, ...]
    turns: int
    carriers: Mapping[str, tuple[int, ...]]


def needed_names(point: Point, names_of: Callable[[Message], set[Name]] = message_names) -> Needs:
    """The names that the agent needed after the point.

    A use is a name in what the assistant said or in a call that it made; its thinking does not count. A name
    that a user, a tool or the harness mentioned after the cut and before the use was not needed from the
    span. Whoever measures several points of a session can hand in a `names_of` that remembers.
    """
    span_names = [names_of(m) for m in point.span]
    in_span: dict[str, NameKind] = {n.text: n.kind for names in span_names for n in names}
    known: set[str] = {n.text for m in point.system for n in names_of(m)}
    first_use: dict[str, int] = {}
    uses: dict[str, int] = {}
    turn = -1
    for message in point.tail:
        if message.role != "assistant":
            known.update(n.text for n in names_of(message))
            continue
        turn += 1
        said = [p for p in message.parts if not isinstance(p, Thinking)]
        for name in {n.text for n in message_names(message, parts=said)}:
            if name in first_use:
                uses[name] += 1
            elif name in in_span and name not in known:
                first_use[name], uses[name] = turn, 1
    needs = tuple(
        Need(name=name, kind=in_span[name], turn=first, uses=uses[name])
        for name, first in sorted(first_use.items(), key=lambda item: (item[1], item[0]))
    )
    carriers: dict[str, list[int]] = {n.name: [] for n in needs}
    for i, names in enumerate(span_names):
        for found in names:
            if found.text in carriers:
                carriers[found.text].append(i)
    return Needs(needs=needs, turns=turn + 1, carriers={k: tuple(v) for k, v in carriers.items()})


class NameCache:
    """`message_names`, each message read once however many points it stands before."""

    def __init__(self) -> None:
        self._names: dict[str, set[Name]] = {}

    def __call__(self, message: Message) -> set[Name]:
        """The names of the message."""
        if message.id not in self._names:
            self._names[message.id] = message_names(message)
        return self._names[message.id]


@dataclass(frozen=True, kw_only=True, slots=True)
class KindScore:
    """How many names of a kind were needed, and how many of them survived."""

    needed: int
    found: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Hindsight:
    """How a compaction stands in hindsight.

    - `recall`: needed names found in the context / needed names, each counted once.
    - `weighted_recall`: the same, each name weighted by the number of turns that used it.
    - `regret_rate`: assistant turns whose first use of a needed name met a context without it / assistant
      turns after the cut.
    - `refetch_tokens`: the tokens of a cheap set of source messages that hold all missing names.
    - `carried_tokens`: the context times the turns that carry it; the first turn pays the uncached price.
    - `regained_tokens`: what the missing names cost (`regained`), of them `fetched_tokens` read anew; None in
      results of versions that did not work it out.
    - `tokens_per_task`: `carried_tokens + regained_tokens`.
    """

    recall: float
    weighted_recall: float
    regret_rate: float
    refetch_tokens: int
    carried_tokens: int
    cached_tokens: int
    by_kind: Mapping[NameKind, KindScore]
    missing: tuple[str, ...]
    regained_tokens: int | None = None
    fetched_tokens: int = 0

    @property
    def tokens_per_task(self) -> int:
        """All tokens that the rest of the task costs because of this context."""
        regained = self.refetch_tokens if self.regained_tokens is None else self.regained_tokens
        return self.carried_tokens + regained


@dataclass(frozen=True, kw_only=True, slots=True)
class NotMeasured:
    """Why there is no figure. Not a zero."""

    reason: str


def score_hindsight(
    needs: Needs,
    messages: Sequence[Message],
    *,
    context_tokens: int,
    span_tokens: Sequence[int],
    beside_tokens: Sequence[int] = (),
) -> Hindsight | NotMeasured:
    """Score the messages that stand in for a span.

    `span_tokens` are those of each source message, for the price of reading one again; `beside_tokens` those
    beside the context in each turn after the cut (`tokens_beside`).
    """
    if not needs.needs:
        return NotMeasured(reason="the agent used no name from the span after the cut")
    context = SearchableContext(messages)
    missing = [n for n in needs.needs if n.name not in context]
    gone = {n.name for n in missing}
    weight = sum(n.uses for n in needs.needs)
    got = regained(needs, missing, context_tokens, span_tokens, beside_tokens=beside_tokens)
    return Hindsight(
        recall=1 - len(missing) / len(needs.needs),
        weighted_recall=1 - sum(n.uses for n in missing) / weight,
        regret_rate=len({n.turn for n in missing}) / needs.turns,
        refetch_tokens=refetch_tokens(gone, needs.carriers, span_tokens),
        carried_tokens=context_tokens * needs.turns,
        cached_tokens=context_tokens * (needs.turns - 1) + got.read - got.fetched,
        by_kind=by_kind(needs.needs, gone),
        missing=tuple(n.name for n in missing),
        regained_tokens=got.read,
        fetched_tokens=got.fetched,
    )


def by_kind(needs: Sequence[Need], gone: Container[str]) -> Mapping[NameKind, KindScore]:
    """How many names of each kind were needed, and how many of these are not gone."""
    return {
        kind: KindScore(needed=len(names), found=sum(name not in gone for name in names))
        for kind in KINDS
        if (names := [need.name for need in needs if need.kind == kind])
    }


@dataclass(frozen=True, kw_only=True, slots=True)
class Regained:
    """The tokens that getting missing names back costs: `read` in all, `fetched` for the first time."""

    read: int
    fetched: int


def regained(
    needs: Needs,
    missing: Sequence[Need],
    context_tokens: int,
    span_tokens: Sequence[int],
    *,
    beside_tokens: Sequence[int] = (),
) -> Regained:
    """What it costs to get the missing names back, each in the turn that uses it first.

    A turn that lacks names asks for a cheap set of messages that holds them, all at once: one more request,
    which reads the context, what stands beside it, and what was fetched before. What was fetched stands in
    view from then on, and is read in every turn that follows. That the agent knows what it lacks, finds it at
    once and makes nothing up instead is taken for granted: the true cost is higher.
    """
    fetched: set[int] = set()
    read = held = 0
    for turn, group in groupby(sorted(missing, key=lambda n: n.turn), key=lambda n: n.turn):
        gone = {n.name for n in group if fetched.isdisjoint(needs.carriers[n.name])}
        if not gone:
            continue
        picked = cheap_carriers(gone, needs.carriers, span_tokens)
        tokens = sum(span_tokens[i] for i in picked)
        beside = beside_tokens[turn] if turn < len(beside_tokens) else 0
        read += context_tokens + beside + held + tokens * (needs.turns - turn)
        held += tokens
        fetched |= picked
    return Regained(read=read, fetched=held)


def tokens_beside(point: Point, counter: Counter) -> tuple[int, ...]:
    """The tokens that stand beside the context in each turn after the cut: system prompt and tail so far."""
    tokens = sum(count_messages(point.system, counter))
    found = []
    for message, count in zip(point.tail, count_messages(point.tail, counter), strict=True):
        if message.role == "assistant":
            found.append(tokens)
        tokens += count
    return tuple(found)
