"""inspect_ai's compaction strategies: https://inspect.aisi.org.uk/compaction.html."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.compactors.method import Material
from tamis.compactors.peers.peer import Chat, MeteredModel, ModelPeer, Peer, PeerResult, weakest_that_fits

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, CompactionStrategy
    from inspect_ai.model import Model as InspectModel
    from inspect_ai.tool import ToolChoice, ToolInfo

STEPS = 100
"""So finely is the share of the messages looked for that fits."""


class InspectTrim(Peer):
    """`CompactionTrim` with the largest share of the messages that fits."""

    name = "inspect-trim"
    package = "inspect-ai"
    extra = "inspect"

    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """Trim to the largest share that fits."""
        from inspect_ai.model import CompactionTrim

        async def trim(share: float) -> Chat:
            return await _compact(CompactionTrim(memory=False, preserve=share), chat)

        shares = [1 - step / STEPS for step in range(STEPS + 1)]
        fitting = await weakest_that_fits(shares, trim, material.budget_tokens, material.counter)
        return PeerResult(chat=fitting)


class InspectEdit(Peer):
    """`CompactionEdit` with as many of the newest tool results as fit."""

    name = "inspect-edit"
    package = "inspect-ai"
    extra = "inspect"

    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """Clear as few tool results as will do; at last the calls too."""
        from inspect_ai.model import CompactionEdit

        results = sum(item["role"] == "tool" for item in chat)

        async def edit(strength: tuple[int, bool]) -> Chat:
            kept, inputs = strength
            return await _compact(
                CompactionEdit(memory=False, keep_tool_uses=kept, keep_tool_inputs=inputs), chat
            )

        strengths = [(kept, True) for kept in range(results, -1, -1)] + [(0, False)]
        fitting = await weakest_that_fits(strengths, edit, material.budget_tokens, material.counter)
        return PeerResult(chat=fitting)


class InspectSummary(ModelPeer):
    """`CompactionSummary`, with tamis's model behind inspect_ai's interface."""

    kind = "inspect-summary"
    package = "inspect-ai"
    extra = "inspect"

    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """The summary; it says what the task was."""
        from inspect_ai.model import CompactionSummary

        asked = MeteredModel(self.model)
        made = await _compact(CompactionSummary(memory=False), chat, _bridge(asked, material))
        return PeerResult(chat=made[-1:], summaries=1, usage=asked.usage)


async def _compact(strategy: CompactionStrategy, chat: Chat, model: InspectModel | None = None) -> Chat:
    """The conversation as a strategy leaves it."""
    from inspect_ai.model import get_model, messages_from_openai, messages_to_openai

    messages = await messages_from_openai(chat)  # type: ignore[arg-type]
    made, _ = await strategy.compact(model or get_model("mockllm/model"), messages, [])
    return [dict(item) for item in await messages_to_openai(made)]


def _bridge(asked: MeteredModel, material: Material) -> InspectModel:
    """A model of inspect_ai that asks ours, and counts with our tokenizer: its own is downloaded."""
    from inspect_ai.model import GenerateConfig, Model, ModelAPI, ModelOutput, modelapi

    @modelapi(name="tamis")
    class Bridge(ModelAPI):
        async def generate(
            self,
            input: list[ChatMessage],  # noqa: A002
            tools: list[ToolInfo],  # noqa: ARG002
            tool_choice: ToolChoice,  # noqa: ARG002
            config: GenerateConfig,
        ) -> ModelOutput:
            text = "\n\n".join(f"{message.role}: {message.text}" for message in input)
            answer = await asked.ask(text, max_output_tokens=config.max_tokens)
            return ModelOutput.from_content(model=self.model_name, content=answer)

        async def count_text_tokens(self, text: str) -> int:
            return material.counter.count(text)

    return Model(Bridge("tamis"), GenerateConfig())
