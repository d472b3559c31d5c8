"""Reading one OpenAI chat message into parts."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tamis.messages import Media, NativeRecord, Part, Role, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.loose import as_dict, as_list, as_text, parse_arguments
from tamis.sessions.media import media_at

NAME = "openai-chat"
ROLES: dict[str, Role] = {"system": "system", "developer": "system", "user": "user"}
ROLES |= {"assistant": "assistant", "tool": "tool", "function": "tool"}
_REASONING_KEYS = ("reasoning_content", "reasoning")

IdFor = Callable[[int, str], str]
"""Gives an id to the n-th call or result of a message that has none of its own; told the tool's name."""


def read_parts(record: Mapping[str, Any], id_for: IdFor) -> tuple[Part, ...]:
    """The parts of a chat message: reasoning, content, refusal, calls; of a tool message, its result."""
    role = as_text(record.get("role"))
    if role not in ROLES:
        return (Media(kind="other", native=NativeRecord(NAME, record)),)
    if ROLES[role] == "tool":
        name = as_text(record.get("name")) or None
        call_id = as_text(record.get("tool_call_id")) or id_for(0, name or "")
        parts = _content(record.get("content"))
        text = "\n".join(part.text for part in parts if isinstance(part, Text))
        media = tuple(part for part in parts if isinstance(part, Media))
        native = NativeRecord(NAME, record)
        return (ToolResult(call_id=call_id, text=text, name=name, media=media, native=native),)
    said = _content(record.get("content"))
    if text := as_text(record.get("refusal")):
        said.append(Text(text=text, native=NativeRecord(NAME, {"refusal": text})))
    return (*read_thinking(record), *said, *read_calls(record, id_for))


def _content(content: object) -> list[Part]:
    if isinstance(content, str):
        return [Text(text=content)] if content else []
    return [read_block(block) for block in as_list(content)]


def read_block(block: object) -> Part:
    """One block of a content list; what is unknown becomes a medium that only this format can write."""
    native = NativeRecord(NAME, block)
    fields = as_dict(block)
    kind = fields.get("type")
    if isinstance(block, str):
        return Text(text=block, native=native)
    if kind in ("text", "input_text", "output_text", "refusal"):
        return Text(text=as_text(fields.get("text") or fields.get("refusal")), native=native)
    if kind == "image_url":
        url = fields.get("image_url")
        medium = media_at(as_text(url) or as_text(as_dict(url).get("url")), "image")
        return replace(medium, native=native)
    if kind == "input_audio":
        audio = as_dict(fields.get("input_audio"))
        mime = f"audio/{audio['format']}" if audio.get("format") else None
        return Media(kind="audio", mime=mime, data=as_text(audio.get("data")) or None, native=native)
    if kind == "file":
        medium = media_at(as_text(as_dict(fields.get("file")).get("file_data")), "document")
        return replace(medium, url=medium.url or None, native=native)
    return Media(kind="other", native=native)


def read_thinking(record: Mapping[str, Any]) -> list[Part]:
    """Reasoning beside the content: sealed blocks (as LiteLLM has them), or one string under either name."""
    if blocks := [as_dict(block) for block in as_list(record.get("thinking_blocks"))]:
        own = {k: record[k] for k in ("thinking_blocks", *_REASONING_KEYS) if k in record}
        native = NativeRecord(NAME, own)
        text = "\n".join(as_text(block.get("thinking")) for block in blocks)
        return [Thinking(text=text, signature=as_text(blocks[-1].get("signature")) or None, native=native)]
    for key in _REASONING_KEYS:
        if text := as_text(record.get(key)):
            return [Thinking(text=text, native=NativeRecord(NAME, {key: text}))]
    return []


def read_calls(record: Mapping[str, Any], id_for: IdFor) -> list[Part]:
    """The calls of an assistant message, in `tool_calls` or the older `function_call`."""
    calls: list[Part] = []
    for n, entry in enumerate(map(as_dict, as_list(record.get("tool_calls")))):
        function, custom = as_dict(entry.get("function")), as_dict(entry.get("custom"))
        name = as_text(function.get("name")) or as_text(custom.get("name"))
        call_id = as_text(entry.get("id")) or id_for(n, name)
        sent = custom.get("input") if custom else function.get("arguments")
        calls.append(_call(call_id, name, sent, entry, is_json=not custom))
    if function := as_dict(record.get("function_call")):
        name = as_text(function.get("name"))
        legacy = {"function_call": function}
        calls.append(_call(id_for(len(calls), name), name, function.get("arguments"), legacy, is_json=True))
    return calls


def _call(call_id: str, name: str, sent: object, native: Any, *, is_json: bool) -> ToolCall:
    arguments, raw = parse_arguments(sent) if is_json else ({}, as_text(sent))
    return ToolCall(
        id=call_id, name=name, arguments=arguments, raw_arguments=raw, native=NativeRecord(NAME, native)
    )


class MissingIds:
    """Ids for calls and results that have none: the old `function_call`, and servers that leave them out.

    A result belongs to the oldest open call of the last message that called anything, by name where it has
    one.
    """

    def __init__(self) -> None:
        self._made = 0
        self._open: deque[tuple[str, str]] = deque()

    def id_for(self, record: Mapping[str, Any]) -> IdFor:
        """The ids for the parts of this message, in order."""
        if ROLES.get(as_text(record.get("role"))) == "tool":
            return lambda _, name: self._answered(name)
        self._open.clear()
        return lambda _, name: self._opened(name)

    def _opened(self, name: str) -> str:
        self._made += 1
        self._open.append((f"unnamed_{self._made}", name))
        return self._open[-1][0]

    def _answered(self, name: str) -> str:
        if not self._open:
            return self._opened(name)
        found = next((call for call in self._open if call[1] == name), self._open[0])
        self._open.remove(found)
        return found[0]
