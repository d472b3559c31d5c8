"""Statement recall: the share of the key points that one place of a compacted text says."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tamis.evals.hindsight import NotMeasured
from tamis.evals.statements.coverage import best_window
from tamis.evals.statements.keypoints import KeyPoints, KeyPointTarget
from tamis.evals.statements.places import read_text, texts_said
from tamis.messages import Message

COVERED = 0.7
"""With so much of its weight in one place, a key point is covered."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StatementRecall:
    """How much of what was summed up later a compacted text says.

    - `recall`: key points that one place of the text covers / all key points.
    - `coverage`: the mean share of a key point's weight in the best place.
    - `missing`: the positions of those that are not covered.
    """

    recall: float
    coverage: float
    points: int
    missing: tuple[int, ...]


def score_statements(sought: KeyPoints, messages: Sequence[Message]) -> StatementRecall | NotMeasured:
    """Score the messages that stand in for a span."""
    if not sought.points:
        return NotMeasured(reason=why_not(sought))
    return _scored(coverages(sought.points, (text for m in messages for text in texts_said(m))))


def coverages(sought: Sequence[KeyPointTarget], texts: Iterable[str]) -> list[float]:
    """How far the best place of the texts says each key point: 1 as far as the span's own best place."""
    read = read_text(texts)
    return [min(1.0, best_window(one.wanted, read).share / one.reach) for one in sought]


def why_not(sought: KeyPoints) -> str:
    """Why statement recall cannot be told here."""
    if not sought.recaps:
        return "nothing behind the cut sums up what was done"
    return "no sentence of a recap behind the cut could be known from the span only"


def _scored(shares: Sequence[float]) -> StatementRecall:
    covered = [share >= COVERED for share in shares]
    return StatementRecall(
        recall=sum(covered) / len(covered),
        coverage=sum(shares) / len(shares),
        points=len(covered),
        missing=tuple(i for i, is_covered in enumerate(covered) if not is_covered),
    )
