"""What a prompt cache serves of a compacted context.

A provider keeps the beginning of a request and charges less for it when the next request begins with the same
tokens. After a compaction the first turn reads the new context for the first time, and every later turn finds
it in the cache; a span that stood as it was, was there before. What has to be read again comes on top, at
the price of what is new. Not taken into account: how long a provider keeps a beginning, the least length that
it keeps, and what stands before and behind the span, which costs the same whatever was made of that.
"""

from dataclasses import dataclass

from tamis.evals.figures.prices import Price
from tamis.evals.hindsight import Hindsight
from tamis.evals.rundir.results import Result


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskTokens:
    """The tokens that the rest of a task reads because of a context: anew, and from the cache."""

    new: int
    cached: int

    @property
    def cached_share(self) -> float | None:
        """The share that the cache serves; None where nothing is read."""
        total = self.new + self.cached
        return self.cached / total if total else None


def task_tokens(result: Result, score: Hindsight) -> TaskTokens:
    """How the tokens per task divide: `Hindsight.tokens_per_task` is their sum."""
    cached = score.cached_tokens
    if result.outcome == "unchanged":
        cached = score.carried_tokens + (score.regained_tokens or 0) - score.fetched_tokens
    return TaskTokens(new=score.tokens_per_task - cached, cached=cached)


def task_cost(result: Result, score: Hindsight, price: Price, *, cache: bool) -> float | None:
    """What the rest of the task costs because of the context, in US dollars; None where unknown."""
    if price.tier_from is not None and result.tokens_after >= price.tier_from:
        return None
    tokens = task_tokens(result, score)
    return price.cost(new_tokens=tokens.new, cached_tokens=tokens.cached, cache=cache)
