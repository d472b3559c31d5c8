"""Reading OpenAI Responses items into parts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Literal

from tamis.messages import (
    Media,
    Message,
    NativeRecord,
    Origin,
    Part,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from tamis.sessions.loose import as_dict, as_list, as_text, parse_arguments
from tamis.sessions.media import media_at
from tamis.sessions.native import json_text

NAME = "openai-responses"
_ROLES: dict[str, Role] = {"system": "system", "developer": "system", "user": "user"}
_ROLES |= {"assistant": "assistant"}
_COMPACTIONS = frozenset({"compaction", "compaction_summary"})
_OUTPUTS = ("output", "outputs", "results", "result", "error")
"""Where the tools that the provider runs itself put what they gave back."""

Kind = Literal["message", "reasoning", "call", "output", "other"]


def grouped(items: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The items of each message: what the model made in one go together, and results in a row together."""
    for _, run in groupby(enumerate(items), key=lambda place: _side(place[1]) or place[0]):
        yield [item for _, item in run]


def read_run(items: Sequence[Mapping[str, Any]]) -> Message:
    """The message that a run of items of `grouped` makes up."""
    role: Role = _side(items[0]) or "assistant"
    origin: Origin = "conversation"
    if (kind := _kind(items[0])) == "message":
        role = _ROLES[items[0]["role"]]
    elif kind == "other":
        origin = "summary" if as_text(items[0].get("type")) in _COMPACTIONS else "meta"
    shell = (as_dict(item.get("action")).get("working_directory") for item in items)
    return Message(
        id=next((as_text(item.get("id")) for item in items if item.get("id")), ""),
        role=role,
        parts=tuple(part for item in items for part in read_item(item)),
        origin=origin,
        cwd=next((as_text(folder) for folder in shell if folder), None),
        native=NativeRecord(NAME, items),
    )


def read_item(item: Mapping[str, Any]) -> tuple[Part, ...]:
    """The parts of one item. A tool that the provider ran gives a call and its result at once.

    What is not understood becomes one medium that only this format can write.
    """
    native = NativeRecord(NAME, item)
    kind = _kind(item)
    if kind == "message":
        content = item.get("content")
        if isinstance(content, str):
            return (Text(text=content),) if content else ()
        return tuple(read_block(block) for block in as_list(content))
    if kind == "reasoning":
        blocks = [*as_list(item.get("summary")), *as_list(item.get("content"))]
        text = "\n\n".join(as_text(as_dict(block).get("text")) for block in blocks)
        return (Thinking(text=text, native=native),)
    if kind == "output":
        return (_result(item, native),)
    if kind == "call":
        call = _call(item, native)
        return (call,) if item.get("call_id") else (call, _own_result(item, call, native))
    return (Media(kind="other", native=native),)


def is_known(item: Mapping[str, Any]) -> bool:
    """Whether the item is of a kind that this API has."""
    beside = _COMPACTIONS | {"item_reference", "mcp_list_tools"}
    return _kind(item) != "other" or as_text(item.get("type")) in beside


def _kind(item: Mapping[str, Any]) -> Kind:
    """What an item is: a call is a `function_call`, a `custom_tool_call`, a `local_shell_call` ..."""
    kind, has_id = as_text(item.get("type", "message")), bool(item.get("call_id") or item.get("id"))
    if kind == "message" and as_text(item.get("role")) in _ROLES:
        return "message"
    if kind.endswith(("_call", "_call_output")) and has_id:
        return "call" if kind.endswith("_call") else "output"
    return "reasoning" if kind == "reasoning" else "other"


def _side(item: Mapping[str, Any]) -> Literal["assistant", "tool"] | None:
    """Whose item may be one of several in a message; None where it is a message alone."""
    kind = _kind(item)
    if kind == "message":
        return "assistant" if item["role"] == "assistant" else None
    return "tool" if kind == "output" else "assistant" if kind in ("call", "reasoning") else None


def read_block(block: object) -> Part:
    """One block of a message's content or of a result."""
    fields = as_dict(block)
    native = NativeRecord(NAME, block)
    kind = fields.get("type")
    if kind in ("input_text", "output_text", "text", "refusal", "summary_text"):
        return Text(text=as_text(fields.get("text") or fields.get("refusal")), native=native)
    if kind in ("input_image", "input_file", "computer_screenshot"):
        url = as_text(fields.get("image_url") or fields.get("file_data") or fields.get("file_url"))
        medium = media_at(url, "document" if kind == "input_file" else "image")
        return replace(medium, url=medium.url or None, native=native)
    return Media(kind="other", native=native)


def _call(item: Mapping[str, Any], native: NativeRecord) -> ToolCall:
    kind = as_text(item.get("type"))
    # What else the item says, but for its own book-keeping and what came back.
    aside = {"type", "id", "call_id", "status", "name", "caller", *_OUTPUTS}
    arguments: dict[str, Any] = {key: value for key, value in item.items() if key not in aside}
    raw: str | None = None
    if kind == "custom_tool_call":
        arguments, raw = {}, as_text(item.get("input"))
    elif "arguments" in item:
        arguments, raw = parse_arguments(item["arguments"])
    elif isinstance(item.get("action"), dict):
        arguments = item["action"]
    return ToolCall(
        id=as_text(item.get("call_id")) or as_text(item.get("id")),
        name=as_text(item.get("name")) or kind.removesuffix("_call"),
        arguments=arguments,
        raw_arguments=raw,
        native=native,
    )


def _result(item: Mapping[str, Any], native: NativeRecord) -> ToolResult:
    output = item.get("output")
    blocks = [output] if isinstance(output, dict) else as_list(output)
    parts = [read_block(block) for block in blocks]
    texts = [part.text for part in parts if isinstance(part, Text)]
    media = tuple(part for part in parts if isinstance(part, Media) and part.kind != "other")
    if not texts and not media and blocks:
        texts = [json_text(block) for block in blocks]
    return ToolResult(
        call_id=as_text(item.get("call_id")) or as_text(item.get("id")),
        text=output if isinstance(output, str) else "\n".join(texts),
        name=as_text(item.get("name")) or None,
        is_error=True if item.get("status") == "failed" else None,
        media=media,
        native=native,
    )


def _own_result(item: Mapping[str, Any], call: ToolCall, native: NativeRecord) -> ToolResult:
    given = {key: item[key] for key in _OUTPUTS if item.get(key)}
    media: tuple[Media, ...] = ()
    if item.get("type") == "image_generation_call" and isinstance(given.get("result"), str):
        media = (Media(kind="image", mime="image/png", data=given.pop("result")),)
    values = list(given.values())
    text = values[0] if len(values) == 1 and isinstance(values[0], str) else json_text(given) if given else ""
    failed = True if item.get("error") or item.get("status") == "failed" else None
    return ToolResult(call_id=call.id, text=text, is_error=failed, media=media, native=native)
