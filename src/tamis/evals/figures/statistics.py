"""Averages with intervals: a mean over points, resampled by whole sessions."""

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.evals.inference.clustering import by_cluster
from tamis.evals.inference.intervals import AMOUNT, SHARE, Bounds, bootstrap_t

__all__ = ["AMOUNT", "SHARE", "Estimate", "estimate_mean"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """A mean, its 95 % interval, and how much stands behind it.

    `low` and `high` are None where there are fewer than two clusters: one session says nothing about another.
    """

    mean: float
    low: float | None
    high: float | None
    points: int
    clusters: int


def estimate_mean(
    values: Sequence[float], clusters: Sequence[str], *, within: Bounds | None = None, seed: int = 0
) -> Estimate | None:
    """The mean over points with an interval by the cluster bootstrap; None where there is nothing to average.

    `clusters` names the session, or task, of each value; the interval ends at `within`. The same input and
    seed give the same interval.

    >>> estimate_mean([0.5, 0.7, 0.9], ["a", "a", "b"], within=SHARE).mean
    0.7
    """
    if not values:
        return None
    sample = by_cluster(values, clusters)
    interval = bootstrap_t(sample, within=within, seed=seed)
    return Estimate(
        mean=sample.mean,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        points=len(values),
        clusters=sample.clusters,
    )
