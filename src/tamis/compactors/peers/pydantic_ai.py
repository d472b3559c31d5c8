"""The Pydantic AI harness's compaction: https://github.com/pydantic/pydantic-ai-harness."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tamis.compactors.method import Material
from tamis.compactors.peers.peer import (
    LASTING_SHARE,
    Chat,
    MeteredModel,
    ModelPeer,
    Peer,
    PeerResult,
    weakest_that_fits,
)

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import Model as PydanticModel

PACKAGE, EXTRA = "pydantic-ai-harness", "pydantic-ai"


class PydanticAIWindow(Peer):
    """`SlidingWindowCompaction`: the first request, and as many of the newest messages as fit."""

    name = "pydantic-ai-window"
    package, extra = PACKAGE, EXTRA

    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """Slide the window until it fits."""
        from pydantic_ai_harness.compaction import SlidingWindowCompaction

        async def slide(kept: int) -> Chat:
            strategy: Any = SlidingWindowCompaction(max_messages=1, keep_messages=kept)
            return await _compact(strategy, chat)

        widths = range(len(chat), 0, -1)
        fitting = await weakest_that_fits(widths, slide, material.budget_tokens, material.counter)
        return PeerResult(chat=fitting)


class PydanticAIClear(Peer):
    """`ClearToolResults`: as many of the newest tool results as fit."""

    name = "pydantic-ai-clear"
    package, extra = PACKAGE, EXTRA

    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """Clear as few results as will do; at last what went into the tools too."""
        from pydantic_ai_harness.compaction import ClearToolResults

        async def clear(strength: tuple[int, bool]) -> Chat:
            kept, inputs = strength
            strategy: Any = ClearToolResults(max_messages=1, keep_pairs=kept, clear_tool_inputs=inputs)
            return await _compact(strategy, chat)

        results = sum(item["role"] == "tool" for item in chat)
        strengths = [(kept, False) for kept in range(results, -1, -1)] + [(0, True)]
        fitting = await weakest_that_fits(strengths, clear, material.budget_tokens, material.counter)
        return PeerResult(chat=fitting)


class PydanticAISummary(ModelPeer):
    """`SummarizingCompaction`, with tamis's model behind Pydantic AI's interface."""

    kind = "pydantic-ai-summary"
    package, extra = PACKAGE, EXTRA

    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """The summary, and the newest messages."""
        from pydantic_ai_harness.compaction import SummarizingCompaction

        asked = MeteredModel(self.model)
        strategy: Any = SummarizingCompaction(
            max_messages=1,
            keep_tokens=max(1, int(material.budget_tokens * LASTING_SHARE)),
            tokenizer=material.counter.count,
            preserve_first_user_message=False,
        )
        made = await _compact(strategy, chat, _bridge(asked, material.budget_tokens))
        return PeerResult(chat=made, summaries=asked.place_in(made), usage=asked.usage)


async def _compact(strategy: Any, chat: Chat, model: PydanticModel | None = None) -> Chat:
    """The conversation as a strategy leaves it."""
    from pydantic_ai.models.test import TestModel
    from pydantic_ai_harness.compaction import compact_now

    made = await compact_now(strategy, list(model_messages(chat)), model=model or TestModel())
    return list(chat_items(made))


def model_messages(chat: Chat) -> Iterator[ModelMessage]:
    """Chat messages as Pydantic AI has them."""
    from pydantic_ai.messages import (
        ModelRequest,
        ModelResponse,
        SystemPromptPart,
        TextPart,
        ToolCallPart,
        ToolReturnPart,
        UserPromptPart,
    )

    names: dict[str, str] = {}
    for item in chat:
        text = _text(item.get("content"))
        match item["role"]:
            case "assistant":
                said: list[Any] = [TextPart(text)] if text else []
                for call in item.get("tool_calls", ()):
                    function = call["function"]
                    names[call["id"]] = function["name"]
                    said.append(
                        ToolCallPart(function["name"], function["arguments"], tool_call_id=call["id"])
                    )
                yield ModelResponse(parts=said)
            case "tool":
                call_id = item["tool_call_id"]
                returned = ToolReturnPart(names.get(call_id, "tool"), text, tool_call_id=call_id)
                yield ModelRequest(parts=[returned])
            case "system":
                yield ModelRequest(parts=[SystemPromptPart(text)])
            case _:
                yield ModelRequest(parts=[UserPromptPart(text)])


def chat_items(messages: Sequence[ModelMessage]) -> Iterator[dict[str, Any]]:
    """What Pydantic AI has as chat messages."""
    for message in messages:
        calls: list[dict[str, Any]] = []
        said: list[str] = []
        for part in message.parts:
            match part.part_kind:
                case "tool-call":
                    function = {"name": part.tool_name, "arguments": part.args_as_json_str()}
                    calls.append({"id": part.tool_call_id, "type": "function", "function": function})
                case "tool-return":
                    content = part.model_response_str()
                    yield {"role": "tool", "tool_call_id": part.tool_call_id, "content": content}
                case "retry-prompt" if part.tool_name is not None:
                    content = part.model_response()
                    yield {"role": "tool", "tool_call_id": part.tool_call_id, "content": content}
                case "retry-prompt":
                    yield {"role": "user", "content": part.model_response()}
                case "system-prompt":
                    yield {"role": "system", "content": part.content}
                case "user-prompt":
                    yield {"role": "user", "content": _text(part.content)}
                case "compaction":
                    yield {"role": "user", "content": part.content or ""}
                case "text":
                    said.append(part.content)
        if message.kind == "response" and (said or calls):
            item: dict[str, Any] = {"role": "assistant", "content": "\n".join(said) or None}
            yield {**item, "tool_calls": calls} if calls else item


def _text(content: Any) -> str:
    """The text of a chat message's content; media are left to the message that they came in."""
    if content is None or isinstance(content, str):
        return content or ""
    blocks = [block if isinstance(block, dict) else {"text": str(block)} for block in content]
    return "\n".join(str(block["text"]) for block in blocks if "text" in block)


def _bridge(asked: MeteredModel, max_output_tokens: int) -> PydanticModel:
    """A model of Pydantic AI that asks ours."""
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        items = list(chat_items(messages))
        told = "\n\n".join(i["content"] if isinstance(i["content"], str) else json.dumps(i) for i in items)
        text = await asked.ask(
            told, instructions=info.instructions or "", max_output_tokens=max_output_tokens
        )
        return ModelResponse(parts=[TextPart(text)])

    return FunctionModel(answer, model_name="tamis")
