"""Who is told of what a live context takes in, and of what becomes of it.

    context = Context(window=200_000, listener=monitor.context("fix-totals"))

A listener hears, under the context's lock and in order, so it should be quick. One that raises is heard of in
a `RuntimeWarning` and stops nothing.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from tamis.compactors import Compaction, CompactionRequest
from tamis.messages import Message

TriggerReason = Literal["tokens", "messages", "demand"]
"""What set a compaction off: the tokens of the context, the number of its messages, a call."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CompactionAttempt:
    """One attempt to compact, and what came of it.

    `request` is None where there was nothing to replace; `made` is None then, and where the method or the
    archive failed. `shown` is all that is sent from now on. Tokens are those of the whole context.
    """

    setoff: TriggerReason
    request: CompactionRequest | None = field(repr=False)
    made: Compaction | None = field(default=None, repr=False)
    failure: Exception | None = None
    is_replaced: bool = False
    shown: tuple[Message, ...] = field(default=(), repr=False)
    tokens_before: int
    tokens_after: int = 0
    latency_ms: float = 0.0


class ContextListener(Protocol):
    """An observer of a live context."""

    def appended(self, message: Message) -> None:
        """A message was taken in, as the context holds it."""

    def compacted(self, attempt: CompactionAttempt) -> None:
        """A compaction was tried."""


class NullContextListener:
    """The listener that does nothing."""

    def appended(self, message: Message) -> None:
        """Nothing."""

    def compacted(self, attempt: CompactionAttempt) -> None:
        """Nothing."""


def tell(hears: Callable[[], None]) -> None:
    """Tell a listener; an exception of the listener becomes a warning, as the agent must go on."""
    try:
        hears()
    except Exception as error:  # a plug-in's call: whatever it is, the conversation is not its business
        warnings.warn(f"a listener failed: {error!r}", RuntimeWarning, stacklevel=2)
