"""Made-up sessions of which the truth is known: how much methods differ, and how much sessions do."""

from __future__ import annotations

import numpy as np

from tamis.evals.inference.clustering import ClusterTotals

RANDOM = np.random.Generator


def uneven(rng: RANDOM, clusters: int) -> np.ndarray:
    """Points per session: mostly one to five, now and then three times as many."""
    few = np.minimum(rng.geometric(0.3, clusters), 8)
    return (few + np.where(rng.random(clusters) < 0.1, 8, 0)).astype(float)


def normal(rng: RANDOM, clusters: int) -> tuple[ClusterTotals, float]:
    """Sessions with a level of their own, and points that scatter around it."""
    counts = uneven(rng, clusters)
    sums = counts * rng.normal(0.05, 0.1, clusters) + np.sqrt(counts) * rng.normal(0, 0.1, clusters)
    return ClusterTotals(sums=sums, counts=counts), 0.05


def spiked(rng: RANDOM, clusters: int) -> tuple[ClusterTotals, float]:
    """Half of the sessions show no difference, the others a skewed one: what two methods look like."""
    counts = uneven(rng, clusters)
    level = np.where(rng.random(clusters) < 0.5, 0.0, rng.beta(1, 4, clusters))
    noise = np.where(level > 0, np.sqrt(counts) * rng.normal(0, 0.05, clusters), 0.0)
    return ClusterTotals(sums=counts * level + noise, counts=counts), 0.1


def null(rng: RANDOM, clusters: int) -> ClusterTotals:
    """No difference on the whole: each session's may as well have the other sign."""
    counts = uneven(rng, clusters)
    return ClusterTotals(sums=counts * rng.normal(0, 0.1, clusters), counts=counts)
