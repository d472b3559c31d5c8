"""From scores of criteria to scores of dimensions and one overall."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.judging.judged import RUBRIC, SaysAlways, judgement
from tamis.evals.judging.judge import Judge, dimension_scores, overall
from tamis.evals.judging.offline import OfflineJudge

SCORES = st.dictionaries(
    st.sampled_from([criterion.id for criterion in RUBRIC.criteria]),
    st.none() | st.floats(0, 5, allow_nan=False),
)


def test_a_dimension_is_the_mean_of_its_criteria() -> None:
    given_ = judgement({"accuracy_factual": 5, "accuracy_technical": 2, "completeness_coverage": 1})
    assert dimension_scores(RUBRIC, given_) == {"accuracy": 3.5, "completeness": 1}


def test_weights_count_within_a_dimension() -> None:
    criteria = tuple(
        c.model_copy(update={"weight": 3.0}) if c.id == "accuracy_factual" else c for c in RUBRIC.criteria
    )
    weighted = RUBRIC.model_copy(update={"criteria": criteria})
    given_ = judgement({"accuracy_factual": 5, "accuracy_technical": 1, "completeness_coverage": 2})
    assert dimension_scores(weighted, given_) == {"accuracy": 4, "completeness": 2}


def test_what_was_not_judged_is_no_zero() -> None:
    given_ = judgement({"accuracy_factual": 4, "accuracy_technical": None, "completeness_depth": None})
    assert dimension_scores(RUBRIC, given_) == {"accuracy": 4}


def test_dimensions_count_alike_however_many_criteria_they_have() -> None:
    assert overall({"accuracy": 5.0, "completeness": 0.0, "continuity": 1.0}) == 2


def test_the_published_rows_give_another_overall_than_was_published() -> None:
    """The unweighted mean of the six published dimensions is 3.955, where 3.70 was printed."""
    anchored = [4.04, 4.01, 2.45, 4.44, 3.80, 4.99]
    assert overall({str(i): score for i, score in enumerate(anchored)}) == pytest.approx(3.955)


def test_without_a_dimension_there_is_no_overall() -> None:
    assert overall({}) is None
    assert dimension_scores(RUBRIC, judgement({"accuracy_factual": None})) == {}


@given(SCORES)
def test_every_figure_lies_between_the_lowest_and_the_highest_score(scores: dict[str, float | None]) -> None:
    measured = [score for score in scores.values() if score is not None]
    dimensions = dimension_scores(RUBRIC, judgement(scores))
    figures = [*dimensions.values(), *([] if (o := overall(dimensions)) is None else [o])]
    assert bool(figures) == bool(measured)
    assert all(min(measured) - 1e-9 <= figure <= max(measured) + 1e-9 for figure in figures)


@given(SCORES)
def test_a_dimension_is_there_where_one_of_its_criteria_was_measured(scores: dict[str, float | None]) -> None:
    measured = {c.dimension for c in RUBRIC.criteria if scores.get(c.id) is not None}
    assert set(dimension_scores(RUBRIC, judgement(scores))) == measured


@given(SCORES)
def test_the_order_of_the_results_does_not_matter(scores: dict[str, float | None]) -> None:
    turned = dict(reversed(scores.items()))
    assert dimension_scores(RUBRIC, judgement(scores)) == dimension_scores(RUBRIC, judgement(turned))


def test_a_judge_is_what_has_a_name_a_version_a_rubric_and_judges() -> None:
    assert isinstance(OfflineJudge(RUBRIC), Judge)
    assert isinstance(SaysAlways(3.0), Judge)
    assert not isinstance(object(), Judge)
