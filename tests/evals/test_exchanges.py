"""What models are asked: once, no more at a time than allowed, and no more than may be spent."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest

from tamis.errors import CapReached, ModelServerError
from tamis.evals.experiment.model_cache import CachedModel, ExchangeLog, MemoryExchangeStore, ModelCache
from tamis.evals.figures.prices import Price
from tamis.models import Prompt, Reply

PRICE = Price(
    model="m",
    input_usd=1_000_000.0,
    cached_input_usd=None,
    cache_write_usd=None,
    output_usd=0.0,
    tier_from=None,
    as_of=date(2026, 1, 1),
    source="a test",
)
"""A dollar a token."""


class Counting:
    """A model that counts who asks it at the same time."""

    name, window_tokens = "counting", None

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.at_once = self.most_at_once = 0

    async def ask(self, prompt: Prompt, *, schema: object = None) -> Reply:
        self.asked.append(prompt.text)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        if prompt.text == "fail":
            raise ModelServerError("down")
        return Reply(text=f"re: {prompt.text}", model=self.name, input_tokens=1, output_tokens=1)


def question(text: str) -> Prompt:
    return Prompt(instructions="Answer.", text=text)


async def test_the_same_question_is_asked_once_even_while_it_is_on_its_way() -> None:
    model = Counting()
    kept = ModelCache(MemoryExchangeStore()).model("m", model)
    replies = await asyncio.gather(*(kept.ask(question("a")) for _ in range(5)), kept.ask(question("b")))
    assert [reply.text for reply in replies] == ["re: a"] * 5 + ["re: b"]
    assert sorted(model.asked) == ["a", "b"]


async def test_askings_that_are_to_be_independent_are() -> None:
    model = Counting()
    kept = ModelCache(MemoryExchangeStore()).model("m", model)
    for asking in (0, 1, 1):
        await kept.logged(ExchangeLog(), asking).ask(question("a"))
    assert model.asked == ["a", "a"]


async def test_no_more_are_on_their_way_than_allowed() -> None:
    model = Counting()
    kept = ModelCache(MemoryExchangeStore(), concurrency=3).model("m", model)
    await asyncio.gather(*(kept.ask(question(str(n))) for n in range(20)))
    assert model.most_at_once == 3


async def test_a_failure_is_not_kept() -> None:
    model = Counting()
    kept = ModelCache(MemoryExchangeStore()).model("m", model)
    for _ in range(2):
        with pytest.raises(ModelServerError):
            await kept.ask(question("fail"))
    assert model.asked == ["fail", "fail"]


async def test_what_was_asked_on_ones_behalf_is_heard_kept_or_not() -> None:
    kept: CachedModel = ModelCache(MemoryExchangeStore(), price_of=lambda _: PRICE).model("m", Counting())
    for _ in range(2):
        heard = ExchangeLog()
        await kept.logged(heard).ask(question("a"))
        assert (heard.usage.requests, heard.usage.input_tokens, heard.cost_usd) == (1, 1, 1.0)


async def test_nothing_new_is_asked_once_the_cap_is_reached_and_what_is_kept_still_answers() -> None:
    shelf, model = MemoryExchangeStore(), Counting()
    desk = ModelCache(shelf, max_cost_usd=2.0, price_of=lambda _: PRICE)
    kept = desk.model("m", model)
    for text in ("a", "b"):
        await kept.ask(question(text))
    with pytest.raises(CapReached, match=r"\$2.0000 of \$2 spent; the same command with a larger --max-cost"):
        await kept.ask(question("c"))
    assert (await kept.ask(question("a"))).text == "re: a"
    assert model.asked == ["a", "b"]
    with pytest.raises(CapReached):
        desk.raise_if_stopped()
    further = ModelCache(shelf, max_cost_usd=4.0, price_of=lambda _: PRICE).model("m", model)
    assert (await further.ask(question("c"))).text == "re: c"
