"""A method that asks a model: the questions of one compaction, and what they cost."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from pydantic import BaseModel

from tamis.compactors.method import Material, Method
from tamis.compactors.protocol import CompactionRequest, Usage
from tamis.errors import InputError, UnusableReply
from tamis.messages import Counter
from tamis.models import Model, Prompt, Reply, get_model, read_reply

T = TypeVar("T", bound=BaseModel)

WINDOW_TOKENS = 32_000
"""Taken where a model does not say what it can take in; too much is noticed, and asked in smaller parts."""

MARGIN = 0.8
"""The part of the window that is used: the model's own tokenizer counts differently from ours."""

LEAST_ROOM_TOKENS = 256


class ModelMethod(Method):
    """A method with a model. Its name says which; what it carries can be taken up with another model too."""

    kind: str

    def __init__(self, model: Model, *, clock: Callable[[], float] = time.perf_counter) -> None:
        """`model` is what is asked."""
        super().__init__(clock=clock)
        self.model = model
        self.name = f"{self.kind}@{model.name}"

    @classmethod
    def named(cls, model: str) -> Self:
        """The method with the model of this name (`models.get_model`).

        Raises:
            UnknownModel: there is no such model.
        """
        return cls(get_model(model))

    def _covered(self, request: CompactionRequest) -> int:
        previous = request.previous
        same = previous is not None and previous.method.partition("@")[0] == self.kind
        return previous.carry_covers if previous is not None and same else 0


def check_carried(carry: Mapping[str, Any], wanted: str) -> None:
    """Whether what the previous compaction carries has the wanted format.

    Raises:
        InputError: carried by another method or version.
    """
    if carry.get("format") != wanted:
        raise InputError(
            f"the previous compaction carries {carry.get('format')!r}, not {wanted!r}; "
            "compact from the original session, or without a previous compaction"
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Space:
    """How the model's window is shared: what may be read at once, and how long an answer may be."""

    read_tokens: int
    answer_tokens: int


def share_window(model: Model, counter: Counter, *, answer_tokens: int, beside: str) -> Space:
    """The space that is left for the span beside the answer and `beside`, which stands in every prompt."""
    window = int((model.window_tokens or WINDOW_TOKENS) * MARGIN)
    answer = min(answer_tokens, window // 2)
    left = window - answer - counter.count(beside)
    return Space(read_tokens=max(left, LEAST_ROOM_TOKENS), answer_tokens=answer)


def summary_space(model: Model, material: Material, *, beside: str) -> Space:
    """The space where the answer is a summary: it may be twice as long as the budget before it is cut."""
    answer_tokens = 2 * material.budget_tokens + 400
    return share_window(model, material.counter, answer_tokens=answer_tokens, beside=beside)


def usage_of(replies: Sequence[Reply]) -> Usage:
    """What replies cost; those that do not report their tokens are counted as requests only."""
    return Usage(
        requests=len(replies),
        input_tokens=sum(r.input_tokens or 0 for r in replies),
        output_tokens=sum(r.output_tokens or 0 for r in replies),
    )


class Interview:
    """Asks a model for values and adds up what that took.

    A reply that cannot be used is asked for once more, with what was wrong with it.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._replies: list[Reply] = []

    async def ask_for(self, prompt: Prompt, schema: type[T]) -> T:
        """The value that the model answers with.

        Raises:
            ModelError: no usable answer.
        """
        try:
            return read_reply(await self._ask(prompt, schema), schema)
        except UnusableReply as error:
            again = Prompt(
                instructions=prompt.instructions,
                text=f"{prompt.text}\n\nYour last answer could not be used ({_reason(error)}). "
                "Answer again, shorter, with the JSON object alone.",
                max_output_tokens=prompt.max_output_tokens,
            )
            return read_reply(await self._ask(again, schema), schema)

    async def _ask(self, prompt: Prompt, schema: type[BaseModel]) -> Reply:
        reply = await self._model.ask(prompt, schema=schema)
        self._replies.append(reply)
        return reply

    @property
    def usage(self) -> Usage:
        """Of all replies that came."""
        return usage_of(self._replies)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is not known of the cost."""
        silent = sum(r.input_tokens is None or r.output_tokens is None for r in self._replies)
        if not silent:
            return ()
        return (
            f"{silent} of {len(self._replies)} replies did not report their tokens; usage leaves them out",
        )


def _reason(error: UnusableReply) -> str:
    """What was wrong, without what the model said: that may be anything."""
    return str(error).partition("; it said")[0].partition(": ")[2] or "no JSON"
