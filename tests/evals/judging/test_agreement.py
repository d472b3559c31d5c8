"""Agreement between judges, and of a judge with itself."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.judging.judged import judgement
from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.agreement import Agreement, measure_agreement
from tamis.evals.judging.judge import Judgement


def rater(scores: Sequence[float | None]) -> list[Judgement | NotMeasured]:
    """One criterion of as many cases; NaN is a judge that failed."""
    return [
        NotMeasured(reason="no answer")
        if score is not None and math.isnan(score)
        else judgement({"accuracy_factual": score})
        for score in scores
    ]


def agree(*raters: Sequence[float | None]) -> Agreement:
    found = measure_agreement([rater(scores) for scores in raters])
    assert isinstance(found, Agreement)
    return found


FOUR_CODERS: list[list[float | None]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
"""The example of Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011): 0.815 for ranks."""


def test_alpha_is_that_of_the_published_example() -> None:
    found = agree(*FOUR_CODERS)
    assert found.alpha == pytest.approx(0.815, abs=0.0005)
    assert (found.raters, found.units) == (4, 11)


def test_the_same_scores_agree_perfectly() -> None:
    found = agree([0, 3, 5], [0, 3, 5])
    assert (found.alpha, found.same, found.mean_difference) == (1, 1, 0)


def test_opposite_scores_are_worse_than_chance() -> None:
    found = agree([0, 5, 0, 5], [5, 0, 5, 0])
    assert isinstance(found.alpha, float)
    assert found.alpha < 0
    assert (found.same, found.mean_difference) == (0, 5)


def test_differences_are_told_in_points() -> None:
    found = agree([1, 2, 3], [1, 3, 5])
    assert found.same == pytest.approx(1 / 3)
    assert found.mean_difference == 1


def test_scores_that_never_differ_have_no_alpha() -> None:
    found = agree([5, 5, 5], [5, 5, 5])
    assert isinstance(found.alpha, NotMeasured)
    assert "every score is the same" in found.alpha.reason
    assert found.same == 1


@pytest.mark.parametrize(
    ("raters", "reason"),
    [
        ([], "two are needed"),
        ([[1.0, 2.0]], "two are needed"),
        ([[], []], "no criterion of any case was scored twice"),
        ([[1.0, None], [None, 2.0]], "no criterion of any case was scored twice"),
        ([[math.nan], [math.nan]], "no criterion of any case was scored twice"),
    ],
)
def test_where_nothing_was_scored_twice_nothing_is_measured(
    raters: list[list[float | None]], reason: str
) -> None:
    found = measure_agreement([rater(scores) for scores in raters])
    assert isinstance(found, NotMeasured)
    assert reason in found.reason


def test_a_failed_judgement_and_a_criterion_that_was_not_judged_count_for_nothing() -> None:
    assert agree([1, 2, 3, math.nan, 4], [1, 2, 3, 0, None]) == agree([1, 2, 3], [1, 2, 3])


SCORES = st.lists(st.tuples(*[st.sampled_from([None, 0.0, 1.0, 2.5, 3.0, 5.0])] * 3), max_size=12)


@given(SCORES)
def test_alpha_is_at_most_1_and_the_order_of_the_raters_does_not_matter(
    units: list[tuple[float | None, ...]],
) -> None:
    raters = [rater(scores) for scores in zip(*units, strict=True)] or [[], [], []]
    found = measure_agreement(raters)
    turned = measure_agreement(raters[::-1])
    assert isinstance(found, NotMeasured) == isinstance(turned, NotMeasured)
    if isinstance(found, Agreement) and isinstance(turned, Agreement):
        assert 0 <= found.same <= 1
        if isinstance(found.alpha, float):
            assert found.alpha <= 1 + 1e-9
            assert turned.alpha == pytest.approx(found.alpha)
