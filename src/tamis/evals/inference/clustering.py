"""Values in clusters: what is left of a figure once points of one session count as one witness.

Points of one session are not independent of each other, so a mean over points is read as a ratio of two sums
over clusters (a session, or all tries at one task), and its spread comes from clusters alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
EPSILON = 1e-12  # differences below this are what is left of rounding


@dataclass(frozen=True, kw_only=True)
class ClusterTotals:
    """The sum and the count of a figure in each cluster, in the order of the clusters' names."""

    sums: FloatArray
    counts: FloatArray

    @property
    def clusters(self) -> int:
        """How many independent witnesses there are."""
        return len(self.sums)

    @cached_property
    def mean(self) -> float:
        """The mean over points."""
        return round(float(self.sums.sum() / self.counts.sum()), 12)

    @property
    def means(self) -> FloatArray:
        """The mean in each cluster."""
        means: FloatArray = self.sums / self.counts
        return means

    @cached_property
    def standard_error(self) -> float:
        """The standard error of the mean, by the linearised ratio: sqrt(C/(C−1) · Σ(Sᵢ − m·nᵢ)²) / Σnᵢ.

        Liang and Zeger, "Longitudinal data analysis using generalized linear models" (Biometrika 73, 1986).
        """
        if self.clusters < 2:
            raise ValueError("one cluster has no spread")
        residues = self.sums - self.sums.sum() / self.counts.sum() * self.counts
        spread = float(np.sqrt((residues**2).sum() * self.clusters / (self.clusters - 1)))
        error = spread / float(self.counts.sum())
        return error if error > EPSILON else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of one cluster's say in the mean: the standard error times √C."""
        return self.standard_error * float(np.sqrt(self.clusters))


def by_cluster(values: Sequence[float], clusters: Sequence[str]) -> ClusterTotals:
    """Sum values by the cluster that each belongs to.

    >>> by_cluster([0.5, 0.7, 0.9], ["a", "a", "b"]).mean
    0.7
    """
    if not values:
        raise ValueError("there are no values")
    owner = np.unique(np.asarray(clusters, dtype=object), return_inverse=True)[1]
    sums = np.bincount(owner, weights=np.asarray(values, dtype=float)).astype(float)
    return ClusterTotals(sums=sums, counts=np.bincount(owner).astype(float))
