"""How often 95 % intervals hold the truth, and how often the test errs: `python benchmarks/coverage.py`.

Sessions are made up, with uneven numbers of points, so that the true difference is known. Prints Markdown:
for 5 to 100 sessions, the share of intervals that hold it, of the studentised bootstrap that tamis uses and
of the percentile bootstrap beside it; and how often the permutation test finds a difference where none is.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from tamis.evals.inference.clustering import ClusterTotals
from tamis.evals.inference.comparison import sign_flip_test
from tamis.evals.inference.intervals import bootstrap_t

CLUSTERS = (5, 10, 20, 50, 100)

Random = np.random.Generator
World = Callable[[Random, int], tuple[ClusterTotals, float]]


def points_of(rng: Random, sessions: int) -> np.ndarray:
    """Points per session: mostly one to five, now and then many more."""
    few = np.minimum(rng.geometric(0.3, sessions), 14)
    return (few + np.where(rng.random(sessions) < 0.1, 8, 0)).astype(float)


def normal(rng: Random, sessions: int) -> tuple[ClusterTotals, float]:
    """Each session has a level of its own, its points scatter around it."""
    points = points_of(rng, sessions)
    scatter = np.sqrt(points) * rng.normal(0, 0.1, sessions)
    return ClusterTotals(sums=points * rng.normal(0.05, 0.1, sessions) + scatter, counts=points), 0.05


def half_equal(rng: Random, sessions: int) -> tuple[ClusterTotals, float]:
    """Half of the sessions show no difference, the others a skewed one."""
    points = points_of(rng, sessions)
    level = np.where(rng.random(sessions) < 0.5, 0.0, rng.beta(1, 4, sessions))
    scatter = np.where(level > 0, np.sqrt(points) * rng.normal(0, 0.05, sessions), 0.0)
    return ClusterTotals(sums=points * level + scatter, counts=points), 0.1


def seldom_worse(rng: Random, sessions: int) -> tuple[ClusterTotals, float]:
    """One session in ten is worse, by anything up to everything; the others are equal."""
    points = points_of(rng, sessions)
    level = np.where(rng.random(sessions) < 0.1, -rng.beta(1, 2, sessions), 0.0)
    return ClusterTotals(sums=points * level, counts=points), -0.1 / 3


def long_differ(rng: Random, sessions: int) -> tuple[ClusterTotals, float]:
    """Sessions of more than four points are worse, the others better: what is averaged depends on length."""
    points = points_of(rng, sessions)
    level = np.where(points > 4, -0.2, 0.05)
    return ClusterTotals(sums=points * (level + rng.normal(0, 0.08, sessions)), counts=points), _LONG_DIFFER


def tokens(rng: Random, sessions: int) -> tuple[ClusterTotals, float]:
    """Counts with a long tail, as tokens are: lognormal."""
    points = points_of(rng, sessions)
    return ClusterTotals(sums=points * rng.lognormal(0, 1, sessions), counts=points), float(np.exp(0.5))


_MANY = points_of(np.random.default_rng(0), 2_000_000)
_LONG_DIFFER = float((np.where(_MANY > 4, -0.2, 0.05) * _MANY).sum() / _MANY.sum())
WORLDS: tuple[World, ...] = (normal, half_equal, seldom_worse, long_differ, tokens)


def percentile(sample: ClusterTotals, resamples: int) -> tuple[float, float]:
    """The percentile cluster bootstrap, for comparison."""
    drawn = np.random.default_rng(0).integers(sample.clusters, size=(resamples, sample.clusters))
    means = sample.sums[drawn].sum(axis=1) / sample.counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def coverage(world: World, sessions: int, *, rounds: int, resamples: int) -> tuple[float, float]:
    """The share of studentised and of percentile intervals that hold the truth.

    A sample in which no two sessions differ has no interval worth the name; it is drawn again.
    """
    rng = np.random.default_rng(sessions)
    held = [0, 0]
    for _ in range(rounds):
        sample, truth = world(rng, sessions)
        while not sample.standard_error:
            sample, truth = world(rng, sessions)
        interval = bootstrap_t(sample, resamples=resamples)
        assert interval is not None
        low, high = percentile(sample, resamples)
        held[0] += interval.low <= truth <= interval.high
        held[1] += low <= truth <= high
    return held[0] / rounds, held[1] / rounds


def false_alarms(sessions: int, *, rounds: int) -> float:
    """How often the permutation test says p <= 0.05 where no difference is."""
    rng = np.random.default_rng(sessions)
    alarms = 0
    for i in range(rounds):
        points = points_of(rng, sessions)
        sample = ClusterTotals(sums=points * rng.normal(0, 0.1, sessions), counts=points)
        p_value = sign_flip_test(sample, seed=i, flips=1_999)
        alarms += p_value is not None and p_value <= 0.05
    return alarms / rounds


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=2_000, help="samples of each kind (%(default)s)")
    parser.add_argument("--resamples", type=int, default=1_000, help="of each sample (%(default)s)")
    args = parser.parse_args()
    print("| sessions |", " | ".join(map(str, CLUSTERS)), "|")
    print("|---" * (len(CLUSTERS) + 1) + "|")
    for world in WORLDS:
        found = [coverage(world, n, rounds=args.rounds, resamples=args.resamples) for n in CLUSTERS]
        name = world.__name__.replace("_", " ")
        print(f"| {name}, studentised |", " | ".join(f"{100 * ours:.1f} %" for ours, _ in found), "|")
        print(f"| {name}, percentile |", " | ".join(f"{100 * other:.1f} %" for _, other in found), "|")
    alarms = [false_alarms(n, rounds=args.rounds) for n in CLUSTERS]
    print("| false alarms of the test |", " | ".join(f"{100 * share:.1f} %" for share in alarms), "|")


if __name__ == "__main__":
    main()
