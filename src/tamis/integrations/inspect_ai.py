"""inspect_ai: a compaction strategy for its agents.

    react(compaction=compaction_strategy(window=200_000, archive=archive), tools=[..., recall_tool(archive)])

inspect_ai decides when it is time, by its own count of tokens; the strategy then replaces what is older by a
brief and leaves the newest messages as they are. One strategy may serve any number of samples at once.
"""

from __future__ import annotations

import json
from asyncio import to_thread
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Unpack

from tamis.archive import Archive, answer_call
from tamis.archive.recall_tool import DESCRIPTION, PARAMETERS, TOOL_NAME
from tamis.integrations.adapter import AdapterSettings, ChatAdapter, ConversationTracker, needed
from tamis.sessions import json_text

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, ChatMessageUser, CompactionStrategy, Model
    from inspect_ai.tool import Tool, ToolInfo

EXTRA = "inspect"

MADE = "tamis"
"""In the metadata of a brief: its length, so that it is found where inspect_ai joined a message to it."""


def compaction_strategy(*, share: float = 0.8, **settings: Unpack[AdapterSettings]) -> CompactionStrategy:
    """A strategy for `react(compaction=...)`, `compaction(...)` and the agent bridge.

    At this `share` of the window inspect_ai is to compact: the settings are those of every adapter, but that
    `trigger` is inspect_ai's here.

    Raises:
        MissingExtra: inspect_ai is not installed.
        InputError: a setting that cannot be.
    """
    with needed(EXTRA):
        from inspect_ai.model import CompactionStrategy

    settings["trigger"] = None
    following = ConversationTracker(_Dialect(), "inspect-ai", **settings)

    class TamisCompaction(CompactionStrategy):
        """A brief of what is older, and the newest messages as they are."""

        def __init__(self) -> None:
            super().__init__(type="summary", threshold=int(share * settings["window"]), memory=False)

        @property
        def preserve_prefix(self) -> bool:
            """The brief says what was asked; only the system message stays in front."""
            return False

        async def compact(
            self,
            model: Model,  # noqa: ARG002 - as the base class has it
            messages: list[ChatMessage],
            tools: list[ToolInfo],  # noqa: ARG002
        ) -> tuple[list[ChatMessage], ChatMessageUser | None]:
            """The messages with a brief in place of the older ones."""
            apart = [piece for message in messages for piece in _taken_apart(message)]
            return await to_thread(following.shorten, apart, now=True), None

    return TamisCompaction()


def recall_tool(archive: Archive) -> Tool:
    """The archive as a tool of the agent; raises MissingExtra where inspect_ai is not installed."""
    with needed(EXTRA):
        from inspect_ai.tool import ToolDef

    async def recall(words: str = "", id: str = "", limit: int = 5) -> str:  # noqa: A002 - as the tool names it
        return await to_thread(answer_call, archive, TOOL_NAME, {"words": words, "id": id, "limit": limit})

    described = {name: field["description"] for name, field in PARAMETERS["properties"].items()}
    return ToolDef(recall, name=TOOL_NAME, description=DESCRIPTION, parameters=described).as_tool()


class _Dialect(ChatAdapter["ChatMessage"]):
    """inspect_ai's messages. Its own converters may fetch media, so what they say is read here."""

    def to_item(self, native: ChatMessage) -> dict[str, Any]:
        item: dict[str, Any] = {"role": native.role, "content": native.text}
        if native.role == "tool":
            failed = native.error.message if native.error is not None else ""
            return {**item, "tool_call_id": native.tool_call_id or "", "content": native.text or failed}
        if native.role == "assistant" and native.tool_calls:
            item["tool_calls"] = [
                {
                    "id": c.id,
                    "type": "function",
                    "function": {"name": c.function, "arguments": json_text(c.arguments)},
                }
                for c in native.tool_calls
            ]
        return item

    def from_items(self, items: list[dict[str, Any]]) -> list[ChatMessage]:
        return [_message(item) for item in items]


def _message(item: dict[str, Any]) -> ChatMessage:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser
    from inspect_ai.tool import ToolCall

    said = item.get("content") or ""
    text = said if isinstance(said, str) else "\n".join(block.get("text", "") for block in said)
    match item["role"]:
        case "assistant":
            functions = [(call["id"], call["function"]) for call in item.get("tool_calls", ())]
            calls = [
                ToolCall(id=i, function=f["name"], arguments=json.loads(f["arguments"])) for i, f in functions
            ]
            return ChatMessageAssistant(content=text, tool_calls=calls or None)
        case "tool":
            return ChatMessageTool(content=text, tool_call_id=item["tool_call_id"])
        case "system":
            return ChatMessageSystem(content=text)
        case _:
            return ChatMessageUser(content=text, metadata={MADE: len(text)})


def _taken_apart(message: ChatMessage) -> Iterator[ChatMessage]:
    """A brief and what inspect_ai joined to it, for APIs that take no two user messages in a row."""
    from inspect_ai.model import ChatMessageUser

    length = (message.metadata or {}).get(MADE)
    text = message.text
    if not isinstance(length, int) or len(text) <= length:
        yield message
        return
    yield ChatMessageUser(content=text[:length], metadata={MADE: length})
    rest = message.content[1:] if isinstance(message.content, list) else text[length + 1 :]
    yield ChatMessageUser(content=rest)
