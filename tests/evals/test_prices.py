from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tamis.evals.figures.prices import Price, find_price
from tamis.evals.hindsight import NotMeasured

TODAY = date(2026, 6, 1)
PRICE = Price(
    model="maker:model",
    input_usd=4.0,
    cached_input_usd=0.5,
    cache_write_usd=None,
    output_usd=10.0,
    tier_from=None,
    as_of=TODAY,
    source="a test",
)


@pytest.mark.parametrize("name", ["openai:gpt-5", "gpt-5"])
def test_a_known_model_has_prices_with_their_day_and_source(name: str) -> None:
    price = find_price(name, on=TODAY)
    assert isinstance(price, Price)
    assert price.model == "openai:gpt-5"
    assert price.cached_input_usd is not None
    assert 0 < price.cached_input_usd < price.input_usd
    assert price.as_of == TODAY
    assert price.source.startswith("genai-prices ")


def test_a_provider_that_charges_for_writing_to_its_cache_says_how_much() -> None:
    price = find_price("anthropic:claude-sonnet-4-5", on=TODAY)
    assert isinstance(price, Price)
    assert price.cache_write_usd is not None
    assert price.cache_write_usd > price.input_usd
    assert price.tier_from == 200_000


def test_a_model_without_a_cached_price_has_none() -> None:
    price = find_price("openai:gpt-3.5-turbo", on=TODAY)
    assert isinstance(price, Price)
    assert price.cached_input_usd is None
    assert price.cost(new_tokens=1_000) is not None
    assert price.cost(cached_tokens=1_000) is None
    assert price.cost(cached_tokens=1_000, cache=False) == price.cost(new_tokens=1_000)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("openai:nonesuch", "knows no price of openai:nonesuch"),
        ("nobody:gpt-5", "knows no price of nobody:gpt-5"),
        ("gguf:model.gguf", "no provider's model"),
        ("http://localhost:8080", "no provider's model"),
    ],
)
def test_what_is_not_known_is_not_made_up(name: str, why: str) -> None:
    price = find_price(name, on=TODAY)
    assert isinstance(price, NotMeasured)
    assert why in price.reason


def test_tokens_cost_what_their_kind_costs() -> None:
    assert PRICE.cost(new_tokens=1_000_000, cached_tokens=2_000_000, output_tokens=100_000) == 4 + 1 + 1
    assert PRICE.cost(new_tokens=1_000_000, cached_tokens=2_000_000, cache=False) == 4 + 8


def test_putting_into_a_cache_costs_what_the_provider_takes_for_it() -> None:
    writes = replace(PRICE, cache_write_usd=5.0)
    assert writes.cost(new_tokens=1_000_000) == 5
    assert writes.cost(new_tokens=1_000_000, cache=False) == 4


def test_an_unknown_price_is_no_zero() -> None:
    unknown = replace(PRICE, output_usd=None)
    assert unknown.cost(output_tokens=1) is None
    assert unknown.cost(new_tokens=0) == 0
