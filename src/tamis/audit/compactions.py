"""One compaction that an agent made itself: the names that its summary dropped and the agent then needed.

What was needed is decided by the session's own future, as everywhere in tamis: statements that the agent sums
up later and could know from the span only, and names that it went on to use. tamis is given the same span and
as many tokens as the summary took.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.api import gated
from tamis.audit.losses import Loss, SummaryPair, find_losses
from tamis.compactors import CompactionRequest
from tamis.compactors.sync import run_compactor
from tamis.errors import MethodFailed
from tamis.evals.hindsight import NameCache, Needs, needed_names
from tamis.evals.points import Point
from tamis.evals.statements.keypoints import COVERED, KeyPoints, PlaceCache, coverages, find_key_points
from tamis.evals.statements.places import texts_said
from tamis.messages import Counter, Message, count_messages
from tamis.text.needed_names import SearchableContext


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallCounts:
    """Of so many things that were needed, how many the agent's own summary had, and how many tamis."""

    needed: int = 0
    theirs: int = 0
    tamis: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class CompactionAudit:
    """One compaction, measured. `tokens_before` is the span, the others what stood for it afterwards.

    `id` is the summary's digest: the same compaction stands in every file that a session was resumed into.
    """

    id: str
    tokens_before: int
    tokens_after: int
    tamis_tokens: int
    statements: RecallCounts
    names: RecallCounts
    losses: tuple[Loss, ...]


class CompactionAuditor:
    """Measures the compactions of one session; what they share is read once."""

    def __init__(self, counter: Counter) -> None:
        """`counter` counts tokens."""
        self._counter = counter
        self._names = NameCache()
        self._places = PlaceCache()
        self._method = gated("ledger", gate="repair", mask_secrets=False)

    def measure(self, point: Point, summary: Message, *, name: str) -> CompactionAudit | None:
        """Measure the point by the agent's `summary`; None where tamis could not do with as few tokens."""
        (budget,) = count_messages([summary], self._counter)
        counts = tuple(count_messages(point.span, self._counter))
        request = CompactionRequest(
            span=point.span, budget_tokens=budget, counter=self._counter, counts=counts
        )
        try:
            made = run_compactor(self._method, request)
        except MethodFailed:
            return None
        if made.outcome != "fits":
            return None
        sought = find_key_points(point, places_of=self._places)
        needs = needed_names(point, self._names)
        theirs, tamis = _statements(sought, [summary]), _statements(sought, made.messages)
        their_names, tamis_names = _missing(needs, [summary]), _missing(needs, made.messages)
        texts = SummaryPair(summary=summary, made=made.messages, places_of=self._places)
        rules = [entry.value for entry in made.state.constraints] if made.state else []
        return CompactionAudit(
            id=name,
            tokens_before=point.span_tokens,
            tokens_after=budget,
            tamis_tokens=made.tokens_after,
            statements=RecallCounts(
                needed=len(theirs),
                theirs=sum(s >= COVERED for s in theirs),
                tamis=sum(s >= COVERED for s in tamis),
            ),
            names=RecallCounts(
                needed=len(needs.needs),
                theirs=len(needs.needs) - len(their_names),
                tamis=len(needs.needs) - len(tamis_names),
            ),
            losses=tuple(
                find_losses(
                    point,
                    texts,
                    rules=[rule for rule in rules if rule.by == "user"],
                    statements=list(zip(sought.points, theirs, tamis, strict=True)),
                    needs=needs,
                    missing=(their_names, tamis_names),
                )
            ),
        )


def _statements(sought: KeyPoints, messages: Sequence[Message]) -> list[float]:
    """How far each statement that was needed stands in the messages."""
    if not sought.points:
        return []
    return coverages(sought.points, (text for m in messages for text in texts_said(m)))


def _missing(needs: Needs, messages: Sequence[Message]) -> frozenset[str]:
    context = SearchableContext(messages)
    return frozenset(need.name for need in needs.needs if need.name not in context)
