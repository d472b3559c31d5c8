"""Google ADK: a plugin that keeps what its agents send within the window.

runner = Runner(app=App(name="work", root_agent=agent, plugins=[compaction_plugin(window=1_000_000)]), ...)
"""

from __future__ import annotations

from asyncio import to_thread
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from tamis.archive import Archive, answer_call
from tamis.archive.recall_tool import DESCRIPTION, TOOL_NAME
from tamis.integrations.adapter import AdapterSettings, ConversationTracker, ObjectAdapter, needed
from tamis.messages import Message, Text, ToolCall, ToolResult
from tamis.messages.conversation import Part, Role
from tamis.sessions import json_text

if TYPE_CHECKING:
    from google.adk.plugins.base_plugin import BasePlugin
    from google.adk.tools.function_tool import FunctionTool

EXTRA = "google-adk"


def compaction_plugin(**settings: Unpack[AdapterSettings]) -> BasePlugin:
    """A plugin for an `App`, or a `Runner`; it looks before every request of every agent.

    The session's events stay whole; only what is sent is shorter.

    Raises:
        MissingExtra: Google ADK is not installed.
        InputError: a setting that cannot be.
    """
    with needed(EXTRA):
        from google.adk.plugins.base_plugin import BasePlugin

    following = ConversationTracker(_Dialect(), EXTRA, **settings)

    class CompactionPlugin(BasePlugin):  # type: ignore[misc] # may be missing there
        """Shortens the contents of a request."""

        async def before_model_callback(self, *, callback_context: Any, llm_request: Any) -> None:  # noqa: ARG002 - as ADK calls it
            numbered = list(_numbered(llm_request.contents))
            llm_request.contents = [one.content for one in await to_thread(following.shorten, numbered)]

    return CompactionPlugin(name="tamis")


def recall_tool(archive: Archive) -> FunctionTool:
    """The archive as a tool of an agent; raises MissingExtra where Google ADK is not installed."""
    with needed(EXTRA):
        from google.adk.tools.function_tool import FunctionTool

    def recall(words: str = "", id: str = "", limit: int = 5) -> str:  # noqa: A002 - the tool's own word
        asked = {"id": id} if id else {"words": words, "limit": limit}
        return answer_call(archive, TOOL_NAME, asked)

    recall.__doc__ = DESCRIPTION
    return FunctionTool(recall)


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A content, and the ids of its calls and results in their order: ADK takes its own out of requests."""

    content: Any
    ids: tuple[str, ...] = ()


def _numbered(contents: Sequence[Any]) -> Iterator[_Numbered]:
    """Every call with an id, and every result with that of its call: the oldest of its name still open."""
    waiting: dict[str, deque[str]] = {}
    calls = 0
    for content in contents:
        ids = []
        for part in content.parts or ():
            if (call := part.function_call) is not None:
                calls += 1
                ids.append(call.id or f"call-{calls}")
                waiting.setdefault(call.name or "", deque()).append(ids[-1])
            elif (result := part.function_response) is not None:
                opened = waiting.get(result.name or "", deque())
                ids.append(result.id or (opened[0] if opened else f"result-{calls}"))
                if ids[-1] in opened:
                    opened.remove(ids[-1])
        yield _Numbered(content, tuple(ids))


class _Dialect(ObjectAdapter[_Numbered]):
    """Contents of parts: text, thoughts, calls, results."""

    def fingerprint(self, native: _Numbered) -> str:
        said: str = native.content.model_dump_json(exclude_none=True)
        return said

    def to_message(self, native: _Numbered) -> Message:
        parts: list[Part] = []
        ids = iter(native.ids)
        for part in native.content.parts or ():
            if (call := part.function_call) is not None:
                parts.append(ToolCall(id=next(ids), name=call.name or "", arguments=call.args or {}))
            elif (result := part.function_response) is not None:
                text, bad = _said(result.response or {})
                parts.append(ToolResult(call_id=next(ids), name=result.name, text=text, is_error=bad or None))
            elif part.text and not part.thought:
                parts.append(Text(text=part.text))
        only_results = bool(parts) and all(isinstance(part, ToolResult) for part in parts)
        role: Role = "tool" if only_results else "assistant" if native.content.role == "model" else "user"
        return Message(id="", role=role, parts=tuple(parts))

    def from_message(self, message: Message) -> list[_Numbered]:
        return [_Numbered(_written(message))]


def _said(response: dict[str, Any]) -> tuple[str, bool]:
    """What a result says, and whether it is an error; Gemini's own keys for either."""
    for key in ("result", "output", "error"):
        if set(response) == {key} and isinstance(response[key], str):
            return response[key], key == "error"
    return json_text(response), "error" in response


def _written(message: Message) -> Any:
    from google.genai.types import Content, FunctionCall, FunctionResponse
    from google.genai.types import Part as Piece

    pieces = []
    for part in message.parts:
        match part:
            case Text() if part.text:
                pieces.append(Piece(text=part.text))
            case ToolCall():
                pieces.append(Piece(function_call=FunctionCall(name=part.name, args=dict(part.arguments))))
            case ToolResult():
                said = {"error" if part.is_error else "result": part.text}
                pieces.append(Piece(function_response=FunctionResponse(name=part.name or "", response=said)))
    return Content(role="model" if message.role == "assistant" else "user", parts=pieces)
