"""Anthropic content blocks into parts and back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tamis.messages import Media, NativeRecord, Part, Role, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.blocks import read_blocks
from tamis.sessions.loose import as_dict, as_list, as_text, content_text
from tamis.sessions.media import left_out
from tamis.sessions.native import json_text, plain, record_of
from tamis.sessions.turn_layout import Limits, tool_name

NAME = "anthropic"
LIMITS = Limits(format=NAME, title="the Anthropic API", longest_name=128)

IMAGE_TYPES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_ANSWERED = "_tool_result"


def read_content(content: object) -> tuple[Part, ...]:
    """The parts of a message's content, a string or a list of blocks."""
    if isinstance(content, str):
        return (Text(text=content),) if content else ()
    return tuple(read_block(block) for block in as_list(content))


def read_block(block: object) -> Part:
    """One block; what is unknown and has no text becomes a medium that only this format can write."""
    fields = as_dict(block)
    native = NativeRecord(NAME, block)
    kind = as_text(fields.get("type"))
    if kind in ("document", "search_result") and (text := _document_text(fields)):
        return Text(text=text, native=native)
    if kind == "compaction" and (summary := as_text(fields.get("content"))):
        return Text(text=summary, native=native)  # the provider's own summary, signed
    if kind.endswith(_ANSWERED):  # what a tool gave back that the provider ran itself
        text = json_text(_without_seals(fields.get("content")))
        return ToolResult(call_id=as_text(fields.get("tool_use_id")), text=text, native=native)
    parts = read_blocks([block]).parts
    return replace(parts[0], native=native) if parts else Media(kind="other", native=native)


def blocks_of(parts: Iterable[Part], *, role: Role) -> list[dict[str, Any]]:
    """The parts as blocks of a message of this role, results first; what cannot be said is left out."""
    blocks = [block for part in parts if (block := _block_of(part, role)) is not None]
    if role != "assistant":
        blocks.sort(key=lambda block: block.get("type") != "tool_result")
    return blocks


def result_block(result: ToolResult) -> dict[str, Any]:
    """A `tool_result` block: the one that was read, where nothing has changed since."""
    if (record := _same_as_read(result)) is not None:
        return record
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": result.call_id}
    media = [_media_block(medium, shown=True) for medium in result.media if medium.kind != "other"]
    if media:
        block["content"] = [*_text_blocks(result.text), *media]
    elif result.text:
        block["content"] = result.text
    if result.is_error is not None:
        block["is_error"] = result.is_error
    return block


def agree(call: ToolCall, result: ToolResult) -> bool:
    """Whether both can go out as they were read: a server's call takes only the server's result."""
    record = record_of(call, NAME)
    if not isinstance(record, dict) or record.get("type") == "tool_use":
        return True
    return _same_as_read(call) is not None and _same_as_read(result) is not None


def _block_of(part: Part, role: Role) -> dict[str, Any] | None:
    if isinstance(part, ToolResult):
        return result_block(part)
    if isinstance(part, Thinking):
        return _sealed(part)
    if (record := _same_as_read(part)) is not None:
        return record
    if isinstance(part, Text):
        return next(iter(_text_blocks(part.text)), None)
    if isinstance(part, Media):
        return None if part.kind == "other" else _media_block(part, shown=role not in ("assistant", "system"))
    given = part.arguments if part.raw_arguments is None else {"input": part.raw_arguments}
    name = tool_name(part.name, LIMITS)
    return {"type": "tool_use", "id": part.id, "name": name, "input": plain(dict(given))}


def _same_as_read(part: Part) -> dict[str, Any] | None:
    record = record_of(part, NAME)
    return dict(plain(record)) if isinstance(record, dict) and read_block(record) == part else None


def _sealed(thinking: Thinking) -> dict[str, Any] | None:
    """The reasoning as this API sealed it, also where another program logged it; None without a seal."""
    record = record_of(thinking, NAME) or thinking.native
    if not isinstance(record, dict):
        return None
    sealed = {"thinking": "signature", "redacted_thinking": "data"}.get(as_text(record.get("type")))
    if sealed is None or not record.get(sealed) or read_block(record) != thinking:
        return None
    return dict(plain(record))


def _text_blocks(text: str) -> list[dict[str, Any]]:
    """None for blank text, which the API refuses."""
    return [{"type": "text", "text": text}] if text.strip() else []


def _media_block(medium: Media, *, shown: bool) -> dict[str, Any]:
    source: dict[str, Any] | None = None
    if medium.data is not None:
        takes = IMAGE_TYPES if medium.kind == "image" else {"application/pdf"}
        if medium.mime in takes:
            source = {"type": "base64", "media_type": medium.mime, "data": medium.data}
    elif medium.url is not None and medium.url.startswith(("http://", "https://")):
        source = {"type": "url", "url": medium.url}
    if shown and source is not None and medium.kind in ("image", "document"):
        return {"type": medium.kind, "source": source}
    return {"type": "text", "text": left_out(medium)}


def _document_text(block: Mapping[str, Any]) -> str:
    """The words of a document given as text: those of a PDF are not known."""
    source = as_dict(block.get("source"))
    said = source.get("content") or block.get("content")
    said = source.get("data") if source.get("type") == "text" else said
    return "\n".join(filter(None, [as_text(block.get("title")), content_text(said)])) if said else ""


def _without_seals(value: Any) -> Any:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_without_seals(item) for item in value]
    if isinstance(value, dict):
        return {k: _without_seals(v) for k, v in value.items() if not k.startswith("encrypted_")}
    return value
