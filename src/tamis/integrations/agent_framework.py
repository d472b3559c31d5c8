"""Microsoft Agent Framework: a compaction strategy for its agents and its chat clients.

agent = Agent(client, tools=[...], compaction_strategy=compaction_strategy(window=200_000, archive=archive))
"""

from __future__ import annotations

from asyncio import to_thread
from typing import TYPE_CHECKING, Any, Unpack

from tamis.archive import Archive
from tamis.archive.recall_tool import DESCRIPTION, TOOL_NAME, recall_function, tool_definitions
from tamis.integrations.adapter import AdapterSettings, ConversationTracker, ObjectAdapter, needed
from tamis.messages import Message, Text, ToolCall, ToolResult
from tamis.messages.conversation import Part, Role
from tamis.sessions import json_text, parse_arguments

if TYPE_CHECKING:
    from agent_framework import CompactionStrategy, FunctionTool

EXTRA = "agent-framework"


def compaction_strategy(**settings: Unpack[AdapterSettings]) -> CompactionStrategy:
    """A strategy for any number of agents; it is asked before every request to the model.

    Raises:
        MissingExtra: Agent Framework is not installed.
        InputError: a setting that cannot be.
    """
    with needed(EXTRA):
        from agent_framework import included_messages

    following = ConversationTracker(_Dialect(), EXTRA, **settings)

    async def tamis_compaction(messages: list[Any]) -> bool:
        included = included_messages(messages)
        shorter = await to_thread(following.shorten, included)
        if len(shorter) == len(included) and all(map(lambda a, b: a is b, shorter, included)):
            return False
        messages[:] = shorter
        return True

    return tamis_compaction


def recall_tool(archive: Archive) -> FunctionTool:
    """The archive as a tool of an agent; raises MissingExtra where Agent Framework is not installed."""
    with needed(EXTRA):
        from agent_framework import FunctionTool

    (definition,) = tool_definitions("mcp")
    return FunctionTool(
        name=TOOL_NAME,
        description=DESCRIPTION,
        func=recall_function(archive),
        input_model=definition["inputSchema"],
    )


class _Dialect(ObjectAdapter[Any]):
    """Messages of contents: text, calls, results."""

    def fingerprint(self, native: Any) -> str:
        """All that the message says; what the framework notes of it for itself changes as it goes on."""
        contents = [content.to_dict() for content in native.contents]
        return json_text([native.role, contents])

    def to_message(self, native: Any) -> Message:
        parts: list[Part] = []
        for content in native.contents:
            match content.type:
                case "text" if content.text:
                    parts.append(Text(text=content.text))
                case "function_call":
                    arguments, _ = parse_arguments(content.arguments)
                    parts.append(ToolCall(id=content.call_id, name=content.name, arguments=arguments))
                case "function_result":
                    failed = content.exception is not None
                    said = str(content.exception) if failed else content.result
                    text = said if isinstance(said, str) else json_text(said)
                    parts.append(ToolResult(call_id=content.call_id, text=text, is_error=failed or None))
        roles: dict[str, Role] = {"system": "system", "assistant": "assistant", "tool": "tool"}
        return Message(id="", role=roles.get(native.role, "user"), parts=tuple(parts))

    def from_message(self, message: Message) -> list[Any]:
        from agent_framework import Content
        from agent_framework import Message as Native

        contents = []
        for part in message.parts:
            match part:
                case Text() if part.text:
                    contents.append(Content.from_text(part.text))
                case ToolCall():
                    given = dict(part.arguments)
                    contents.append(Content.from_function_call(part.id, part.name, arguments=given))
                case ToolResult():
                    failed = part.text if part.is_error else None
                    result = Content.from_function_result(part.call_id, result=part.text, exception=failed)
                    contents.append(result)
        return [Native(role=message.role, contents=contents)]
