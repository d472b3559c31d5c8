"""Averages and their intervals: by hand, and against a simulation in which the truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.evals.statistics import Estimate, estimate_mean


def test_the_mean_is_over_points() -> None:
    estimate = estimate_mean([0.0, 1.0, 1.0, 1.0], ["a", "b", "b", "b"])
    assert estimate is not None
    assert (estimate.mean, estimate.points, estimate.clusters) == (0.75, 4, 2)


def test_nothing_measured_is_no_estimate() -> None:
    assert estimate_mean([], []) is None


def test_one_cluster_has_no_interval() -> None:
    assert estimate_mean([0.2, 0.4], ["a", "a"]) == Estimate(
        mean=pytest.approx(0.3), low=None, high=None, points=2, clusters=1
    )


def test_equal_values_have_an_interval_without_width() -> None:
    estimate = estimate_mean([0.5] * 6, list("aabbcc"))
    assert estimate == Estimate(mean=0.5, low=0.5, high=0.5, points=6, clusters=3)


def test_two_clusters_resample_to_either_or_both() -> None:
    """With two clusters a resample is aa, ab, ba or bb, so the interval is the whole range."""
    estimate = estimate_mean([0.0, 1.0], ["a", "b"])
    assert estimate == Estimate(mean=0.5, low=0.0, high=1.0, points=2, clusters=2)


def test_the_same_seed_gives_the_same_interval_and_another_a_near_one() -> None:
    values, clusters = [n / 30 for n in range(30)], [str(n // 3) for n in range(30)]
    one, two, other = (estimate_mean(values, clusters, seed=seed) for seed in (1, 1, 2))
    assert one == two
    assert one is not None
    assert other is not None
    assert one != other
    assert (one.low, one.high) == (pytest.approx(other.low, abs=0.05), pytest.approx(other.high, abs=0.05))


def test_the_order_of_the_points_does_not_matter() -> None:
    values, clusters = [0.1, 0.9, 0.4, 0.6, 0.2], ["a", "a", "b", "c", "c"]
    assert estimate_mean(values, clusters) == estimate_mean(values[::-1], clusters[::-1])


def test_points_of_one_cluster_do_not_narrow_the_interval_as_if_they_were_independent() -> None:
    per_cluster = [0.1, 0.3, 0.5, 0.7, 0.9]
    once = estimate_mean(per_cluster, list("abcde"))
    copied = estimate_mean(per_cluster * 10, list("abcde") * 10)
    assert once is not None
    assert copied is not None
    assert (copied.low, copied.high) == (pytest.approx(once.low), pytest.approx(once.high))


def test_the_interval_holds_the_truth_as_often_as_it_claims() -> None:
    """Sessions with a level of their own and noisy points: the true mean is 0.5 by construction.

    The percentile interval is known to fall a little short with few clusters, so 40 of them should come to
    between 91 and 98 in a hundred; one that ignored the clusters would come to about 60.
    """
    rng = np.random.default_rng(7)
    rounds, clusters, each = 300, 40, 5
    names = [str(c) for c in range(clusters) for _ in range(each)]
    held = 0
    for _ in range(rounds):
        levels = rng.normal(0.5, 0.1, size=clusters)
        values = (levels[:, None] + rng.normal(0, 0.05, size=(clusters, each))).ravel()
        estimate = estimate_mean(values.tolist(), names, resamples=500)
        assert estimate is not None
        assert estimate.low is not None
        assert estimate.high is not None
        held += estimate.low <= 0.5 <= estimate.high
    assert 0.91 <= held / rounds <= 0.98
