"""Averages and their intervals, by hand; how often they hold the truth is tried in tests/evals/inference."""

from __future__ import annotations

import pytest

from tamis.evals.figures.statistics import SHARE, Estimate, estimate_mean


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


def test_two_clusters_that_differ_leave_everything_open() -> None:
    estimate = estimate_mean([0.0, 1.0], ["a", "b"], within=SHARE)
    assert estimate == Estimate(mean=0.5, low=0.0, high=1.0, points=2, clusters=2)


def test_without_bounds_the_interval_goes_as_far_as_the_spread_says() -> None:
    estimate = estimate_mean([0.0, 1.0], ["a", "b"])
    assert estimate is not None
    assert estimate.low is not None
    assert estimate.low < 0


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
