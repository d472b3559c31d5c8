"""Messages as JSON, for compactors that run as another program.

The schema of what `codec` writes, with texts made valid UTF-8. The shape is tamis's own, because none of
the APIs' shapes says all that a session says (ids, who wrote a summary, how a tool ended).

    {"id": "m1", "role": "assistant", "parts": [
        {"type": "text", "text": "Let me look."},
        {"type": "tool_call", "id": "c1", "name": "bash", "arguments": {"command": "ls"}}]}
    {"id": "m2", "role": "tool", "parts": [
        {"type": "tool_result", "call_id": "c1", "text": "a.py", "exit_code": 0}]}
"""

import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from tamis.messages.codec import message_from_json, message_to_json
from tamis.messages.conversation import Message, Origin, Role, identify


def _whole_characters(value: Any) -> Any:
    """Half of a surrogate pair, as cut logs hold it, cannot be written as UTF-8."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _whole_values(value: Any) -> Any:
    return json.loads(_whole_characters(json.dumps(value, ensure_ascii=False, default=str)))


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
    arguments: Annotated[dict[str, Any], BeforeValidator(_whole_values)] = {}
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
    """Messages as they are written; native records and `details` stay behind."""
    return [WireMessage.model_validate(_said(message_to_json(m))) for m in messages]


def from_wire(messages: Iterable[WireMessage]) -> tuple[Message, ...]:
    """Messages as they were read, each with an id of its own."""
    return identify([message_from_json(m.model_dump()) for m in messages])


def _said(data: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a message or part without what only the reader and the writer of its format use."""
    inner = {k: [_said(item) for item in data[k]] for k in ("parts", "media") if k in data}
    return {k: v for k, v in data.items() if k not in ("native", "details")} | inner
