from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evals.inference.comparison import compare

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
