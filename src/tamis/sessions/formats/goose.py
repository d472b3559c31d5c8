"""Goose's session files: JSON lines, a line about the session first, then a message a line.

A message's `content` is a list: `text`, `thinking`, `toolRequest` (the call, which may have failed to parse)
and `toolResponse` (what came of it, as the Model Context Protocol has it). Newer versions keep the same
content in a database.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tamis.messages import Part, Session, ToolResult
from tamis.sessions.blocks import read_blocks, tool_result, without_empty_texts
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.loose import as_dict, as_list, as_text, first_text, iso_time, tool_call

_BOOKKEEPING = {"summarizationRequested", "contextLengthExceeded", "conversationCompacted"}
_BOOKKEEPING |= {"systemNotification", "toolConfirmationRequest", "actionRequired"}
_CALLS = {"toolRequest", "frontendToolRequest"}


class Goose:
    """Goose JSONL: read only."""

    name = "goose"
    title = "Goose JSONL"
    streams = True
    many = False

    def sniff(self, document: Document) -> float:
        """Sure by the header's `working_dir` before messages with `created`, or by its calls."""
        records = document.head_records
        kinds = {as_text(as_dict(b).get("type")) for r in records for b in as_list(r.get("content"))}
        if kinds & (_CALLS | {"toolResponse"}):
            return 0.95
        headed = bool(records) and "working_dir" in records[0] and "role" not in records[0]
        return 0.9 if headed and all("created" in r for r in records[1:]) else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file."""
        builder = SessionBuilder(format=self.name)
        for line, entry in builder.values(document):
            _entry(builder, line, entry)
        yield builder.session(document)


def _entry(builder: SessionBuilder, line: int, entry: dict[str, Any]) -> None:
    role = entry.get("role")
    if role not in ("user", "assistant"):
        builder.id = builder.id or first_text(entry, "id")
        builder.moved(entry.get("working_dir"))
        if not {"working_dir", "description"} & entry.keys():
            builder.miss(line, f"entry of role {role!r}")
        return
    parts: list[Part] = []
    for block in map(as_dict, as_list(entry.get("content"))):
        kind = as_text(block.get("type"))
        if kind in _CALLS:
            asked = as_dict(block.get("toolCall"))
            call = as_dict(asked.get("value"))
            name = as_text(call.get("name")) or "unknown"
            parts.append(tool_call(as_text(block.get("id")), name, call.get("arguments")))
        elif kind == "toolResponse":
            parts.append(_result(block))
        elif kind not in _BOOKKEEPING:
            read = read_blocks([block])
            parts += read.parts
            for unknown in read.unknown:
                builder.miss(line, f"content of type {unknown!r}")
    identity, when = first_text(entry, "id") or "", iso_time(entry.get("created"))
    builder.add(role, without_empty_texts(parts), id=identity, timestamp=when)


def _result(block: dict[str, Any]) -> ToolResult:
    given = as_dict(block.get("toolResult"))
    value = given.get("value")
    inner = as_dict(value)
    failed = given.get("status") == "error" or inner.get("isError") is True if given else None
    result = tool_result(as_text(block.get("id")), inner.get("content", value), failed=failed)
    return replace(result, text=result.text or as_text(given.get("error")))
