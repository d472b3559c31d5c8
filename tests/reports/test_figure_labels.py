from __future__ import annotations

from dataclasses import replace

from tamis.evals import NotMeasured, Run
from tamis.evals.hindsight import Hindsight
from tamis.evals.inference.intervals import Estimate
from tamis.reports.figure_labels import absences, alike, budget_label, highest, scopes_of


def without(run: Run, method: str, points: int) -> Run:
    """The run, as if the method could not be measured at so many points."""
    lost = {p.key for p in tuple(run.points)[:points]}
    none = NotMeasured(reason="no")
    results = (replace(r, score=none) if r.method == method and r.point in lost else r for r in run.results)
    return replace(run, results=tuple(results))


def test_all_points_come_first_and_then_each_set(run: Run) -> None:
    assert [(s.name, s.points) for s in scopes_of(run)] == [(None, 4), ("odd <set>", 1), ("plain", 3)]


def test_one_set_is_not_told_twice(run: Run) -> None:
    points = tuple(replace(p, set="plain") for p in run.points)
    assert [s.name for s in scopes_of(replace(run, points=points))] == [None]


def test_the_best_method_is_no_control_arm(run: Run) -> None:
    results = tuple(r for r in run.results if r.method in ("index", "truncate"))
    assert scopes_of(replace(run, results=results))[0].best("20%") == {"truncate"}


def test_an_average_over_less_than_half_of_the_points_is_not_the_best(run: Run) -> None:
    scores = [
        (r, replace(r.score, recall=1.0) if isinstance(r.score, Hindsight) else r.score) for r in run.results
    ]
    results = tuple(replace(r, score=score) if r.method == "ledger" else r for r, score in scores)
    run = replace(run, results=results)
    best = {lost: scopes_of(without(run, "ledger", lost))[0].best("20%") for lost in (2, 3)}
    assert best == {2: {"ledger"}, 3: {"truncate"}}


def test_where_nothing_was_measured_nothing_is_best(run: Run) -> None:
    results = tuple(r for r in run.results if r.method == "broken")
    assert scopes_of(replace(run, results=results))[0].best("5%") == frozenset()


def test_budgets_that_fare_alike_stand_together_and_failures_first(run: Run) -> None:
    failure = absences(scopes_of(run)[0])[0]
    assert failure.failed
    assert (failure.method, failure.budgets, failure.points) == ("broken", "1 %, 5 %, 20 %", 4)


def test_reasons_that_differ_in_more_than_numbers_stay_apart() -> None:
    assert alike({"over by 3": 1, "under by 3": 2}) == {"under by 3": 2, "over by 3": 1}


def test_a_budget_that_is_no_number_keeps_its_name() -> None:
    assert budget_label("own") == "own"


def test_the_best_by_statements_may_be_another_than_by_names(run: Run) -> None:
    scope = scopes_of(run)[0]
    some = scope.cells["ledger", "5%"]
    low, high = (Estimate(mean=mean, low=0, high=1, points=4, clusters=4) for mean in (0.5, 1.0))
    cells = {
        ("mask", "5%"): replace(some, method="mask", recall=high, statements=low),
        ("ledger", "5%"): replace(some, method="ledger", recall=low, statements=high),
    }
    two = replace(scope, methods=("mask", "ledger"), cells=cells)
    assert (two.best("5%"), two.best("5%", "statements")) == ({"mask"}, {"ledger"})


def test_where_all_are_shown_alike_none_is_best() -> None:
    assert highest({"truncate": 0.0, "mask": 0.001}) == frozenset()
    assert highest({"truncate": 0.3, "mask": 0.301, "index": 0.1}) == {"truncate", "mask"}
    assert highest({"truncate": 0.0}) == {"truncate"}
