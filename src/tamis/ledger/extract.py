"""How events are read off messages: the contract of the extractors.

An extractor is any callable `(message, context) -> iterable of EventDraft`. Each owns one subject (files,
tests, constraints ...) in a module of its own and sees the messages one at a time, in order; what it must
remember between messages lives in the `ReadContext` that the ledger's reader keeps, so that work per
message does not grow with the session.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tamis.ledger.events import EventKind, EventValue, Source
from tamis.messages import Message, ToolCall


@dataclass(frozen=True, kw_only=True, slots=True)
class EventDraft:
    """An event before it is numbered and before it is known what it replaces."""

    kind: EventKind
    subject: str
    value: EventValue
    source: Source


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenCall:
    """A call whose result has not been seen yet, and where it stands."""

    call: ToolCall
    source: Source


@dataclass(kw_only=True, slots=True)
class ReadContext:
    """What the extractors may know besides the message at hand.

    `cwd` is the working directory at this moment (from the session, then followed through `cd`). `calls`
    holds the calls by exact id (latest of a repeated id) until their result was read: an extractor that meets
    a `ToolResult` finds its call there. `works`: the agent has called a tool. `memory` is room for an
    extractor's own state, under its own module name.
    """

    cwd: str | None = None
    turn: int = 0
    calls: dict[str, OpenCall] = field(default_factory=dict)
    memory: dict[str, Any] = field(default_factory=dict)
    works: bool = False


Extractor = Callable[[Message, ReadContext], Iterable[EventDraft]]
