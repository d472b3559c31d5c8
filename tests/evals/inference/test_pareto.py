from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.inference.made_runs import asked, made, point, result, run_of
from tamis.errors import InputError
from tamis.evals.figures.prices import Price
from tamis.evals.inference.outcome_measures import get_figure
from tamis.evals.inference.pareto import Arm, pareto_front, stand_methods

RECALL = get_figure("recall")

pairs = st.tuples(st.integers(0, 5), st.integers(0, 5))


@given(st.dictionaries(st.integers(0, 20), pairs, max_size=10))
def test_nobody_on_the_front_is_beaten_and_all_others_are_by_one_on_it(
    candidates: dict[int, tuple[int, int]],
) -> None:
    beaten_by = pareto_front(candidates)
    front = {one for one, others in beaten_by.items() if not others}
    assert bool(front) == bool(candidates)
    for one, others in beaten_by.items():
        assert one not in others
        assert bool(front & set(others)) == (one not in front)


def test_equals_do_not_beat_each_other() -> None:
    assert pareto_front({"a": (1.0, -5), "b": (1.0, -5)}) == {"a": (), "b": ()}


def test_methods_stand_by_quality_and_tokens() -> None:
    points = [point(i) for i in range(2)]
    arms = (("cheap", 0.6, 100), ("good", 0.9, 900), ("poor", 0.5, 900))
    results = [result(p, m, recall, tokens=tokens) for p in points for m, recall, tokens in arms]
    front = stand_methods(made(points, results), RECALL)
    cheap, good = Arm(method="cheap", budget="5%"), Arm(method="good", budget="5%")
    assert {s.arm.method: s.dominated_by for s in front.standings} == {
        "cheap": (),
        "good": (),
        "poor": (cheap, good),
    }
    assert [(s.quality.mean, s.tokens.mean) for s in front.standings] == [(0.6, 100), (0.9, 900), (0.5, 900)]


def test_all_stand_at_the_points_where_each_was_measured() -> None:
    """A method that fails at a hard point is not the better for it."""
    front = stand_methods(run_of({"a": [0.9, 0.1], "b": [0.8, None], "c": [None, None]}), RECALL)
    assert (front.points, front.points_left_out) == (1, 1)
    assert [s.quality.mean for s in front.standings] == [0.9, 0.8]
    assert [arm.method for arm in front.left_out] == ["c"]


def test_a_lower_figure_can_be_the_better_one() -> None:
    points = [point(1)]
    run = made(points, [result(points[0], "a", 0.5, tokens=10), result(points[0], "b", 0.5, tokens=20)])
    front = stand_methods(run, get_figure("tokens_per_task"))
    assert [s.dominated_by for s in front.standings] == [(), (front.standings[0].arm,)]


def test_who_is_cheap_depends_on_what_is_paid() -> None:
    """A small context that misses much is read again, and carried no shorter."""
    points = [point(i) for i in range(2)]
    results = [
        result(p, m, recall, tokens=t) for p in points for m, recall, t in (("a", 0.5, 10), ("b", 0.5, 20))
    ]
    scores = [
        replace(r, score=replace(r.score, refetch_tokens=900 if r.method == "a" else 0))  # type: ignore[type-var]
        for r in results
    ]
    run = made(points, scores)
    by_tokens, by_task = (stand_methods(run, RECALL, price=p) for p in ("tokens", "tokens_per_task"))
    assert [bool(s.dominated_by) for s in by_tokens.standings] == [False, True]
    assert [bool(s.dominated_by) for s in by_task.standings] == [True, False]


def test_dollars_take_a_price() -> None:
    run = run_of({"a": [0.5], "b": [0.6]})
    with pytest.raises(InputError, match="--price-model"):
        stand_methods(run, RECALL, price="cost_usd")
    tariff = Price(
        model="m",
        input_usd=1.0,
        cached_input_usd=0.1,
        cache_write_usd=None,
        output_usd=None,
        tier_from=None,
        as_of=date(2026, 1, 1),
        source="by hand",
    )
    front = stand_methods(
        replace(run, settings=replace(run.settings, price=tariff)), RECALL, price="cost_usd"
    )
    assert [s.cost_usd is not None for s in front.standings] == [True, True]


def test_nothing_measured_leaves_an_empty_front() -> None:
    front = stand_methods(run_of({"a": [None]}), RECALL)
    assert (front.standings, front.points) == ((), 0)


def test_reading_has_a_front_too() -> None:
    run = asked(run_of({"a": [0.5], "b": [0.5]}), {"a": {"recall": 0.2}, "b": {"recall": 0.6}})
    front = stand_methods(run, get_figure("reading"))
    assert [bool(s.dominated_by) for s in front.standings] == [True, False]
