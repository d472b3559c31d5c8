"""Averages with intervals, resampled by cluster.

Points of one session are not independent, so the bootstrap draws whole clusters (a session, or all tries at
one task), as in Field and Welsh, "Bootstrapping clustered data" (J. R. Stat. Soc. B 69, 2007). The interval
is the percentile interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tamis.errors import MissingExtra

try:
    import numpy as np
except ImportError:
    raise MissingExtra("intervals need numpy; install it with: pip install 'tamis[evals]'") from None

if TYPE_CHECKING:
    import numpy.typing as npt

RESAMPLES = 2_000
CONFIDENCE = 0.95


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
    values: Sequence[float],
    clusters: Sequence[str],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Estimate | None:
    """The mean over points with a cluster-bootstrap interval; None where there is nothing to average.

    The same input and seed give the same interval.

    >>> estimate_mean([0.5, 0.7, 0.9], ["a", "a", "b"]).mean
    0.7
    """
    if not values:
        return None
    names = sorted(set(clusters))
    index = {name: i for i, name in enumerate(names)}
    owner = np.array([index[c] for c in clusters])
    sums = np.bincount(owner, weights=np.asarray(values, dtype=float), minlength=len(names)).astype(float)
    counts = np.bincount(owner, minlength=len(names)).astype(float)
    mean = round(float(sums.sum() / counts.sum()), 12)
    if len(names) < 2:
        return Estimate(mean=mean, low=None, high=None, points=len(values), clusters=len(names))
    means = _resampled_means(sums, counts, seed=seed, resamples=resamples)
    low, high = np.quantile(means, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Estimate(mean=mean, low=float(low), high=float(high), points=len(values), clusters=len(names))


def _resampled_means(
    sums: npt.NDArray[np.float64], counts: npt.NDArray[np.float64], *, seed: int, resamples: int
) -> npt.NDArray[np.float64]:
    draws = _draws(len(sums), seed, resamples)
    means: npt.NDArray[np.float64] = sums[draws].sum(axis=1) / counts[draws].sum(axis=1)
    return means


@lru_cache(maxsize=4)
def _draws(clusters: int, seed: int, resamples: int) -> npt.NDArray[np.int64]:
    """Which clusters each resample holds: the same for every figure over as many clusters."""
    return np.random.default_rng(seed).integers(clusters, size=(resamples, clusters))
