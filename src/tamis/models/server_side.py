"""Compaction by the provider: handed the conversation, it hands back what stands in for it.

OpenAI's `/responses/compact` gives the user's messages and one sealed item. Anthropic's on-demand compaction
gives one signed block, whose text can be read. Nobody else is known to have either.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast, runtime_checkable

from tamis.errors import MissingExtra, UnknownModel, UnusableReply
from tamis.models.registry import read_key
from tamis.models.server_address import split_address
from tamis.models.translation import translated

try:
    from anthropic import AsyncAnthropic
    from openai import AsyncOpenAI
except ImportError:
    raise MissingExtra("asking a provider needs more: pip install 'tamis[models]'") from None

if TYPE_CHECKING:
    from anthropic.types.beta import BetaMessageParam
    from openai.types.responses import ResponseInputItemParam

ANTHROPIC_BETA = "compact-2026-09-04"
"""Under which Anthropic takes the `compaction` parameter."""

ANSWER_TOKENS = 16_000

ApiFormatName = Literal["openai-responses", "anthropic"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ProviderCompaction:
    """What a provider gave: records of its own API, to be handed back as they are.

    `readable` says whether all of it can be read; tokens are None where they were not reported.
    """

    records: tuple[dict[str, Any], ...]
    readable: bool
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_ms: float = field(default=0.0, compare=False)


@runtime_checkable
class ProviderCompactor(Protocol):
    """A provider that compacts records of its own API."""

    @property
    def name(self) -> str:
        """Which model of which provider."""

    @property
    def format(self) -> ApiFormatName:
        """The format of its records."""

    async def compact(self, records: Sequence[Mapping[str, Any]]) -> ProviderCompaction:
        """Compact a conversation, given in the provider's own records.

        Raises:
            ModelError: one of its kinds.
        """


@dataclass(frozen=True)
class _Asked:
    """What it takes to ask a provider once: a model, an address, a key, and the patience."""

    name: str
    model: str
    base_url: str | None = None
    api_key: str | None = None
    timeout_s: float = 120.0

    async def compact(self, records: Sequence[Mapping[str, Any]]) -> ProviderCompaction:
        """Ask once."""
        start = time.perf_counter()
        with translated(self.name):
            made = await self._ask(records)
        return replace(made, latency_ms=(time.perf_counter() - start) * 1000)

    async def _ask(self, records: Sequence[Mapping[str, Any]]) -> ProviderCompaction:
        raise NotImplementedError

    @property
    def _how(self) -> dict[str, Any]:
        """The client's arguments; trying again is the caller's affair."""
        given = {"api_key": self.api_key, "base_url": self.base_url, "timeout": self.timeout_s}
        return {**given, "max_retries": 0}


class OpenAICompaction(_Asked):
    """`POST /responses/compact`, at OpenAI or at any server that has it."""

    format: ApiFormatName = "openai-responses"

    async def _ask(self, records: Sequence[Mapping[str, Any]]) -> ProviderCompaction:
        async with AsyncOpenAI(**self._how) as client:
            items_in = cast("list[ResponseInputItemParam]", list(records))
            answer = await client.responses.compact(model=self.model, input=items_in)
        items = tuple(item.to_dict(warnings=False) for item in answer.output or ())
        if not items:
            raise UnusableReply(f"{self.name} compacted to nothing")
        used = answer.usage
        return ProviderCompaction(
            records=items,
            readable=all(item.get("type") not in ("compaction", "compaction_summary") for item in items),
            input_tokens=used.input_tokens if used else None,
            output_tokens=used.output_tokens if used else None,
        )


class AnthropicCompaction(_Asked):
    """`compaction` on `POST /messages`: a signed block whose summary can be read."""

    format: ApiFormatName = "anthropic"

    async def _ask(self, records: Sequence[Mapping[str, Any]]) -> ProviderCompaction:
        async with AsyncAnthropic(**self._how) as client:
            answer = await client.beta.messages.create(
                model=self.model,
                max_tokens=ANSWER_TOKENS,
                messages=cast("list[BetaMessageParam]", list(records)),
                compaction={"type": "summarize"},
                betas=[ANTHROPIC_BETA],
            )
        blocks = [block.to_dict(warnings=False) for block in answer.content]
        if not any(block.get("type") == "compaction" and block.get("content") for block in blocks):
            raise UnusableReply(f"{self.name} gave no summary ({answer.stop_reason})")
        return ProviderCompaction(
            records=({"role": "assistant", "content": blocks},),
            readable=True,
            input_tokens=answer.usage.input_tokens,
            output_tokens=answer.usage.output_tokens,
        )


def get_server_side(name: str) -> ProviderCompactor:
    """The provider's own compaction for `openai:MODEL`, `anthropic:MODEL` or `http://host:port[/v1]#MODEL`.

    Raises:
        UnknownModel: the provider is not known to compact, or no model is named.
    """
    provider, _, model = name.partition(":")
    if provider in ("http", "https"):
        url, model = split_address(name)
        if model:
            return OpenAICompaction(name, model, base_url=url, api_key=read_key() or "none")
    elif model and provider == "openai":
        return OpenAICompaction(name, model)
    elif model and provider == "anthropic":
        return AnthropicCompaction(name, model)
    raise UnknownModel(
        f"{name!r} has no compaction of its own that is known; "
        "write openai:MODEL, anthropic:MODEL or http://host:port#MODEL"
    )
