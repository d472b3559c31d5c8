"""A step function: how the worth of a statement goes with one number that is seen of it."""

from bisect import bisect_right
from dataclasses import dataclass

from pydantic import ConfigDict


@dataclass(frozen=True, kw_only=True, slots=True)
class Steps:
    """A step function: `scores[i]` holds from `edges[i - 1]` (inclusive) up to `edges[i]` (exclusive)."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    edges: tuple[float, ...]
    scores: tuple[float, ...]

    def __call__(self, value: float) -> float:
        """The score at `value`, in log-odds.

        >>> Steps(edges=(2, 10), scores=(0.5, 0.0, -1.0))(2)
        0.0
        """
        return self.scores[bisect_right(self.edges, value)]

    @property
    def span(self) -> float:
        """Between the best and the worst score: how much this number can say."""
        return max(self.scores) - min(self.scores)
