"""Writing messages as OpenAI chat messages."""

import re
from collections.abc import Sequence
from typing import Any

from tamis.messages import Media, Message, Part, Text, Thinking, ToolCall, ToolResult, arguments_text
from tamis.sessions.formats.openai_chat.reader import (
    NAME,
    ROLES,
    read_block,
    read_calls,
    read_parts,
    read_thinking,
)
from tamis.sessions.loose import as_text
from tamis.sessions.media import kind_of, left_out, url_of
from tamis.sessions.native import one_text_or_blocks, plain, record_of
from tamis.sessions.turn_layout import Limits, lay_out, tool_name

_NAME = re.compile(r"[^\s<|\\/>]{1,64}")
"""What the API takes for the name of a participant."""

LIMITS = Limits(format=NAME, title="the OpenAI chat API", longest_id=40)


def laid_out(messages: Sequence[Message], *, strict: bool) -> list[dict[str, Any]]:
    """The items of a conversation, each result behind its calls; strict where half a pair is an error."""
    items: list[dict[str, Any]] = []
    for turn in lay_out(messages, LIMITS, strict=strict):
        for message in turn.messages:
            items += items_of(message)
        items += [_result(result) for result in turn.results]
    return items


def items_of(message: Message) -> list[dict[str, Any]]:
    """The items of one message: the one it was read from, or new ones; none where nothing can be said."""
    if is_untouched(message):
        return [plain(record_of(message, NAME))]
    results = [_result(result) for result in message.results]
    name = {"name": message.author} if _NAME.fullmatch(message.author or "") else {}
    said = [part for part in message.parts if not isinstance(part, ToolResult)]
    if message.role == "assistant":
        return [*({**item, **name} for item in _assistant(said)), *results]
    content = one_text_or_blocks(_block_of(part, media=message.role != "system") for part in said)
    role = "system" if message.role == "system" else "user"
    return [*results, {"role": role, "content": content, **name}] if content else results


def is_untouched(message: Message) -> bool:
    """Whether the message was read from a chat message and still says the same."""
    record = record_of(message, NAME)
    if not isinstance(record, dict):
        return False
    ids = [call.id for call in message.calls] or [result.call_id for result in message.results]
    read = read_parts(record, lambda n, _: ids[n] if n < len(ids) else "")
    return read == message.parts and ROLES.get(as_text(record.get("role")), "user") == message.role


def _assistant(parts: Sequence[Part]) -> list[dict[str, Any]]:
    message: dict[str, Any] = {"role": "assistant"}
    said: list[Part] = []
    calls: list[dict[str, Any]] = []
    for part in parts:
        record = record_of(part, NAME)
        if isinstance(part, ToolCall):
            calls.append(_call_item(part))
        elif isinstance(part, Thinking):
            if isinstance(record, dict) and read_thinking(record) == [part]:
                message.update(plain(record))
        elif isinstance(part, Text) and isinstance(record, dict) and record == {"refusal": part.text}:
            message.update(record)
        else:
            said.append(part)
    content = one_text_or_blocks(_block_of(part, media=False) for part in said)
    if not content and not calls and "refusal" not in message:
        return []
    message["content"] = content or None
    if len(calls) == 1 and "function_call" in calls[0]:
        message.update(calls[0])
    elif calls:
        message["tool_calls"] = calls
    return [message]


def _call_item(call: ToolCall) -> dict[str, Any]:
    record = record_of(call, NAME)
    if isinstance(record, dict):
        asked = record if "function_call" in record else {"tool_calls": [record]}
        if read_calls(asked, lambda *_: call.id) == [call]:
            return dict(plain(record))
    function = {"name": tool_name(call.name, LIMITS), "arguments": arguments_text(call)}
    return {"id": call.id, "type": "function", "function": function}


def _result(result: ToolResult) -> dict[str, Any]:
    record = record_of(result, NAME)
    if isinstance(record, dict) and read_parts(record, lambda *_: result.call_id) == (result,):
        return dict(plain(record))
    notes = [left_out(medium) for medium in result.media if medium.kind != "other"]
    content = "\n".join([result.text, *notes])
    if isinstance(record, dict):  # shortened since it was read: the ways of naming its call stay
        return {**{k: record[k] for k in ("role", "tool_call_id", "name") if k in record}, "content": content}
    return {"role": "tool", "tool_call_id": result.call_id, "content": content}


def _block_of(part: Part, *, media: bool) -> dict[str, Any] | None:
    record = record_of(part, NAME)
    if isinstance(record, dict) and "type" in record and read_block(record) == part:
        return dict(plain(record))
    if isinstance(part, Text):
        return {"type": "text", "text": part.text} if part.text else None
    if not isinstance(part, Media) or part.kind == "other":
        return None
    return (_media_block(part) if media else None) or {"type": "text", "text": left_out(part)}


def _media_block(medium: Media) -> dict[str, Any] | None:
    url = url_of(medium)
    if medium.kind == "image" and url is not None:
        return {"type": "image_url", "image_url": {"url": url}}
    if medium.kind == "audio" and medium.data is not None and medium.mime in ("audio/wav", "audio/mp3"):
        sound = {"data": medium.data, "format": medium.mime.removeprefix("audio/")}
        return {"type": "input_audio", "input_audio": sound}
    if medium.kind == "document" and medium.data is not None and kind_of(medium.mime) == "document":
        return {"type": "file", "file": {"filename": "document", "file_data": url}}
    return None
