from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evals.inference import worlds
from tamis.errors import InputError
from tamis.evals.inference.clustering import by_cluster
from tamis.evals.inference.comparison import (
    compare,
    effect_size,
    fewest_clusters,
    holm,
    power_of,
    sessions_needed,
    sign_flip_test,
    smallest_detectable,
)

CLUSTERS = {"1": "s", "2": "s", "3": "t", "4": "u", "5": "v", "6": "w"}
Values = dict[str, float]
figures = st.dictionaries(st.sampled_from(sorted(CLUSTERS)), st.floats(0, 1, width=16), max_size=6)


def test_the_mean_difference_is_over_points() -> None:
    made = compare({"1": 0.9, "2": 0.9, "3": 0.5}, {"1": 0.6, "2": 0.6, "3": 0.5}, CLUSTERS)
    assert made is not None
    assert (made.difference, made.pairs, made.clusters) == (pytest.approx(0.2), 3, 2)


def test_what_only_one_has_is_counted_and_left_out() -> None:
    made = compare({"1": 0.9, "3": 0.5, "4": 0.0}, {"1": 0.6, "3": 0.5, "5": 1.0}, CLUSTERS)
    assert made is not None
    assert (made.pairs, made.unpaired, made.difference) == (2, 2, pytest.approx(0.15))


def test_nothing_in_common_cannot_be_compared() -> None:
    assert compare({"1": 0.9}, {"2": 0.9}, CLUSTERS) is None


def test_one_session_has_a_difference_and_nothing_more() -> None:
    made = compare({"1": 0.9, "2": 0.5}, {"1": 0.6, "2": 0.5}, CLUSTERS)
    assert made is not None
    assert (made.low, made.high, made.p_value, made.smallest_detectable) == (None, None, None, None)


@given(figures)
def test_a_method_does_not_differ_from_itself(values: Values) -> None:
    made = compare(values, values, CLUSTERS)
    if made is None or made.low is None:
        assert len({CLUSTERS[p] for p in values}) < 2
        return
    assert (made.difference, made.low, made.high, made.p_value) == (0, 0, 0, 1.0)


@given(figures, figures)
def test_the_other_way_round_is_the_mirror_image(a: Values, b: Values) -> None:
    one, other = compare(a, b, CLUSTERS, within=(-1, 1)), compare(b, a, CLUSTERS, within=(-1, 1))
    if one is None or other is None:
        assert one is other
        return
    assert one.difference == pytest.approx(-other.difference)
    assert one.p_value == other.p_value
    if one.low is not None and other.high is not None:
        assert one.low == pytest.approx(-other.high, abs=1e-9)
        assert one.low <= one.difference <= (one.high or 0) + 1e-9
    assert (one.pairs, one.unpaired) == (other.pairs, other.unpaired)


@given(figures, figures, st.floats(-1, 1, width=16))
def test_a_shift_of_both_changes_nothing(a: Values, b: Values, by: float) -> None:
    one = compare(a, b, CLUSTERS)
    other = compare({p: v + by for p, v in a.items()}, {p: v + by for p, v in b.items()}, CLUSTERS)
    assert (one is None) == (other is None)
    if one and other:
        assert one.difference == pytest.approx(other.difference, abs=1e-9)
        assert one.effect_size.higher == other.effect_size.higher


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


@pytest.mark.parametrize(
    ("raw", "adjusted"),
    [
        ([0.01, 0.04, 0.03, 0.005, 0.5], [0.04, 0.09, 0.09, 0.025, 0.5]),
        ([0.0201, 0.3, 0.0001, 0.0199, 0.02, 0.9], [0.0995, 0.6, 0.0006, 0.0995, 0.0995, 0.9]),
    ],
)
def test_it_agrees_with_a_library(raw: list[float], adjusted: list[float]) -> None:
    """statsmodels 0.15: multipletests(p, method="holm")."""
    assert holm(raw) == pytest.approx(adjusted)


def test_one_look_needs_no_correction_and_none_gives_none() -> None:
    assert holm([0.03]) == (0.03,)
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), max_size=12))
def test_it_never_lowers_a_value_nor_changes_the_order(raw: list[float]) -> None:
    adjusted = holm(raw)
    assert all(p <= a <= 1 for p, a in zip(raw, adjusted, strict=True))
    in_order = [a for _, a in sorted(zip(raw, adjusted, strict=True))]
    assert in_order == sorted(in_order)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0, 1))
def test_a_further_look_makes_no_other_one_surer(raw: list[float], further: float) -> None:
    assert all(b >= a for a, b in zip(holm(raw), holm([*raw, further]), strict=False))


@pytest.mark.parametrize(("effect", "clusters", "power"), [(0.5, 20, 0.564504), (0.3, 50, 0.547657)])
def test_power_agrees_with_a_library(effect: float, clusters: int, power: float) -> None:
    """statsmodels 0.15: TTestPower().power(effect, clusters, 0.05)."""
    assert power_of(effect, clusters) == pytest.approx(power, abs=1e-6)


@pytest.mark.parametrize(("effect", "clusters"), [(0.5, 34), (0.2, 199), (1.0, 10)])
def test_sessions_needed_agrees_with_a_library(effect: float, clusters: int) -> None:
    """statsmodels 0.15: TTestPower().solve_power(effect, power=0.8, alpha=0.05): 33.37, 198.15, 9.94."""
    assert sessions_needed(effect * 0.1, 0.1) == clusters


@pytest.mark.parametrize(("clusters", "effect"), [(10, 0.996002), (30, 0.529236)])
def test_the_smallest_detectable_agrees_with_a_library(clusters: int, effect: float) -> None:
    """statsmodels 0.15: TTestPower().solve_power(nobs=clusters, power=0.8, alpha=0.05)."""
    assert smallest_detectable(1.0, clusters) == pytest.approx(effect, abs=1e-5)


def test_what_is_detectable_is_found_in_eight_of_ten_cases() -> None:
    rng = np.random.default_rng(5)
    difference = smallest_detectable(0.1, 12)
    assert difference is not None
    runs = rng.normal(difference, 0.1, size=(2_000, 12))
    assert np.mean(stats.ttest_1samp(runs, 0, axis=1).pvalue < 0.05) == pytest.approx(0.8, abs=0.03)


@given(st.floats(0.005, 0.5), st.floats(0.01, 0.5))
def test_the_planner_and_the_smallest_detectable_are_two_sides_of_one_thing(
    difference: float, deviation: float
) -> None:
    needed = sessions_needed(difference, deviation)
    assert needed is not None
    enough = smallest_detectable(deviation, needed)
    assert enough is not None
    assert enough <= difference * (1 + 1e-6)
    if needed > fewest_clusters():
        too_few = smallest_detectable(deviation, needed - 1)
        assert too_few is not None
        assert too_few > difference * (1 - 1e-6)


@pytest.mark.parametrize("alpha", [0.05, 0.05 / 6])
def test_no_plan_is_for_fewer_clusters_than_the_test_can_show_anything_with(alpha: float) -> None:
    fewest = sessions_needed(1.0, 0.01, alpha=alpha)
    assert fewest == fewest_clusters(alpha)
    assert 2 / 2**fewest <= alpha < 2 / 2 ** (fewest - 1)


def test_what_is_detectable_is_no_more_than_a_difference_can_be() -> None:
    assert smallest_detectable(1.0, 6, within=(-1, 1)) is None
    assert smallest_detectable(0.1, 6, within=(-1, 1)) is not None


def test_a_stricter_level_takes_more_sessions() -> None:
    assert (sessions_needed(0.05, 0.1, alpha=0.01) or 0) > (sessions_needed(0.05, 0.1) or 0)


def test_the_direction_does_not_matter() -> None:
    assert sessions_needed(-0.05, 0.1) == sessions_needed(0.05, 0.1)


def test_without_spread_nothing_can_be_said() -> None:
    assert smallest_detectable(0.0, 10) is None
    assert smallest_detectable(0.1, 5) is None
    assert sessions_needed(0.05, 0.0) is None


@pytest.mark.parametrize("difference", [0.0, float("nan"), float("inf"), 1e-9])
def test_a_difference_that_cannot_be_planned_for_is_refused(difference: float) -> None:
    with pytest.raises(InputError):
        sessions_needed(difference, 0.1)
