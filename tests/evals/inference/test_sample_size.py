from __future__ import annotations

import pytest

from evals.inference.made_runs import run_of
from tamis.errors import InputError
from tamis.evals.inference.comparison import sessions_needed
from tamis.evals.inference.outcome_measures import get_figure
from tamis.evals.inference.sample_size import plan

RECALL = get_figure("recall")


def test_the_runs_own_spread_says_how_many_are_needed() -> None:
    run = run_of({"a": [0.5] * 4, "b": [0.4, 0.6, 0.5, 0.7]})
    made = plan(run, RECALL, "a", difference=0.05)
    (row,) = made.rows
    assert row.deviation == pytest.approx(0.1291, abs=1e-4)
    assert row.sessions_needed == sessions_needed(0.05, 0.12909944)
    assert (row.sessions, row.points_per_session, made.alpha) == (4, 1.0, 0.05)


def test_more_comparisons_take_more_sessions() -> None:
    recalls = {"a": [0.5] * 8, "b": [0.4, 0.6, 0.5, 0.7] * 2}
    few = plan(run_of(recalls), RECALL, "a", difference=0.05)
    many = plan(run_of({**recalls, "c": [0.5, 0.6, 0.5, 0.4] * 2}), RECALL, "a", difference=0.05)
    assert many.alpha == 0.025
    assert (many.rows[0].sessions_needed or 0) > (few.rows[0].sessions_needed or 0)
    assert (many.rows[0].smallest_detectable or 0) > (few.rows[0].smallest_detectable or 0)


def test_points_of_one_session_are_not_counted_as_sessions() -> None:
    run = run_of({"a": [0.5] * 8, "b": [0.4, 0.4, 0.6, 0.6, 0.5, 0.5, 0.7, 0.7]}, per_session=2)
    (row,) = plan(run, RECALL, "a", difference=0.05).rows
    assert (row.sessions, row.points_per_session) == (4, 2.0)
    assert row.deviation == pytest.approx(0.1291, abs=1e-4)


def test_one_session_is_no_pilot() -> None:
    (row,) = plan(run_of({"a": [0.5], "b": [0.4]}), RECALL, "a", difference=0.05).rows
    assert (row.sessions_needed, row.deviation) == (None, None)


def test_where_no_point_has_both_nothing_can_be_told() -> None:
    (row,) = plan(run_of({"a": [0.5], "b": [None]}), RECALL, "a", difference=0.05).rows
    assert (row.sessions, row.sessions_needed) == (0, None)


def test_one_method_alone_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="evaluate another method"):
        plan(run_of({"a": [0.5, 0.6]}), RECALL, "a", difference=0.05)
