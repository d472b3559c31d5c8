"""Content blocks into parts: one lenient reader for the shapes that agents write into their logs.

Agents store the blocks of the API that they talk to (Anthropic, OpenAI, Gemini) or near copies of them, under
slightly different names. What is told apart here is only what a block is, not which agent wrote it.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tamis.messages import Media, Part, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.loose import as_dict, as_list, as_text, first, first_text, tool_call
from tamis.sessions.media import MediaKind

_TEXT = {"text", "input_text", "output_text", "summary_text", "markdown", "plain_text"}
_THINKING = {"thinking", "redacted_thinking", "think", "reasoning", "thought"}
_CALL = {"tool_use", "server_tool_use", "mcp_tool_use", "toolCall", "tool_call", "tool-call", "function_call"}
_RESULT = {"tool_result", "toolResult", "tool-result", "web_search_tool_result", "mcp_tool_result"}
_MEDIA_NAMES: dict[MediaKind, str] = {
    "image": "image input_image image_url",
    "document": "document input_file file",
    "audio": "audio input_audio",
    "other": "inlineData fileData media",
}
_MEDIA = {name: kind for kind, names in _MEDIA_NAMES.items() for name in names.split()}


@dataclass(frozen=True, kw_only=True, slots=True)
class Blocks:
    """What a message's content came to: its parts, and the kinds of block that were not understood."""

    parts: tuple[Part, ...]
    unknown: tuple[str, ...] = ()


def read_blocks(content: object) -> Blocks:
    """The parts of a message's content: a string, one block, or a list of either.

    A block of an unknown kind that holds text is read as text; one that does not is named in `unknown`.

    >>> read_blocks([{"type": "text", "text": "hi"}, {"type": "sticker"}])
    Blocks(parts=(Text(text='hi'),), unknown=('sticker',))
    """
    if isinstance(content, str):
        return Blocks(parts=(Text(text=content),))
    parts: list[Part] = []
    unknown: list[str] = []
    for block in [content] if isinstance(content, dict) else as_list(content):
        part = _read_block(block)
        if part is not None:
            parts.append(part)
        elif block:
            unknown.append(_kind(block))
    return Blocks(parts=tuple(parts), unknown=tuple(unknown))


def without_empty_texts(parts: Iterable[Part]) -> list[Part]:
    """The parts but for texts that say nothing."""
    return [part for part in parts if not isinstance(part, Text) or part.text]


def _read_block(block: object) -> Part | None:
    if isinstance(block, str):
        return Text(text=block)
    if not isinstance(block, dict):
        return None
    kind = _kind(block)
    if kind in _TEXT and isinstance(block.get("text"), str):
        return Text(text=block["text"], native=block)
    if kind in _THINKING:
        said = (block[k] for k in ("thinking", "think", "text", "reasoning") if isinstance(block.get(k), str))
        seal = first_text(block, "signature", "thinkingSignature", "data")
        return Thinking(text=next(said, ""), signature=seal, native=block)
    if kind in _CALL:
        return _call(block)
    if kind in _RESULT:
        return _result(block)
    if kind in _MEDIA:
        return _media(block, _MEDIA[kind])
    text = block.get("text")
    text = as_text(text.get("value") if isinstance(text, dict) else text)
    return Text(text=text, native=block) if text else None


def _kind(block: object) -> str:
    if not isinstance(block, dict):
        return type(block).__name__
    kind = block.get("type")
    if isinstance(kind, str):
        return kind
    return "thought" if block.get("thought") else next(iter(block), "empty")


def _call(block: dict[str, Any]) -> ToolCall:
    call_id = first_text(block, "id", "call_id", "toolCallId", "tool_use_id") or ""
    name = first_text(block, "name", "toolName", "tool") or "unknown"
    return tool_call(call_id, name, first(block, "input", "arguments", "args", "parameters"), native=block)


def _result(block: dict[str, Any]) -> ToolResult:
    call_id = first_text(block, "tool_use_id", "toolCallId", "tool_call_id", "call_id") or ""
    name = first_text(block, "name", "toolName", "tool_name")
    failed = first(block, "is_error", "isError")
    output = first(block, "content", "output", "result")
    return tool_result(call_id, output, failed=failed, name=name, native=block)


def _media(block: dict[str, Any], kind: MediaKind) -> Media:
    source = as_dict(block.get("source")) or block
    url = first(source, "url", "image_url", "file_url", "fileUri")
    url = as_dict(url).get("url") if isinstance(url, dict) else url
    return Media(
        kind=kind,
        mime=first_text(source, "media_type", "mimeType", "mime_type"),
        data=first_text(source, "data", "file_data"),
        url=url if isinstance(url, str) else None,
        native=block,
    )


def tool_result(
    call_id: str, content: object, *, failed: object = None, code: object = None, **more: Any
) -> ToolResult:
    """A result whose content has any shape; a flag or a code of another kind tells nothing.

    `more` are fields of the result as they are: `name`, `details`, `native`.
    """
    text, media = result_content(content)
    is_error = failed if isinstance(failed, bool) else None
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    return ToolResult(call_id=call_id, text=text, is_error=is_error, exit_code=exit_code, media=media, **more)


def result_content(content: object) -> tuple[str, tuple[Media, ...]]:
    """The text of a tool's result and the media in it; an object without text becomes its JSON.

    >>> result_content([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])[0].split()
    ['a', 'b']
    """
    if content is None:
        return "", ()
    if isinstance(content, str):
        return content, ()
    if isinstance(content, dict) and "type" not in content:
        return _object_text(content), ()
    texts: list[str] = []
    media: list[Media] = []
    for block in content if isinstance(content, list) else [content]:
        part = _read_block(block)
        if isinstance(part, Media):
            media.append(part)
        elif isinstance(part, Text):
            texts.append(part.text)
        elif block is not None:
            texts.append(json.dumps(block, ensure_ascii=False))
    return "\n".join(texts), tuple(media)


def _object_text(content: dict[str, Any]) -> str:
    streams = [content[k] for k in ("stdout", "stderr") if isinstance(content.get(k), str) and content[k]]
    if streams:
        return "\n".join(streams)
    for key in ("output", "content", "text", "error", "message", "result"):
        if isinstance(content.get(key), str):
            return str(content[key])
    return json.dumps(content, ensure_ascii=False)
