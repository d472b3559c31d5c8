"""The studentised cluster bootstrap: by hand, and against simulations in which the truth is known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.inference import worlds
from tamis.evals.inference.clustering import ClusterTotals, by_cluster
from tamis.evals.inference.intervals import SHARE, Estimate, bootstrap_t, estimate_mean


def test_the_standard_error_is_that_of_a_library() -> None:
    """statsmodels 0.15: OLS on a constant, cov_type="cluster", use_correction=True."""
    values = [0.1, 0.2, 0.0, -0.1, 0.3, 0.25, 0.05, 0.4]
    sample = by_cluster(values, list("aabbbcdd"))
    assert sample.mean == pytest.approx(0.15)
    assert sample.standard_error == pytest.approx(0.04448783, abs=1e-8)


def test_one_cluster_says_nothing_about_another() -> None:
    assert bootstrap_t(by_cluster([0.1, 0.5], ["a", "a"])) is None


def test_clusters_that_agree_leave_no_room() -> None:
    interval = bootstrap_t(by_cluster([0.25] * 6, list("aabbcc")))
    assert interval is not None
    assert (interval.low, interval.high) == (0.25, 0.25)


def test_the_interval_ends_where_the_figure_does() -> None:
    interval = bootstrap_t(by_cluster([0.0, 0.9, 1.0, 0.1], list("abcd")), within=(0.0, 1.0))
    assert interval is not None
    assert (interval.low, interval.high) == (0.0, 1.0)


@pytest.mark.parametrize("clusters", [10, 20, 50])
def test_one_session_of_many_that_differs_does_not_throw_the_interval_open(clusters: int) -> None:
    """A third of the resamples do not draw it and have no spread: that is not taken for infinitely far."""
    values = [-0.3] + [0.0] * (clusters - 1)
    interval = bootstrap_t(by_cluster(values, [str(i) for i in range(clusters)]))
    assert interval is not None
    assert -0.3 < interval.low < 3 * -0.3 / clusters
    assert 0.0 <= interval.high < 0.01


@given(
    st.lists(st.tuples(st.floats(-1, 1, width=32), st.sampled_from("abcde")), min_size=2, max_size=20),
)
def test_the_other_way_round_is_the_mirror_image(points: list[tuple[float, str]]) -> None:
    values, clusters = [v for v, _ in points], [c for _, c in points]
    one, other = (bootstrap_t(by_cluster(v, clusters), resamples=200) for v in (values, [-v for v in values]))
    if one is None or other is None:
        assert one is other
        return
    assert (one.low, one.high) == (pytest.approx(-other.high, abs=1e-9), pytest.approx(-other.low, abs=1e-9))
    assert one.low <= one.high


World = Callable[[np.random.Generator, int], tuple[ClusterTotals, float]]


@pytest.mark.parametrize("world", [worlds.normal, worlds.spiked])
@pytest.mark.parametrize(("clusters", "at_least"), [(10, 0.90), (40, 0.92)])
def test_the_interval_holds_the_truth_as_often_as_it_claims(
    world: World, clusters: int, at_least: float
) -> None:
    """`benchmarks/coverage.py` tries more worlds more often; the percentile interval comes to 0.81 here."""
    rng, rounds, held = np.random.default_rng(7), 400, 0
    for _ in range(rounds):
        sample, truth = world(rng, clusters)
        interval = bootstrap_t(sample, resamples=500)
        assert interval is not None
        held += interval.low <= truth <= interval.high
    assert at_least <= held / rounds <= 0.985


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


@pytest.mark.parametrize(("clusters", "low"), [(3, 0.29), (10, 0.69), (50, 0.93)])
def test_all_alike_at_the_end_of_the_scale_still_leaves_room(clusters: int, low: float) -> None:
    names = [str(n) for n in range(clusters)]
    made = estimate_mean([1.0] * clusters, names, within=SHARE)
    assert made is not None
    assert (round(made.low or 0, 2), made.high) == (low, 1.0)
    none = estimate_mean([0.0] * clusters, names, within=SHARE)
    assert none is not None
    assert (none.low, round(none.high or 0, 2)) == (0.0, round(1 - low, 2))
