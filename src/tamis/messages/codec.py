"""Messages as JSON, for compactors that run as another program.

One object a message, one object a part, told apart by `type`. The shape is tamis's own, because none of the
APIs' shapes says all that a session says (ids, who wrote a summary, how a tool ended).

    {"id": "m1", "role": "assistant", "parts": [
        {"type": "text", "text": "Let me look."},
        {"type": "tool_call", "id": "c1", "name": "bash", "arguments": {"command": "ls"}}]}
    {"id": "m2", "role": "tool", "parts": [
        {"type": "tool_result", "call_id": "c1", "text": "a.py", "exit_code": 0}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from tamis.messages import Media, Message, Part, Text, Thinking, ToolCall, ToolResult, identify
from tamis.messages.conversation import Origin, Role


def _whole_characters(value: Any) -> Any:
    """Half of a surrogate pair, as cut logs hold it, cannot be written as UTF-8."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


CleanText = Annotated[str, BeforeValidator(_whole_characters)]


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class WireText(_Wire):
    """Something said."""

    type: Literal["text"] = "text"
    text: CleanText


class WireThinking(_Wire):
    """A model's reasoning."""

    type: Literal["thinking"] = "thinking"
    text: CleanText
    signature: CleanText | None = None


class WireCall(_Wire):
    """A tool call; `raw_arguments` where the model sent something other than an object."""

    type: Literal["tool_call"] = "tool_call"
    id: CleanText
    name: CleanText
    arguments: dict[str, Any] = {}
    raw_arguments: CleanText | None = None


class WireMedia(_Wire):
    """An image, a document or a sound."""

    type: Literal["media"] = "media"
    kind: Literal["image", "document", "audio", "other"]
    mime: CleanText | None = None
    data: CleanText | None = None
    url: CleanText | None = None


class WireResult(_Wire):
    """What a tool gave back."""

    type: Literal["tool_result"] = "tool_result"
    call_id: CleanText
    text: CleanText
    name: CleanText | None = None
    is_error: bool | None = None
    exit_code: int | None = None
    media: list[WireMedia] = []


WirePart = Annotated[WireText | WireThinking | WireCall | WireMedia | WireResult, Field(discriminator="type")]


class WireMessage(_Wire):
    """One message. Without an id it gets one that is derived from its content."""

    id: CleanText = ""
    role: Role
    parts: list[WirePart]
    origin: Origin = "conversation"
    timestamp: CleanText | None = None
    sidechain: CleanText | None = None
    cwd: CleanText | None = None
    author: CleanText | None = Field(default=None, exclude_if=lambda author: author is None)


class CommandRequest(_Wire):
    """What a compactor reads on its standard input."""

    span: list[WireMessage]
    budget_tokens: int
    tokenizer: CleanText
    goal: CleanText | None = None
    previous: list[WireMessage] | None = None


class CommandReply(_Wire):
    """What a compactor prints on its standard output: the messages, or a text for tamis to put into one."""

    messages: list[WireMessage] | None = None
    text: CleanText | None = None


def to_wire(messages: Iterable[Message]) -> list[WireMessage]:
    """Messages as they are written; native records stay behind."""
    return [
        WireMessage(
            id=m.id,
            role=m.role,
            parts=[_part_to_wire(p) for p in m.parts],
            origin=m.origin,
            timestamp=m.timestamp,
            sidechain=m.sidechain,
            cwd=m.cwd,
            author=m.author,
        )
        for m in messages
    ]


def from_wire(messages: Iterable[WireMessage]) -> tuple[Message, ...]:
    """Messages as they were read, each with an id of its own."""
    return identify(
        [
            Message(
                id=m.id,
                role=m.role,
                parts=tuple(_part_from_wire(p) for p in m.parts),
                origin=m.origin,
                timestamp=m.timestamp,
                sidechain=m.sidechain,
                cwd=m.cwd,
                author=m.author,
            )
            for m in messages
        ]
    )


def _plain(arguments: Mapping[str, Any]) -> dict[str, Any]:
    text: str = _whole_characters(json.dumps(arguments, ensure_ascii=False, default=str))
    return cast("dict[str, Any]", json.loads(text))


def _part_to_wire(part: Part) -> WirePart:
    match part:
        case Text():
            return WireText(text=part.text)
        case Thinking():
            return WireThinking(text=part.text, signature=part.signature)
        case ToolCall():
            return WireCall(
                id=part.id,
                name=part.name,
                arguments=_plain(part.arguments),
                raw_arguments=part.raw_arguments,
            )
        case Media():
            return WireMedia(kind=part.kind, mime=part.mime, data=part.data, url=part.url)
        case ToolResult():
            return WireResult(
                call_id=part.call_id,
                text=part.text,
                name=part.name,
                is_error=part.is_error,
                exit_code=part.exit_code,
                media=[WireMedia(kind=m.kind, mime=m.mime, data=m.data, url=m.url) for m in part.media],
            )


def _part_from_wire(part: WirePart) -> Part:
    match part:
        case WireText():
            return Text(text=part.text)
        case WireThinking():
            return Thinking(text=part.text, signature=part.signature)
        case WireCall():
            return ToolCall(
                id=part.id, name=part.name, arguments=part.arguments, raw_arguments=part.raw_arguments
            )
        case WireMedia():
            return Media(kind=part.kind, mime=part.mime, data=part.data, url=part.url)
        case WireResult():
            return ToolResult(
                call_id=part.call_id,
                text=part.text,
                name=part.name,
                is_error=part.is_error,
                exit_code=part.exit_code,
                media=tuple(Media(kind=m.kind, mime=m.mime, data=m.data, url=m.url) for m in part.media),
            )
