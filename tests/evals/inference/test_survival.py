from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evals.inference.made_runs import made, point, result
from tamis.evals import NotMeasured
from tamis.evals.inference.survival import HalfLife, survival, survival_of

ONE = {"p": "s"}


def test_half_gone_in_each_cycle_is_a_half_life_of_one() -> None:
    found = survival({"p": [16, 8, 4, 2]}, ONE)
    assert [(c.cycle, c.share, c.at_risk, c.lost) for c in found.curve] == [
        (1, 0.5, 16, 8),
        (2, 0.25, 8, 4),
        (3, 0.125, 4, 2),
    ]
    assert isinstance(found.half_life, HalfLife)
    assert (found.half_life.cycles, found.half_life.lost, found.half_life.at_risk) == (1.0, 6, 12)


def test_what_the_first_compaction_leaves_out_is_no_drift() -> None:
    found = survival({"p": [100, 10, 10, 10]}, ONE)
    assert [c.share for c in found.curve] == [0.1, 0.1, 0.1]
    assert found.half_life == NotMeasured(reason="nothing was lost after the first cycle (0 of 20)")


def test_one_cycle_tells_nothing_about_the_next() -> None:
    found = survival({"p": [10, 5]}, ONE)
    assert isinstance(found.half_life, NotMeasured)


def test_nothing_measured_is_no_curve() -> None:
    found = survival({}, {})
    assert found.curve == ()
    assert isinstance(found.half_life, NotMeasured)


def test_a_point_with_fewer_cycles_counts_as_long_as_it_is_seen() -> None:
    """Against the Kaplan-Meier estimate of scipy, with a name for each count."""
    counts = {"p": [10, 8, 6, 5], "q": [10, 9, 9]}
    gone = [1, 1, 2, 2, 3, 1]
    stays = [3] * 5 + [2] * 9
    curve = stats.ecdf(stats.CensoredData(uncensored=gone, right=stays)).sf
    found = survival(counts, {"p": "s", "q": "t"})
    assert [c.share for c in found.curve] == pytest.approx(curve.evaluate([1, 2, 3]))


def test_everything_gone_at_once_has_no_half_life_left() -> None:
    found = survival({"p": [4, 4, 0, 0]}, ONE)
    assert isinstance(found.half_life, HalfLife)
    assert found.half_life.cycles == 0.0
    assert found.curve[-1].share == 0.0


def test_what_comes_back_is_not_counted_as_new() -> None:
    found = survival({"p": [8, 8, 4, 6, 4]}, ONE)
    assert [c.share for c in found.curve] == [1.0, 0.5, 0.5, 0.5]


def test_a_known_rate_is_found_again() -> None:
    rng, counts = np.random.default_rng(1), {}
    for i in range(40):
        seen = [60, 50]
        for _ in range(5):
            seen.append(int(rng.binomial(seen[-1], 0.9)))
        counts[str(i)] = seen
    found = survival(counts, {p: p for p in counts}).half_life
    assert isinstance(found, HalfLife)
    truth = np.log(0.5) / np.log(0.9)
    assert found.cycles == pytest.approx(truth, rel=0.05)
    assert found.low is not None
    assert found.high is not None
    assert found.low < truth < found.high


@given(st.lists(st.integers(0, 20), min_size=2, max_size=6))
def test_the_curve_never_rises_and_stays_a_share(seen: list[int]) -> None:
    shares = [c.share for c in survival({"p": seen}, ONE).curve]
    assert all(0 <= b <= a <= 1 for a, b in zip([1.0, *shares], shares, strict=False))


def test_a_run_gives_the_lasting_names_of_its_cycles() -> None:
    points = [point(1), point(2)]
    results = [
        result(p, "a", 0.5, cycle=cycle, lasting=(8, found))
        for p in points
        for cycle, found in ((1, 8), (2, 4), (3, 2))
    ]
    found = survival_of(made(points, results), "a", "5%")
    assert [c.share for c in found.curve] == [1.0, 0.5, 0.25]
    assert isinstance(found.half_life, HalfLife)
    assert found.half_life.clusters == 2


def test_a_cycle_that_was_not_measured_ends_what_is_seen_of_the_point() -> None:
    points = [point(1)]
    results = [result(points[0], "a", 0.5, cycle=c, lasting=(8, f)) for c, f in ((1, 8), (3, 2))]
    assert len(survival_of(made(points, results), "a", "5%").curve) == 1
