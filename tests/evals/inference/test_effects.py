from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evals.inference.clustering import by_cluster
from tamis.evals.inference.effects import effect_size


def test_by_hand() -> None:
    """Differences 1, 2, 3, −2 (in tenths): mean 1, standard deviation √(14/3); ranks 1, 2.5, 4, 2.5."""
    effect = effect_size(by_cluster([0.1, 0.2, 0.3, -0.2], list("abcd")))
    assert effect.cohen_d == pytest.approx(1 / math.sqrt(14 / 3))
    assert effect.rank_biserial == pytest.approx((1 + 2.5 + 4 - 2.5) / 10)
    assert (effect.higher, effect.equal, effect.lower) == (3, 0, 1)


def test_the_correction_for_small_samples_is_hedges_own() -> None:
    """Hedges 1981, table 1: c(4) is 0.798, c(10) is 0.923 (m degrees of freedom)."""
    for freedom, factor in ((4, 0.798), (10, 0.923)):
        values = [0.1 * i for i in range(freedom + 1)]
        effect = effect_size(by_cluster(values, [f"{i:02}" for i in range(freedom + 1)]))
        assert effect.hedges_g is not None
        assert effect.cohen_d is not None
        assert effect.hedges_g / effect.cohen_d == pytest.approx(factor, abs=0.0006)


def test_each_session_counts_once_however_many_points_it_has() -> None:
    few = effect_size(by_cluster([0.1, 0.3, -0.1], list("abc")))
    many = effect_size(by_cluster([0.1] * 9 + [0.3, -0.1], list("aaaaaaaaabc")))
    assert few == many


def test_sessions_that_differ_alike_have_no_spread_to_measure_in() -> None:
    effect = effect_size(by_cluster([0.1, 0.1, 0.1], list("abc")))
    assert (effect.cohen_d, effect.hedges_g, effect.rank_biserial) == (None, None, 1.0)


def test_no_difference_has_no_ranks() -> None:
    effect = effect_size(by_cluster([0.0, 0.0], list("ab")))
    assert (effect.rank_biserial, effect.equal) == (None, 2)


@given(st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=9))
def test_the_other_way_round_has_the_other_sign(values: list[float]) -> None:
    names = [str(i) for i in range(len(values))]
    one, other = effect_size(by_cluster(values, names)), effect_size(by_cluster([-v for v in values], names))
    assert (one.higher, one.lower) == (other.lower, other.higher)
    for a, b in ((one.hedges_g, other.hedges_g), (one.rank_biserial, other.rank_biserial)):
        assert (a is None and b is None) or a == pytest.approx(-(b or 0))
    assert one.rank_biserial is None or -1 <= one.rank_biserial <= 1
