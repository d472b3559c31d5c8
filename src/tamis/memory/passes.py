"""One pass through the four stages, and what a loop is given at its end."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from tamis.api import get_api
from tamis.memory.classification import Classified, Classifier
from tamis.memory.collection import Collected, Now, collect
from tamis.memory.compression import Compressed, compress
from tamis.memory.history import History
from tamis.memory.injection import Injected, inject
from tamis.memory.relevance import Selection
from tamis.memory.settings import MemorySettings, Mode
from tamis.messages import Counter, Message, Text

Strategy = Literal["none", "extractive", "model summary", "hybrid"]
Cause = Literal[
    "off",
    "turned-down",
    "too-small",
    "not-smaller",
    "shadow",
    "not-opted-in",
    "stage-failed",
    "quality-dropped",
]
"""Why the compressed context was not applied, in a word."""


class Reason(NamedTuple):
    """Why the compressed context was not applied: in a word, and for people."""

    cause: Cause
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Stages:
    """The typed result of each stage, in their order, and how long all four took.

    `selection` is what stage 1 chose from the skillbook.
    """

    selection: Selection
    collected: Collected
    classified: Classified
    compressed: Compressed
    injected: Injected
    strategy: Strategy
    latency_ms: float = field(compare=False)

    @property
    def tokens_before(self) -> int:
        """What the agent would be sent without memory: task, all iterations, the whole skillbook."""
        return self.collected.tokens_before

    @property
    def tokens_after(self) -> int:
        """What it is sent with memory: the task and the newest messages as they are, and the block."""
        return self.collected.current_tokens + self.injected.tokens

    @property
    def ratio(self) -> float:
        """After / before; 1 where there was nothing."""
        return self.tokens_after / self.tokens_before if self.tokens_before else 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Pass:
    """What one call of `assemble` gives.

    `messages` is what to send, without system messages. `applied` says whether that is the compressed
    context; where it is not, `reason` says why (`cause` in a word) and `stages` what it would have been (None
    where the stages did not run). `warnings` are for people.
    """

    mode: Mode
    messages: tuple[Message, ...] = field(repr=False)
    applied: bool
    reason: str
    stages: Stages | None = field(repr=False)
    warnings: tuple[str, ...] = ()
    cause: Cause | None = None

    def to(self, format: str) -> list[dict[str, Any]]:  # noqa: A002 - the word that `Compacted` has
        """The messages as an API takes them: `openai-chat`, `openai-responses`, `anthropic`.

        Raises:
            InputError: not the format of an API.
        """
        return get_api(format).encode(self.messages)

    @property
    def prompt(self) -> str:
        """The text of the first message: the task and, where it was applied, the block below it."""
        return (
            "\n\n".join(p.text for p in self.messages[0].parts if isinstance(p, Text))
            if self.messages
            else ""
        )


def run_stages(
    now: Now,
    history: History,
    select: Callable[[str], Selection],
    *,
    settings: MemorySettings,
    classifier: Classifier,
    counter: Counter,
    clock: Callable[[], float] = time.perf_counter,
) -> Stages:
    """Collection, classification, compression, injection; `select` chooses the skills for a task."""
    started = clock()
    selection = select(now.task)
    collected = collect(now, history, selection, levels=settings.levels, counter=counter)
    classified = classifier.classify(collected, counter)
    compressed = compress(classified, settings)
    injected = inject(compressed, settings.thresholds.max_compressed_size, counter)
    return Stages(
        selection=selection,
        collected=collected,
        classified=classified,
        compressed=compressed,
        injected=injected,
        strategy=_strategy(history),
        latency_ms=1000 * (clock() - started),
    )


def _strategy(history: History) -> Strategy:
    by_model = sum(digest.by != "extractive" for digest in history.digests)
    if not by_model:
        return "extractive"
    return "model summary" if by_model == len(history.digests) else "hybrid"
