"""What repeated compaction loses: a span compacted in ten parts, one after the other, against all at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from tamis.compactors import Compaction, CompactionRequest, Compactor, parse_budget, run_compactor
from tamis.evals import Hindsight, Needs, NotMeasured, Point, score_hindsight
from tamis.messages import Counter, count_messages, part_text, whole_units

CYCLES = 10


@dataclass(frozen=True, kw_only=True)
class Drift:
    """Recall after one compaction and after ten in a row, and how much of each brief stood in the next.

    `stayed` is the common prefix of a brief and the next one, as a share of the next one's bytes: what a
    prompt cache would serve again. One figure for each compaction that followed a brief.
    """

    at_once: float
    in_a_row: float
    stayed: tuple[float, ...]


def measure_drift(
    method: Compactor, point: Point, needs: Needs, budget: str, counter: Counter
) -> Drift | NotMeasured:
    """Compact the span of a point both ways at the same budget in tokens."""
    tokens = tuple(count_messages(point.span, counter))
    room = parse_budget(budget).resolve(point.span_tokens)
    parts = list(_parts(point, tokens))
    if len(parts) < CYCLES:
        return NotMeasured(reason=f"the span has fewer than {CYCLES} parts")

    def compacted(part: range, previous: Compaction | None) -> Compaction:
        request = CompactionRequest(
            span=point.span[part.start : part.stop], budget_tokens=room, counter=counter, previous=previous
        )
        return run_compactor(method, request)

    whole = compacted(range(len(point.span)), None)
    made: list[Compaction] = []
    for part in parts:
        made.append(compacted(part, made[-1] if made else None))
    scores = [
        score_hindsight(needs, c.messages, context_tokens=c.tokens_after, span_tokens=tokens)
        for c in (whole, made[-1])
    ]
    if any(c.outcome == "unmet" for c in (whole, *made)):
        return NotMeasured(reason="a budget was not met")
    if not all(isinstance(score, Hindsight) for score in scores):
        return NotMeasured(reason="the agent used no name from the span after the cut")
    once, ten = (score.recall for score in scores if isinstance(score, Hindsight))
    briefs = [_text(c).encode() for c in made if c.outcome == "fits"]
    stayed = tuple(_common_prefix(a, b) / len(b) for a, b in pairwise(briefs))
    return Drift(at_once=once, in_a_row=ten, stayed=stayed)


def _parts(point: Point, tokens: tuple[int, ...]) -> Iterator[range]:
    """Ten parts of about as many tokens each, whole calls and results in each."""
    before = [0, *accumulate(tokens)]
    starts = [unit.start for unit in whole_units(point.span)]
    wanted = (before[-1] * i / CYCLES for i in range(1, CYCLES))
    cuts = sorted({next((s for s in starts if before[s] >= at), len(point.span)) for at in wanted})
    for start, stop in pairwise(dict.fromkeys([0, *cuts, len(point.span)])):
        yield range(start, stop)


def _text(made: Compaction) -> str:
    return "\n".join(part_text(part) for message in made.messages for part in message.parts)


def _common_prefix(a: bytes, b: bytes) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
