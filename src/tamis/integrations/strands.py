"""Strands: a conversation manager that keeps an agent's conversation within the window.

agent = Agent(model=..., conversation_manager=conversation_manager(window=200_000, archive=archive))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

from tamis.integrations.adapter import AdapterSettings, ConversationTracker, ObjectAdapter, needed
from tamis.messages import Message, Text, ToolCall, ToolResult
from tamis.messages.conversation import Part, Role
from tamis.sessions import json_text

if TYPE_CHECKING:
    from strands import Agent
    from strands.agent.conversation_manager import ConversationManager

EXTRA = "strands"


def conversation_manager(**settings: Unpack[AdapterSettings]) -> ConversationManager:
    """A manager for one agent or for several.

    It looks before every request to the model, and when the model says that the window is full.

    Raises:
        MissingExtra: Strands is not installed.
        InputError: a setting that cannot be.
    """
    with needed(EXTRA):
        from strands.agent.conversation_manager import ConversationManager
        from strands.hooks import BeforeModelCallEvent

    following = ConversationTracker(_Dialect(), EXTRA, **settings)

    class CompactingConversationManager(ConversationManager):  # type: ignore[misc] # may be missing there
        """Replaces the older part of an agent's messages, in place."""

        def register_hooks(self, registry: Any, **kwargs: Any) -> None:
            """Look before each request, too: one run alone may outgrow the window."""
            super().register_hooks(registry, **kwargs)
            registry.add_callback(BeforeModelCallEvent, lambda event: self.apply_management(event.agent))

        def apply_management(self, agent: Agent, **_: Any) -> None:
            """Shorten if it is time."""
            self._shorten(agent, now=False)

        def reduce_context(self, agent: Agent, e: Exception | None = None, **_: Any) -> None:
            """Shorten now; where nothing can be made smaller, the model's own error is raised again."""
            if not self._shorten(agent, now=True) and e is not None:
                raise e

        def _shorten(self, agent: Agent, *, now: bool) -> bool:
            before = len(agent.messages)
            shorter = following.shorten(agent.messages, now=now)
            is_shorter = shorter != list(agent.messages)
            agent.messages[:] = shorter
            self.removed_message_count += max(0, before - len(shorter))
            return is_shorter

    return CompactingConversationManager()


class _Dialect(ObjectAdapter[Any]):
    """Messages of blocks: text, `toolUse`, `toolResult`."""

    def to_message(self, native: Any) -> Message:
        parts: list[Part] = []
        for block in native["content"]:
            if "text" in block:
                parts.append(Text(text=block["text"]))
            elif "toolUse" in block:
                use = block["toolUse"]
                parts.append(ToolCall(id=use["toolUseId"], name=use["name"], arguments=use["input"] or {}))
            elif "toolResult" in block:
                result = block["toolResult"]
                failed = result.get("status") == "error"
                said = "\n".join(map(_said, result["content"]))
                parts.append(ToolResult(call_id=result["toolUseId"], text=said, is_error=failed or None))
        only_results = bool(parts) and all(isinstance(part, ToolResult) for part in parts)
        role: Role = "tool" if only_results else native["role"]
        return Message(id="", role=role, parts=tuple(parts))

    def from_message(self, message: Message) -> list[Any]:
        role = "assistant" if message.role == "assistant" else "user"
        return [{"role": role, "content": [block for part in message.parts for block in _blocks(part)]}]


def _said(block: Mapping[str, Any]) -> str:
    return str(block["text"]) if "text" in block else json_text(block)


def _blocks(part: Part) -> list[dict[str, Any]]:
    match part:
        case Text() if part.text:
            return [{"text": part.text}]
        case ToolCall():
            return [{"toolUse": {"toolUseId": part.id, "name": part.name, "input": dict(part.arguments)}}]
        case ToolResult():
            status = "error" if part.is_error else "success"
            content = [{"text": part.text}]
            return [{"toolResult": {"toolUseId": part.call_id, "status": status, "content": content}}]
        case _:
            return []
