"""Writing messages as OpenAI Responses items."""

from collections.abc import Sequence
from typing import Any

from tamis.messages import Media, Message, Part, Text, Thinking, ToolCall, ToolResult, arguments_text
from tamis.sessions.formats.openai_responses.reader import NAME, read_block, read_item, read_run
from tamis.sessions.media import kind_of, left_out, url_of
from tamis.sessions.native import one_text_or_blocks, plain, record_of
from tamis.sessions.turn_layout import Limits, lay_out, tool_name

LIMITS = Limits(format=NAME, title="the OpenAI Responses API")
_PLAIN_CALLS = frozenset({"function_call", "custom_tool_call"})


def laid_out(messages: Sequence[Message], *, strict: bool) -> list[dict[str, Any]]:
    """The items of a conversation, each result behind its calls; strict where half a pair is an error."""
    items: list[dict[str, Any]] = []
    for turn in lay_out(messages, LIMITS, strict=strict, join_calls=True, agree=_agree):
        calls = [call for message in turn.messages for call in message.calls]
        custom = {call.id for call in calls if _kind(call) == "custom_tool_call"}
        for message in turn.messages:
            items += items_of(message)
        items += [_result_item(result, custom=result.call_id in custom) for result in turn.results]
    return items


def is_untouched(message: Message) -> bool:
    """Whether the message was read from items of this API and still says the same."""
    records = record_of(message, NAME)
    if not isinstance(records, list) or not records:
        return False
    reading = read_run(records)
    return (reading.role, reading.parts) == (message.role, message.parts)


def items_of(message: Message) -> list[dict[str, Any]]:
    """The items of one message: those it was read from, or new ones; none where nothing can be said."""
    if is_untouched(message):
        return [plain(record) for record in record_of(message, NAME)]
    if message.role == "assistant":
        return _assistant(message.parts)
    results = [_result_item(result, custom=False) for result in message.results]
    said = [part for part in message.parts if not isinstance(part, ToolResult)]
    content = one_text_or_blocks(_block_of(part, media=message.role != "system") for part in said)
    role = "system" if message.role == "system" else "user"
    return [*results, {"type": "message", "role": role, "content": content}] if content else results


def _assistant(parts: Sequence[Part]) -> list[dict[str, Any]]:
    """The items of a reply that is not as it was read.

    Reasoning goes out as the API sealed it, and only in front of what it led to, as the API demands.
    """
    items: list[dict[str, Any]] = []
    done: list[Any] = []
    for part in parts:
        record = record_of(part, NAME)
        intact = _kind(part) != ""
        if isinstance(part, Text | Media):
            text = part.text if isinstance(part, Text) else "" if part.kind == "other" else left_out(part)
            items += [{"type": "message", "role": "assistant", "content": text}] if text else []
        elif isinstance(part, Thinking):
            items += [plain(record)] if intact else []
        elif intact and record.get("type") not in _PLAIN_CALLS:
            items += [] if any(record is other for other in done) else [plain(record)]
            done.append(record)
        elif isinstance(part, ToolCall):
            items.append(_call_item(part))
        elif isinstance(part, ToolResult):
            items.append(_result_item(part, custom=False))
    while items and items[-1]["type"] == "reasoning":
        items.pop()
    return items


def _kind(part: Part) -> str:
    """The kind of the item that the part was read from and still reads as; empty where there is none."""
    record = record_of(part, NAME)
    return str(record.get("type")) if isinstance(record, dict) and part in read_item(record) else ""


def _agree(call: ToolCall, result: ToolResult) -> bool:
    """Functions and custom tools take any text back; every other kind of call only its own kind of output."""
    if _kind(call) in _PLAIN_CALLS or record_of(call, NAME) is None:
        return True
    return bool(_kind(call) and _kind(result))


def _call_item(call: ToolCall) -> dict[str, Any]:
    """The call, without the item's own id: the API looks for the reasoning that such an id belongs to."""
    record = record_of(call, NAME)
    if _kind(call):
        return {key: value for key, value in plain(record).items() if key != "id"}
    name = tool_name(call.name, LIMITS)
    return {"type": "function_call", "call_id": call.id, "name": name, "arguments": arguments_text(call)}


def _result_item(result: ToolResult, *, custom: bool) -> dict[str, Any]:
    record = record_of(result, NAME)
    if isinstance(record, dict) and read_item(record) == (result,):
        return dict(plain(record))
    output: str | list[dict[str, Any]] = result.text
    if media := [_media_block(medium) for medium in result.media if medium.kind != "other"]:
        output = [*([{"type": "input_text", "text": result.text}] if result.text else []), *media]
    kind = "custom_tool_call_output" if custom else "function_call_output"
    return {"type": kind, "call_id": result.call_id, "output": output}


def _block_of(part: Part, *, media: bool) -> dict[str, Any] | None:
    record = record_of(part, NAME)
    own = isinstance(record, dict) and str(record.get("type")).startswith("input_")
    if own and read_block(record) == part:
        return dict(plain(record))
    if isinstance(part, Text):
        return {"type": "input_text", "text": part.text} if part.text else None
    if not isinstance(part, Media) or part.kind == "other":
        return None
    return _media_block(part) if media else {"type": "input_text", "text": left_out(part)}


def _media_block(medium: Media) -> dict[str, Any]:
    url = url_of(medium)
    if medium.kind == "image" and url is not None:
        return {"type": "input_image", "detail": "auto", "image_url": url}
    if medium.kind == "document" and medium.data is not None and kind_of(medium.mime) == "document":
        return {"type": "input_file", "filename": "document", "file_data": url}
    if medium.kind == "document" and medium.url is not None:
        return {"type": "input_file", "file_url": medium.url}
    return {"type": "input_text", "text": left_out(medium)}
