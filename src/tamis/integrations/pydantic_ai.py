"""Pydantic AI: a history processor that keeps an agent's conversations within the window.

    processor = history_processor(window=200_000, archive=archive)
    agent = Agent(model, capabilities=[ProcessHistory(processor)], tools=[recall_tool(archive)])

What was taken out is in the archive, and the recall tool gives it back to the agent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from pydantic_core import to_json

from tamis.archive import Archive
from tamis.archive.recall_tool import DESCRIPTION, PARAMETERS, TOOL_NAME, recall_function
from tamis.compactors.peers.pydantic_ai import chat_items, model_messages
from tamis.integrations.adapter import AdapterSettings, ChatAdapter, ConversationTracker, needed

if TYPE_CHECKING:
    from pydantic_ai import Tool
    from pydantic_ai.messages import ModelMessage

EXTRA = "pydantic-ai"


def history_processor(
    **settings: Unpack[AdapterSettings],
) -> Callable[[list[ModelMessage]], list[ModelMessage]]:
    """A history processor, for `ProcessHistory`; it may serve any number of conversations at once.

    Raises:
        MissingExtra: Pydantic AI is not installed.
        InputError: a setting that cannot be.
    """
    with needed(EXTRA):
        import pydantic_ai  # noqa: F401 - said now, not at the first request
    following = ConversationTracker(_Dialect(), EXTRA, **settings)

    def shorten(messages: list[Any]) -> list[Any]:  # Pydantic AI resolves the types of a processor as it runs
        single = list(_singly(messages))
        shorter = following.shorten(single)
        return messages if shorter == single else shorter

    return shorten


def recall_tool(archive: Archive) -> Tool[Any]:
    """The archive as a tool of the agent; raises MissingExtra where Pydantic AI is not installed."""
    with needed(EXTRA):
        from pydantic_ai import Tool

    return Tool.from_schema(recall_function(archive), TOOL_NAME, DESCRIPTION, deepcopy(PARAMETERS))


class _Dialect(ChatAdapter["ModelMessage"]):
    """Pydantic AI's messages, each request with one part."""

    def to_item(self, native: ModelMessage) -> dict[str, Any]:
        """The message as a chat item; a reply that says nothing but what only its provider reads is empty."""
        role = "assistant" if native.kind == "response" else "user"
        return next(chat_items([native]), {"role": role, "content": ""})

    def from_items(self, items: list[dict[str, Any]]) -> list[ModelMessage]:
        return list(model_messages(items))

    def fingerprint(self, native: ModelMessage) -> str:
        """The parts as they are, media too; when and for which run they were sent may change."""
        return to_json(list(native.parts), bytes_mode="base64", fallback=repr).decode()


def _singly(messages: Sequence[ModelMessage]) -> Iterator[ModelMessage]:
    """The same conversation with one part a request: Pydantic AI joins and parts them as it likes."""
    for message in messages:
        if message.kind == "response" or len(message.parts) < 2:
            yield message
        else:
            yield from (replace(message, parts=[part]) for part in message.parts)
