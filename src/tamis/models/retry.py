"""Asking again where that can help: bounded, with growing pauses, and as the provider asked."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from tamis.errors import MissingExtra, ModelRateLimited, ModelServerError, ModelTimeout, ModelUnreachable
from tamis.models.protocol import Model, Prompt, Reply

T = TypeVar("T")

Sleep = Callable[[float], Awaitable[None]]

PASSING = (ModelRateLimited, ModelServerError, ModelTimeout, ModelUnreachable)
"""What may be gone the next time. A rejected request or an unusable reply is not asked for again here."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """How often a model is asked before its failure stands, and how long the pauses between are at most."""

    attempts: int = 3
    first_pause_s: float = 1.0
    longest_pause_s: float = 60.0


class RetryingModel:
    """A model that is asked again when it fails in a way that may pass.

    A provider that asks for a longer pause than `patience` has is not waited for: the failure stands.
    """

    def __init__(
        self, model: Model, patience: Patience | None = None, *, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._model = model
        self._patience = patience
        self._sleep = sleep

    @property
    def name(self) -> str:
        """The name of the model behind it."""
        return self._model.name

    @property
    def window_tokens(self) -> int | None:
        """The window of the model behind it."""
        return self._model.window_tokens

    async def ask(self, prompt: Prompt, *, schema: type[BaseModel] | None = None) -> Reply:
        """The first answer, or the last failure."""
        return await retry(lambda: self._model.ask(prompt, schema=schema), self._patience, sleep=self._sleep)


async def retry(
    call: Callable[[], Awaitable[T]], patience: Patience | None = None, *, sleep: Sleep = asyncio.sleep
) -> T:
    """Call until it gives something, fails in a way that does not pass, or patience is at its end.

    Raises:
        ModelError: the last failure.
        MissingExtra: tenacity is not installed.
    """
    try:
        from tenacity import AsyncRetrying, RetryCallState, stop_after_attempt, wait_exponential
    except ImportError:
        needed = "asking a model again needs tenacity; install it with: pip install 'tamis[models]'"
        raise MissingExtra(needed) from None
    limits = patience or Patience()
    backoff = wait_exponential(multiplier=limits.first_pause_s, max=limits.longest_pause_s)

    def failure(state: RetryCallState) -> BaseException | None:
        return state.outcome.exception() if state.outcome is not None else None

    def asked_for(state: RetryCallState) -> float:
        return getattr(failure(state), "retry_after_s", None) or 0.0

    def pause(state: RetryCallState) -> float:
        return max(backoff(state), asked_for(state))

    def is_passing(state: RetryCallState) -> bool:
        return isinstance(failure(state), PASSING) and asked_for(state) <= limits.longest_pause_s

    async def attempt() -> T:  # tenacity awaits what is declared so, not what a function gives
        return await call()

    retrying = AsyncRetrying(
        sleep=sleep, stop=stop_after_attempt(limits.attempts), wait=pause, retry=is_passing, reraise=True
    )
    return await retrying(attempt)
