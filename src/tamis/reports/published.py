"""Figures that others published of their own methods.

Factory's evaluation of context compression (2025): 36,611 messages of coding agents, answers judged by a
model. Other sessions, other questions and another judge: neither the figures nor their distances are those of
a run here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SOURCE: Final = "Factory's evaluation of context compression, 2025; 36,611 messages, judged by a model"


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedResult:
    """A row of the published table: what the method is, whose, and its scores from 0 to 5 as printed."""

    method: str
    by: str
    overall: float
    dimensions: Mapping[str, float]

    @property
    def mean_of_dimensions(self) -> float:
        """The unweighted mean of the dimensions, which is how the same source says that overall is made.

        >>> [round(row.mean_of_dimensions, 3) for row in PUBLISHED]
        [3.955, 3.77, 3.72]
        """
        return sum(self.dimensions.values()) / len(self.dimensions)


_DIMENSIONS = (
    "accuracy",
    "context_awareness",
    "artifact_trail",
    "completeness",
    "continuity",
    "instruction_following",
)


def _row(method: str, by: str, overall: float, *scores: float) -> PublishedResult:
    dimensions = dict(zip(_DIMENSIONS, scores, strict=True))
    return PublishedResult(method=method, by=by, overall=overall, dimensions=dimensions)


PUBLISHED: Final = (
    _row("anchored iterative", "Factory", 3.70, 4.04, 4.01, 2.45, 4.44, 3.80, 4.99),
    _row("regenerative", "Anthropic", 3.44, 3.74, 3.56, 2.33, 4.37, 3.67, 4.95),
    _row("opaque", "OpenAI", 3.35, 3.43, 3.64, 2.19, 4.37, 3.77, 4.92),
)
