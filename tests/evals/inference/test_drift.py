from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evals import NotMeasured
from tamis.evals.figures.drift import HalfLife, half_life

ONE = {"p": "s"}


def measured(shares: dict[str, list[float]], clusters: dict[str, str] = ONE) -> HalfLife:
    found = half_life(shares, clusters)
    assert isinstance(found, HalfLife)
    return found


def test_half_gone_in_each_cycle_is_a_half_life_of_one() -> None:
    found = measured({"p": [0.8, 0.4, 0.2, 0.1]})
    assert (found.cycles, found.rate, found.low) == (1.0, 0.5, None)


def test_what_the_first_compaction_leaves_out_is_no_drift() -> None:
    found = half_life({"p": [0.1, 0.1, 0.1]}, ONE)
    assert found == NotMeasured(reason="nothing was lost after the first cycle")


@pytest.mark.parametrize("shares", [{}, {"p": []}, {"p": [0.5]}, {"p": [0.0, 0.0, 0.0]}])
def test_without_something_kept_and_a_second_cycle_there_is_none(shares: dict[str, list[float]]) -> None:
    assert isinstance(half_life(shares, ONE), NotMeasured)


def test_everything_gone_at_once_has_no_half_life_left() -> None:
    assert measured({"p": [1.0, 0.0]}).cycles == 0.0


def test_what_comes_back_was_lost_all_the_same() -> None:
    assert measured({"p": [0.8, 0.4, 0.8, 0.4]}).rate == measured({"p": [0.8, 0.4, 0.4, 0.4]}).rate


def test_points_that_kept_more_weigh_more() -> None:
    """Lost 0.5 of 1.0 and nothing of 0.25: 0.5 of 1.25 at risk."""
    found = measured({"p": [1.0, 0.5], "q": [0.25, 0.25]}, {"p": "s", "q": "t"})
    assert found.rate == pytest.approx(0.4)


def test_a_known_rate_is_found_again_and_lies_in_its_interval() -> None:
    rng, shares = np.random.default_rng(1), {}
    for i in range(40):
        left = [50]
        for _ in range(5):
            left.append(int(rng.binomial(left[-1], 0.9)))
        shares[str(i)] = [n / 60 for n in left]
    found = measured(shares, {p: p for p in shares})
    truth = np.log(0.5) / np.log(0.9)
    assert found.cycles == pytest.approx(truth, rel=0.05)
    assert found.low is not None
    assert found.high is not None
    assert found.low < truth < found.high


def test_a_rate_that_may_be_zero_leaves_the_upper_end_open() -> None:
    shares = {str(i): [1.0, 1.0, 1.0] for i in range(9)} | {"9": [1.0, 0.9, 0.9]}
    found = measured(shares, {p: p for p in shares})
    assert found.low is not None
    assert found.high is None


@given(st.lists(st.floats(0, 1, width=16), min_size=2, max_size=6))
def test_the_rate_is_a_share_and_the_half_life_no_negative_number(seen: list[float]) -> None:
    found = half_life({"p": seen}, ONE)
    if isinstance(found, HalfLife):
        assert 0 < found.rate <= 1
        assert found.cycles >= 0
