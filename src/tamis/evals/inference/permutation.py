"""A test of no difference: the signs of whole clusters are flipped.

If it made no difference which of two methods is which, every cluster's difference could as well have had the
other sign. The p value is the share of all such flips that differ as much as what was seen (Fisher, *The
Design of Experiments*, 1935; by clusters: Gail et al., "On design considerations and randomization-based
inference for community intervention trials", Statistics in Medicine 15, 1996).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from tamis.evals.inference.clustering import ClusterTotals

if TYPE_CHECKING:
    from tamis.evals.inference.clustering import FloatArray

FLIPS = 9_999
"""Up to 13 clusters all flips are tried, which makes the test exact; with more, so many at random."""

AT_ONCE = 2_000_000
"""How many flipped values are held at a time, so that memory does not grow with the clusters."""


def sign_flip_test(differences: ClusterTotals, *, seed: int = 0, flips: int = FLIPS) -> float | None:
    """The two-sided p value of no difference; None with fewer than two clusters.

    The smallest that five clusters can give is 2/2⁵ = 0.0625: they cannot show anything at 5 %.

    >>> from tamis.evals.inference.clustering import by_cluster
    >>> sign_flip_test(by_cluster([0.1, 0.2, 0.3], ["a", "b", "c"]))
    0.25
    """
    if differences.clusters < 2:
        return None
    if not np.any(differences.sums):
        return 1.0
    found = stats.permutation_test(
        (differences.sums,),
        _sum,
        permutation_type="samples",
        vectorized=True,
        n_resamples=flips,
        batch=max(1, AT_ONCE // differences.clusters),
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def _sum(values: FloatArray, axis: int) -> FloatArray:
    total: FloatArray = values.sum(axis=axis)
    return total
