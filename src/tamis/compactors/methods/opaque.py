"""`opaque`: what the provider itself makes of the conversation.

OpenAI keeps what the user said and seals the rest in one item that only its models can read; Anthropic signs
a summary that anybody can. Either goes back to the provider as it came. Nothing can be shortened or checked
here: what is over the budget is no compaction in this budget, and what is sealed is called not readable.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Self

from tamis.compactors.account import MessageFate
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.compactors.protocol import Usage
from tamis.errors import InputError, ModelError
from tamis.messages import Media, Message
from tamis.models import Patience
from tamis.models.retry import Sleep, retry
from tamis.models.server_side import ApiFormatName, ProviderCompaction, ProviderCompactor, get_server_side
from tamis.sessions import Anthropic, ApiFormat, OpenAIResponses

_FORMATS: dict[ApiFormatName, ApiFormat] = {"openai-responses": OpenAIResponses(), "anthropic": Anthropic()}


class Opaque(Method):
    """Hands the span to the provider's own compaction."""

    kind = "opaque"

    def __init__(
        self,
        provider: ProviderCompactor,
        *,
        patience: Patience | None = None,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`provider` compacts; `patience` says how often it is asked again."""
        super().__init__(clock=clock)
        self.name = f"{self.kind}@{provider.name}"
        self._provider = provider
        self._patience = patience
        self._sleep = sleep

    @classmethod
    def named(cls, model: str) -> Self:
        """The method with the provider of this model.

        Raises:
            UnknownModel: the provider has no compaction of its own that is known.
        """
        return cls(get_server_side(model))

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Ask the provider; system prompts stay in front, as APIs keep them apart."""
        form = _FORMATS[self._provider.format]
        spoken = [m for m in material.messages if m.role != "system"]
        try:
            records = form.encode(spoken)
            compacted = await retry(
                lambda: self._provider.compact(records), self._patience, sleep=self._sleep
            )
            answered = form.decode(compacted.records).messages
        except (ModelError, InputError) as error:
            return CannotFit(f"the provider did not compact: {error}")
        prompts = [m for m in material.messages if m.role == "system"]
        messages = (*prompts, *_recognised(answered, spoken))
        kept = {id(m) for m in messages}
        return Replacement(
            messages=messages,
            told=tuple(
                MessageFate("kept", "given back as it was") if id(m) in kept else _condensed(compacted)
                for m in material.messages
            ),
            warnings=tuple(_warnings(compacted)),
            usage=Usage(
                requests=1,
                input_tokens=compacted.input_tokens or 0,
                output_tokens=compacted.output_tokens or 0,
            ),
            readable=compacted.readable,
        )


def _recognised(answered: Sequence[Message], source: Sequence[Message]) -> list[Message]:
    """The source's own message where it was given back as it was; whatever else is a summary."""
    waiting = list(source)
    messages = []
    for message in answered:
        same = next((m for m in waiting if (m.role, m.parts) == (message.role, message.parts)), None)
        if same is None:
            messages.append(replace(message, origin="summary"))
        else:
            waiting = waiting[waiting.index(same) + 1 :]
            messages.append(same)
    return messages


def _condensed(compacted: ProviderCompaction) -> MessageFate:
    if compacted.readable:
        return MessageFate("condensed", "the provider summarised it; how much of it that holds is not known")
    return MessageFate("condensed", "sealed by the provider; what of it is left cannot be read")


def _warnings(compacted: ProviderCompaction) -> list[str]:
    if compacted.readable:
        return []
    size = "" if compacted.output_tokens is None else f"; the provider reports {compacted.output_tokens}"
    sealed = sum(
        isinstance(part, Media)
        for message in OpenAIResponses().decode(compacted.records).messages
        for part in message.parts
    )
    return [
        f"not readable: {sealed} sealed item(s), which only the provider's models can read; "
        f"their tokens are an estimate{size}"
    ]
