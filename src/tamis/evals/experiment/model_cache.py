"""Every exchange with a model kept, so that nothing is asked twice or paid twice; within a limit and a cap.

`ModelCache.model` wraps a model. What it is asked is looked up by a hash of all of it first: a run that was
stopped and goes on finds there what it had asked before. Only what is not there is asked, no more than so
many at a time of one provider, and only while what was spent stays under the cap. Failures are not kept.
"""

import asyncio
from collections.abc import Awaitable, Callable
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, Self, TypeVar

from pydantic import BaseModel

from tamis.compactors import Usage
from tamis.errors import CapReached, ModelError, PromptTooLong, RequestRejected, TamisError
from tamis.evals.figures.prices import Price
from tamis.evals.rundir.results import digest
from tamis.models import Model, Prompt, Reply
from tamis.models.recorded import request_hash

Worker = TypeVar("Worker")  # a reader, a judge, a method: who asks a model does so by its attribute `model`


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """One question and its reply. `prompt` is all that was asked; `cost_usd` None where no price is known."""

    key: str
    model: str
    prompt: str
    reply: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


class ExchangeStore(Protocol):
    """Where exchanges are kept."""

    def get_exchange(self, key: str) -> Exchange | None:
        """The exchange of this key."""

    def put_exchange(self, exchange: Exchange) -> None:
        """Keep an exchange for good before anything is made of it."""

    def spent_usd(self) -> float:
        """What all that is kept cost, as far as prices are known."""


class MemoryExchangeStore:
    """Keeps exchanges while the process lives."""

    def __init__(self) -> None:
        self._kept: dict[str, Exchange] = {}

    def get_exchange(self, key: str) -> Exchange | None:
        """The exchange of this key."""
        return self._kept.get(key)

    def put_exchange(self, exchange: Exchange) -> None:
        """Keep it."""
        self._kept[exchange.key] = exchange

    def spent_usd(self) -> float:
        """The sum."""
        return sum(e.cost_usd or 0.0 for e in self._kept.values())


@dataclass
class ExchangeLog:
    """The exchanges of one piece of work."""

    exchanges: list[Exchange] = field(default_factory=list)

    @property
    def usage(self) -> Usage:
        """What they used in all."""
        return Usage(
            requests=len(self.exchanges),
            input_tokens=sum(e.input_tokens or 0 for e in self.exchanges),
            output_tokens=sum(e.output_tokens or 0 for e in self.exchanges),
        )

    @property
    def cost_usd(self) -> float | None:
        """What they cost in all; None where a price is not known, or nothing was asked."""
        costs = [e.cost_usd for e in self.exchanges]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if costs and len(known) == len(costs) else None

    @property
    def spent(self) -> dict[str, Any]:
        """Usage and cost, as records hold them; None where nothing was asked."""
        return {"usage": self.usage if self.exchanges else None, "cost_usd": self.cost_usd}

    @property
    def told(self) -> dict[str, Any]:
        """The same with the keys of the last question and of its reply."""
        last = self.exchanges[-1] if self.exchanges else None
        said = {"prompt": last and digest(last.prompt), "reply": last and digest(last.reply)}
        return self.spent | said


class ModelCache:
    """Hands out models that share a shelf, a limit per provider and a cap.

    `price_of` gives the price of a model by its name, where one is known.
    """

    def __init__(
        self,
        shelf: ExchangeStore,
        *,
        concurrency: int = 8,
        max_cost_usd: float | None = None,
        price_of: Callable[[str], Price | None] = lambda _: None,
    ) -> None:
        self.shelf = shelf
        self.max_cost_usd = max_cost_usd
        self.stopped: TamisError | None = None
        self.asked = 0
        self._concurrency = concurrency
        self.price_of = price_of
        self._limits: dict[str, asyncio.Semaphore] = {}
        self._in_flight: dict[str, asyncio.Future[Exchange]] = {}
        self._proven: set[str] = set()
        self._spent = shelf.spent_usd()

    def model(self, name: str, model: Model) -> "CachedModel":
        """The model, as the run asks it. `name` is how the user named it, provider and all."""
        return CachedModel(self, name, model)

    def raise_if_stopped(self) -> None:
        """Raise what made the whole run stop, where something did.

        Raises:
            TamisError: the cap, or a provider that accepts nothing.
        """
        if self.stopped is not None:
            raise self.stopped

    async def exchange(
        self, key: str, name: str, prompt: str, ask: Callable[[], Awaitable[Reply]]
    ) -> Exchange:
        """The exchange of this key: kept, on its way already, or new; `prompt` is all that `ask` asks."""
        if kept := self.shelf.get_exchange(key):
            return kept
        if key in self._in_flight:
            return await asyncio.shield(self._in_flight[key])
        future: asyncio.Future[Exchange] = asyncio.get_running_loop().create_future()
        self._in_flight[key] = future
        try:
            made = await self._ask(key, name, prompt, ask)
        except BaseException as error:
            future.set_exception(error if isinstance(error, Exception) else ModelError("interrupted"))
            future.exception()  # seen: nobody else need be waiting for it
            raise
        else:
            future.set_result(made)
            return made
        finally:
            del self._in_flight[key]

    async def _ask(self, key: str, name: str, prompt: str, ask: Callable[[], Awaitable[Reply]]) -> Exchange:
        provider = name.partition(":")[0] if "://" not in name else name.partition("#")[0]
        async with self._limits.setdefault(provider, asyncio.Semaphore(self._concurrency)):
            self.raise_if_stopped()
            if self.max_cost_usd is not None and self._spent >= self.max_cost_usd:
                self.stopped = CapReached(
                    f"stopped at the cap: ${self._spent:.4f} of ${self.max_cost_usd:g} spent; "
                    "the same command with a larger --max-cost goes on from here"
                )
                raise self.stopped
            try:
                reply = await ask()
            except RequestRejected as error:
                if not isinstance(error, PromptTooLong) and name not in self._proven:
                    self.stopped = error  # a wrong key or name: every other question would fail as well
                raise
        self._proven.add(name)
        self.asked += 1
        cost, price = None, self.price_of(name)
        if price is not None and reply.input_tokens is not None:
            read, written = reply.input_tokens, reply.output_tokens or 0
            cost = price.cost(new_tokens=read, output_tokens=written, cache=False)
        self._spent += cost or 0.0
        made = Exchange(
            key=key,
            model=reply.model,
            prompt=prompt,
            reply=reply.text,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cost_usd=cost,
        )
        self.shelf.put_exchange(made)
        return made


class CachedModel:
    """A model whose exchanges are kept; `name` is what the user calls it."""

    def __init__(self, desk: ModelCache, name: str, model: Model) -> None:
        self._desk = desk
        self._called = name
        self._model = model
        self._log: ExchangeLog | None = None
        self._asking = 0

    def logged(self, log: ExchangeLog, asking: int = 0) -> Self:
        """The same model, whose exchanges are written into a log.

        `asking` tells askings apart that are to be independent though the question is the same.
        """
        apart = copy(self)
        apart._log, apart._asking = log, asking
        return apart

    @property
    def name(self) -> str:
        """The name of the model behind it."""
        return self._model.name

    @property
    def window_tokens(self) -> int | None:
        """The window of the model behind it."""
        return self._model.window_tokens

    async def ask(self, prompt: Prompt, *, schema: type[BaseModel] | None = None) -> Reply:
        """The reply that is kept, or a new one.

        Raises:
            CapReached: what may be spent is spent; besides, as the model raises.
        """
        key = digest(f"{self._called}\0{request_hash(prompt, schema)}\0{self._asking}")
        asked = f"{prompt.instructions}\n\n{prompt.text}"
        ask = partial(self._model.ask, prompt, schema=schema)
        made = await self._desk.exchange(key, self._called, asked, ask)
        if self._log is not None:
            self._log.exchanges.append(made)
        return Reply(
            text=made.reply,
            model=made.model,
            input_tokens=made.input_tokens,
            output_tokens=made.output_tokens,
        )


def listening(worker: Worker, asking: int = 0) -> tuple[Worker, ExchangeLog]:
    """The same worker with a log of what it asks; the log of one that asks no cached model stays empty."""
    log = ExchangeLog()
    model = getattr(worker, "model", None)
    if not isinstance(model, CachedModel):
        return worker, log
    apart: Any = copy(worker)
    apart.model = model.logged(log, asking)
    return apart, log
