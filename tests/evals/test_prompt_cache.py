from __future__ import annotations

from dataclasses import replace

import pytest

from compactors.conversations import say, tokens
from evals.test_prices import PRICE
from evals.test_summary import hindsight, only, point, result, run_of
from tamis.context.prefix import cached_share
from tamis.evals.figures.prompt_cache import task_cost, task_tokens
from tamis.evals.figures.summary import summarise
from tamis.evals.hindsight import NotMeasured
from tamis.messages import ExactCounter

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
