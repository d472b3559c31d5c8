"""The figures of a run: averages over what was measured, and counts of what was not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compactors.conversations import say, tokens
from evals.test_prices import PRICE
from tamis.context.prefix import cached_share
from tamis.evals import Failure, Hindsight, NotMeasured, PointRecord, Result, Run, Settings
from tamis.evals.figures.summary import Cell, kinds_kept, sets_of, summarise, task_cost, task_tokens
from tamis.evals.hindsight import KindScore
from tamis.messages import ExactCounter


def point(key: str, set_name: str = "a") -> PointRecord:
    return PointRecord(
        key=key,
        set=set_name,
        source=f"{key}.jsonl",
        session_id=key,
        cluster=f"{set_name}/{key}",
        label="50%",
        cut=10,
        span_tokens=1_000,
        turns_after=4,
        needs=(),
        span="",
    )


def hindsight(recall: float, *, found: int = 0) -> Hindsight:
    return Hindsight(
        recall=recall,
        weighted_recall=recall / 2,
        regret_rate=1 - recall,
        refetch_tokens=100,
        carried_tokens=300,
        cached_tokens=200,
        by_kind={"path": KindScore(needed=4, found=found)},
        missing=(),
    )


def result(
    key: str, score: Hindsight | NotMeasured | Failure, *, method: str = "index", budget: str = "5%"
) -> Result:
    return Result(
        point=key,
        method=method,
        version="1",
        budget=budget,
        budget_tokens=50,
        tokens_before=1_000,
        tokens_after=40,
        outcome="fits",
        score=score,
        latency_ms=8.0,
    )


def run_of(*results: Result, budgets: tuple[str, ...] = ("5%",)) -> Run:
    return Run(
        tamis="0",
        settings=Settings(methods=("index",), budgets=budgets),
        exact_tokens=True,
        sessions=3,
        messages=30,
        points=(point("p"), point("q"), point("r", "b")),
        results=results,
        skipped=(),
    )


def only(cells: list[Cell]) -> Cell:
    [cell] = cells
    return cell


def test_figures_are_averaged_over_points() -> None:
    cell = only(summarise(run_of(result("p", hindsight(0.2)), result("q", hindsight(0.6)))))
    means = {
        name: getattr(cell, name).mean
        for name in (
            "recall",
            "weighted_recall",
            "regret_rate",
            "kept_share",
            "refetch_tokens",
            "tokens_per_task",
        )
    }
    assert means == {
        "recall": pytest.approx(0.4),
        "weighted_recall": pytest.approx(0.2),
        "regret_rate": pytest.approx(0.6),
        "kept_share": pytest.approx(0.04),
        "refetch_tokens": pytest.approx(100),
        "tokens_per_task": pytest.approx(400),
    }
    assert cell.latency_ms is not None
    assert cell.latency_ms.mean == 8.0
    assert cell.recall is not None
    assert (cell.recall.points, cell.recall.clusters) == (2, 2)


def test_what_was_not_measured_is_counted_and_is_no_zero() -> None:
    cell = only(
        summarise(
            run_of(
                result("p", hindsight(0.5)),
                result("q", NotMeasured(reason="no name was used")),
                result("r", Failure(reason="OSError: gone")),
            )
        )
    )
    assert cell.recall is not None
    assert (cell.recall.mean, cell.recall.points) == (0.5, 1)
    assert cell.not_measured == {"no name was used": 1}
    assert cell.failed == {"OSError: gone": 1}


def test_a_method_that_always_failed_has_no_figures() -> None:
    cell = only(summarise(run_of(result("p", Failure(reason="gone")), result("q", Failure(reason="gone")))))
    assert (cell.recall, cell.latency_ms, cell.failed) == (None, None, {"gone": 2})


def test_cells_stand_in_the_order_in_which_budgets_were_asked_for() -> None:
    run = run_of(
        result("p", hindsight(0.1), budget="5%"),
        result("p", hindsight(0.1), budget="1%"),
        result("p", hindsight(0.1), budget="1%", method="mask"),
        budgets=("1%", "5%"),
    )
    assert [(c.budget, c.method) for c in summarise(run)] == [
        ("1%", "index"),
        ("1%", "mask"),
        ("5%", "index"),
    ]


def test_one_set_alone() -> None:
    run = run_of(result("p", hindsight(0.2)), result("r", hindsight(0.8)))
    assert sets_of(run) == ["a", "b"]
    of_b = only(summarise(run, set_name="b"))
    assert of_b.recall is not None
    assert of_b.recall.mean == 0.8
    assert summarise(run, set_name="c") == []


def test_kinds_add_up_over_points() -> None:
    run = run_of(
        result("p", hindsight(0.2, found=1)),
        result("q", hindsight(0.6, found=3)),
        result("r", NotMeasured(reason="no name was used")),
    )
    [cell] = kinds_kept(run)
    assert (cell.method, cell.kind, cell.needed, cell.found) == ("index", "path", 8, 4)


SCORE = hindsight(0.5)  # carried 300, of which 200 again, and 100 to read again


def test_every_turn_but_the_first_finds_the_context_in_the_cache() -> None:
    found = task_tokens(result("p", SCORE), SCORE)
    assert (found.new, found.cached) == (200, 200)
    assert found.new + found.cached == SCORE.tokens_per_task
    assert found.cached_share == 0.5


def test_a_span_that_stands_as_it_was_is_in_the_cache_from_the_first_turn_on() -> None:
    found = task_tokens(replace(result("p", SCORE), outcome="unchanged"), SCORE)
    assert (found.new, found.cached) == (100, 300)


def test_where_nothing_is_read_there_is_no_share() -> None:
    empty = replace(SCORE, carried_tokens=0, cached_tokens=0, refetch_tokens=0)
    assert task_tokens(result("p", empty), empty).cached_share is None


def test_a_task_costs_less_where_a_cache_serves_it() -> None:
    with_cache, without = (task_cost(result("p", SCORE), SCORE, PRICE, cache=c) for c in (True, False))
    assert with_cache == pytest.approx((200 * 4 + 200 * 0.5) / 1e6)
    assert without == pytest.approx(400 * 4 / 1e6)


def test_beyond_the_first_tier_the_cost_is_not_known() -> None:
    tiered = replace(PRICE, tier_from=40)
    assert task_cost(result("p", SCORE), SCORE, tiered, cache=True) is None
    assert task_cost(result("p", SCORE), SCORE, replace(tiered, tier_from=41), cache=True) is not None


def test_a_run_that_was_priced_has_costs_and_any_run_has_the_share() -> None:
    run = run_of(result("p", SCORE), result("q", SCORE))
    bare = only(summarise(run))
    assert bare.cached_share is not None
    assert bare.cached_share.mean == 0.5
    assert (bare.cost_usd, bare.cost_without_cache_usd) == (None, None)
    priced = only(summarise(replace(run, settings=replace(run.settings, price=PRICE))))
    assert priced.cost_usd is not None
    assert priced.cost_without_cache_usd is not None
    assert priced.cost_usd.mean < priced.cost_without_cache_usd.mean
    assert priced.cost_usd.points == 2
    unknown = replace(run.settings, price=NotMeasured(reason="nobody knows"))
    assert only(summarise(replace(run, settings=unknown))).cost_usd is None


def test_a_cost_that_is_known_at_some_points_says_at_how_many() -> None:
    run = run_of(result("p", SCORE), replace(result("q", SCORE), tokens_after=5_000))
    priced = replace(run.settings, price=replace(PRICE, tier_from=1_000))
    cell = only(summarise(replace(run, settings=priced, points=(point("p"), point("q")))))
    assert cell.cost_usd is not None
    assert cell.cost_usd.points == 1
    assert cell.recall is not None
    assert cell.recall.points == 2


def test_the_cache_serves_the_beginning_that_two_requests_have_in_common() -> None:
    system, asked = say("system", "You are careful."), say("user", "Fix rows.py, please.")
    one, other = say("user", "The brief says: port 8080."), say("user", "The brief says: port 9090.")
    counter = ExactCounter()
    assert cached_share([system, asked], [system, asked], counter) == 1.0
    assert cached_share([system, asked], [asked], counter) == 0.0
    assert cached_share([system], [], counter) is None
    share = cached_share([system, one, asked], [system, other, asked], counter)
    assert share is not None
    assert tokens([system]) / tokens([system, other, asked]) < share < 0.8
