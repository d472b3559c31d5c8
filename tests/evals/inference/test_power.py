from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tamis.errors import InputError
from tamis.evals.inference.power import power_of, sessions_needed, smallest_detectable


@pytest.mark.parametrize(("effect", "clusters", "power"), [(0.5, 20, 0.564504), (0.3, 50, 0.547657)])
def test_power_agrees_with_a_library(effect: float, clusters: int, power: float) -> None:
    """statsmodels 0.15: TTestPower().power(effect, clusters, 0.05)."""
    assert power_of(effect, clusters) == pytest.approx(power, abs=1e-6)


@pytest.mark.parametrize(("effect", "clusters"), [(0.5, 34), (0.2, 199), (1.0, 10)])
def test_sessions_needed_agrees_with_a_library(effect: float, clusters: int) -> None:
    """statsmodels 0.15: TTestPower().solve_power(effect, power=0.8, alpha=0.05): 33.37, 198.15, 9.94."""
    assert sessions_needed(effect * 0.1, 0.1) == clusters


@pytest.mark.parametrize(("clusters", "effect"), [(5, 1.681997), (10, 0.996002), (30, 0.529236)])
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
    if needed > 2:
        too_few = smallest_detectable(deviation, needed - 1)
        assert too_few is not None
        assert too_few > difference * (1 - 1e-6)


def test_a_stricter_level_takes_more_sessions() -> None:
    assert (sessions_needed(0.05, 0.1, alpha=0.01) or 0) > (sessions_needed(0.05, 0.1) or 0)


def test_the_direction_does_not_matter() -> None:
    assert sessions_needed(-0.05, 0.1) == sessions_needed(0.05, 0.1)


def test_without_spread_nothing_can_be_said() -> None:
    assert smallest_detectable(0.0, 10) is None
    assert smallest_detectable(0.1, 1) is None
    assert sessions_needed(0.05, 0.0) is None


@pytest.mark.parametrize("difference", [0.0, float("nan"), float("inf"), 1e-9])
def test_a_difference_that_cannot_be_planned_for_is_refused(difference: float) -> None:
    with pytest.raises(InputError):
        sessions_needed(difference, 0.1)
