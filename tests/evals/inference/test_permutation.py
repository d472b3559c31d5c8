from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evals.inference import worlds
from tamis.evals.inference.clustering import by_cluster
from tamis.evals.inference.permutation import sign_flip_test


@given(st.lists(st.floats(-1, 1, width=16), min_size=2, max_size=8))
def test_with_few_clusters_every_flip_is_tried(values: list[float]) -> None:
    """Counted by hand: the share of all flips whose sum is as far out, twice the smaller tail."""
    sums = [sum(s * v for s, v in zip(signs, values, strict=True)) for signs in _flips(len(values))]
    seen = sum(values)
    above = sum(s >= seen - 1e-9 for s in sums) / len(sums)
    below = sum(s <= seen + 1e-9 for s in sums) / len(sums)
    expected = min(1.0, 2 * min(above, below))
    found = sign_flip_test(by_cluster(values, [str(i) for i in range(len(values))]))
    assert found == pytest.approx(expected)


def _flips(many: int) -> list[tuple[int, ...]]:
    return list(itertools.product((1, -1), repeat=many))


def test_it_agrees_with_wilcoxon_on_ranks() -> None:
    """The signed-rank test is the same test on the ranks of the differences; scipy's is exact for these."""
    ranks = [1.0, -2.0, 3.0, 4.0, 5.0, -6.0, 7.0, 8.0]
    found = sign_flip_test(by_cluster(ranks, list("abcdefgh")))
    assert found == pytest.approx(stats.wilcoxon(ranks, method="exact").pvalue)


def test_five_clusters_cannot_show_anything_at_five_in_a_hundred() -> None:
    assert sign_flip_test(by_cluster([0.5] * 5, list("abcde"))) == pytest.approx(2 / 2**5)


def test_no_difference_anywhere_is_no_evidence() -> None:
    assert sign_flip_test(by_cluster([0.0] * 4, list("abcd"))) == 1.0


def test_one_cluster_cannot_be_tested() -> None:
    assert sign_flip_test(by_cluster([0.5, 0.2], ["a", "a"])) is None


def test_points_of_one_session_are_no_more_evidence_than_the_session() -> None:
    once = sign_flip_test(by_cluster([0.1, 0.2, -0.1], list("abc")))
    often = sign_flip_test(by_cluster([0.1, 0.2, -0.1] * 10, list("abc") * 10))
    assert once == often


@pytest.mark.parametrize("clusters", [8, 25])
def test_where_nothing_differs_one_test_in_twenty_says_that_something_does(clusters: int) -> None:
    rng = np.random.default_rng(3)
    found = [sign_flip_test(worlds.null(rng, clusters), seed=i, flips=999) for i in range(500)]
    assert 0.03 <= np.mean([p <= 0.05 for p in found if p is not None]) <= 0.075
    assert stats.kstest([p for p in found if p is not None], "uniform").pvalue > 0.01
