"""LlamaIndex: a memory that keeps what an agent is sent within the window.

    memory = compacting_memory(window=200_000, archive=archive)
    await agent.run("...", memory=memory)

The memory's chat store keeps everything that is said; `get` gives what fits. An agent holds the tool calls of
a run that still goes on by itself and puts them into the memory when it ends, so the memory is compacted
between runs, not within one.
"""

from __future__ import annotations

import json
from asyncio import to_thread
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Unpack

from tamis.archive import Archive, answer_call
from tamis.archive.recall_tool import DESCRIPTION, TOOL_NAME
from tamis.integrations.adapter import AdapterSettings, ChatAdapter, ConversationTracker, needed

if TYPE_CHECKING:
    from llama_index.core.llms import ChatMessage
    from llama_index.core.memory.types import BaseChatStoreMemory
    from llama_index.core.storage.chat_store import BaseChatStore
    from llama_index.core.tools import FunctionTool

EXTRA = "llama-index"


def compacting_memory(
    *,
    chat_store: BaseChatStore | None = None,
    chat_store_key: str = "chat_history",
    **settings: Unpack[AdapterSettings],
) -> BaseChatStoreMemory:
    """A memory for an agent or a chat engine.

    All that is said is kept in the `chat_store`, in memory unless told; there, and in the archive, the
    conversation is called by the `chat_store_key`.

    Raises:
        MissingExtra: LlamaIndex is not installed.
        InputError: a setting that cannot be.
    """
    with needed(EXTRA):
        from llama_index.core.memory.types import BaseChatStoreMemory
        from llama_index.core.storage.chat_store import SimpleChatStore

    following = ConversationTracker(_Dialect(), chat_store_key, **settings)

    class CompactingMemory(BaseChatStoreMemory):
        """All that was said, given back shortened to the window."""

        @classmethod
        def class_name(cls) -> str:
            return "CompactingMemory"

        @classmethod
        def from_defaults(cls, *_: Any, **__: Any) -> CompactingMemory:
            raise NotImplementedError("tamis.integrations.llama_index.compacting_memory makes one")

        def get(self, input: str | None = None, **_: Any) -> list[ChatMessage]:  # noqa: A002, ARG002
            return following.shorten(self.get_all())

        async def aget(self, input: str | None = None, **_: Any) -> list[ChatMessage]:  # noqa: A002, ARG002
            return await to_thread(following.shorten, await self.aget_all())

    return CompactingMemory(chat_store=chat_store or SimpleChatStore(), chat_store_key=chat_store_key)


def recall_tool(archive: Archive) -> FunctionTool:
    """The archive as a tool of the agent; raises MissingExtra where LlamaIndex is not installed."""
    with needed(EXTRA):
        from llama_index.core.tools import FunctionTool

    def recall(words: str = "", id: str = "", limit: int = 5) -> str:  # noqa: A002 - as the tool names it
        return answer_call(archive, TOOL_NAME, {"words": words, "id": id, "limit": limit})

    return FunctionTool.from_defaults(recall, name=TOOL_NAME, description=DESCRIPTION)


class _Dialect(ChatAdapter["ChatMessage"]):
    """LlamaIndex's messages. Tool calls are blocks, or lie in `additional_kwargs` with older models."""

    def to_item(self, native: ChatMessage) -> dict[str, Any]:
        others = {"developer": "system", "chatbot": "assistant", "model": "assistant", "function": "tool"}
        role = others.get(native.role.value, native.role.value)
        item: dict[str, Any] = {"role": role, "content": native.content or ""}
        if role == "tool":
            item["tool_call_id"] = str(native.additional_kwargs.get("tool_call_id", ""))
        calls = list(_calls(native)) if role == "assistant" else []
        return {**item, "tool_calls": calls} if calls else item

    def from_items(self, items: list[dict[str, Any]]) -> list[ChatMessage]:
        return [_message(item) for item in items]

    def fingerprint(self, native: ChatMessage) -> str:
        """All that it holds, images too."""
        return native.model_dump_json()


def _calls(native: ChatMessage) -> Iterator[dict[str, Any]]:
    for block in native.blocks:
        if block.block_type == "tool_call":
            arguments = block.tool_kwargs
            text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            yield _call(block.tool_call_id or "", block.tool_name, text)
    for call in native.additional_kwargs.get("tool_calls") or ():
        given = call if isinstance(call, dict) else call.model_dump()
        function = given.get("function") or {}
        yield _call(given.get("id") or "", function.get("name") or "", function.get("arguments") or "{}")


def _call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _message(item: dict[str, Any]) -> ChatMessage:
    from llama_index.core.base.llms.types import ChatMessage, TextBlock, ToolCallBlock

    content = item.get("content") or ""
    text = content if isinstance(content, str) else "\n".join(b.get("text", "") for b in content)
    blocks: list[Any] = [TextBlock(text=text)] if text else []
    for call in item.get("tool_calls", ()):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        blocks.append(ToolCallBlock(tool_call_id=call["id"], tool_name=name, tool_kwargs=arguments))
    extra = {"tool_call_id": item["tool_call_id"]} if item["role"] == "tool" else {}
    return ChatMessage(role=item["role"], blocks=blocks, additional_kwargs=extra)
