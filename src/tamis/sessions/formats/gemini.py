"""Gemini CLI chats, and Qwen Code's, which is built on it.

Three shapes: one JSON object with `messages` (`~/.gemini/tmp/*/chats/session-*.json`), the same as JSON lines
with a header line first and `$set` lines between, and a saved checkpoint, which is the bare list of the API's
`contents`. A message that is written again under the same id replaces the first. Qwen Code puts the API's
`parts` into lines of its own, linked by `uuid` and `parentUuid`.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from tamis.messages import Origin, Part, Session, Thinking, ToolResult
from tamis.sessions.blocks import read_blocks, result_content, tool_result, without_empty_texts
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document, Record
from tamis.sessions.loose import as_dict, as_list, as_text, first, first_text, iso_time, joined, tool_call

_NOTICES = {"info", "error", "warning", "debug"}
_HEADER_KEYS = {"$set", "$rewindTo", "sessionId", "projectHash"}


class Gemini:
    """Gemini CLI JSON and JSONL, Qwen Code JSONL: read only."""

    name = "gemini"
    title = "Gemini CLI JSON"
    streams = False
    many = False

    def sniff(self, document: Document) -> float:
        """Sure by the project's hash beside a session id, or by the API's `parts`."""
        if document.kind == "json":
            head = document.head[:4000]
            if '"messages"' in head and ('"projectHash"' in head or '"type": "gemini"' in head):
                return 0.95
            return 0.8 if '"role"' in head and '"parts"' in head else 0.0
        return max(map(_likeness, document.head_records), default=0.0)

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file."""
        builder = SessionBuilder(format=self.name)
        records = list(document.records() if document.kind == "jsonl" else _json_records(document.data))
        last = {as_text(r.value.get("id")): i for i, r in enumerate(records) if r.value is not None}
        for i, record in enumerate(records):
            if record.reason:
                builder.miss(record.line, record.reason)
            name = as_text(record.value.get("id")) if record.value else ""
            rewritten = name and last[name] != i
            if record.value is not None and not rewritten and not _entry(builder, record.value):
                builder.miss(record.line, f"message of type {record.value.get('type')!r}")
        yield builder.session(document)


def _likeness(record: dict[str, Any]) -> float:
    if "projectHash" in record and "sessionId" in record:
        return 0.95
    if record.get("type") == "gemini" or as_list(as_dict(record.get("message")).get("parts")):
        return 0.97
    known = record.get("type") == "system" and "systemPayload" in record
    return 0.96 if known or as_list(record.get("parts")) else 0.0


def _json_records(data: Any) -> Iterator[Record]:
    """The header and the messages of a JSON chat, as if they were lines."""
    items = as_list(data)
    if isinstance(data, dict):
        items = as_list(first(data, "messages", "history", "contents"))
        yield Record(1, {key: value for key, value in data.items() if value is not items}, "")
    for i, item in enumerate(items, 1):
        value = item if isinstance(item, dict) else None
        yield Record(i, value, "", "" if value else "a message that is no object")


def _entry(builder: SessionBuilder, entry: dict[str, Any]) -> bool:
    """Whether the entry was understood."""
    when = iso_time(entry.get("timestamp"))
    kind = first_text(entry, "type", "role")
    name = first_text(entry, "id", "uuid") or ""
    builder.id = builder.id or first_text(entry, "sessionId")
    builder.model = first_text(entry, "model") or builder.model
    builder.moved(entry.get("cwd"))
    if kind in ("gemini", "assistant", "model"):
        _reply(builder, entry, name, when)
    elif kind in ("user", "tool_result", "function"):
        synthetic = kind == "user" and entry.get("subtype") in ("notification", "cron")
        origin: Origin = "meta" if synthetic else "conversation"
        builder.add("user", _parts(entry), id=name, origin=origin, timestamp=when)
    elif kind == "system" and entry.get("subtype") == "chat_compression":
        info = as_dict(as_dict(entry.get("systemPayload")).get("info"))
        builder.compacted("", timestamp=when, tokens_before=info.get("originalTokenCount"))
    else:
        is_header = kind is None and bool(_HEADER_KEYS & entry.keys())
        return kind in _NOTICES or kind == "system" or is_header
    return True


def _reply(builder: SessionBuilder, entry: dict[str, Any], name: str, when: str | None) -> None:
    """A reply with its calls; the results, which stand inside the calls, as a message of their own."""
    thoughts = [
        Thinking(text=joined([as_text(thought.get("subject")), as_text(thought.get("description"))]))
        for thought in map(as_dict, as_list(entry.get("thoughts")))
    ]
    calls: list[Part] = []
    results: list[Part] = []
    for i, call in enumerate(map(as_dict, as_list(entry.get("toolCalls"))), 1):
        identity = as_text(call.get("id")) or f"{name}-{i}"
        tool = as_text(call.get("name")) or "unknown"
        calls.append(tool_call(identity, tool, first(call, "args", "arguments"), native=call))
        if "result" in call or "resultDisplay" in call:
            results.append(_call_result(call, identity, tool))
    said = without_empty_texts(_parts(entry))
    builder.add("assistant", [*thoughts, *said, *calls], id=name, timestamp=when)
    builder.add("tool", results, timestamp=when)


def _call_result(call: dict[str, Any], identity: str, tool: str) -> ToolResult:
    answers = [p for p in _api_parts(as_list(call.get("result"))) if isinstance(p, ToolResult)]
    text = "\n".join(p.text for p in answers)
    if not answers:
        text, _ = result_content(first(call, "result", "resultDisplay"))
    failed = {"success": False, "error": True}.get(as_text(call.get("status")))
    media = tuple(media for p in answers for media in p.media)
    return ToolResult(call_id=identity, text=text, name=tool, is_error=failed, media=media)


def _parts(entry: dict[str, Any]) -> list[Part]:
    message = as_dict(entry.get("message")) or entry
    parts = first(message, "parts", "content")
    return _api_parts(parts) if isinstance(parts, list) else list(read_blocks(parts).parts)


def _api_parts(parts: Iterable[object]) -> list[Part]:
    read: list[Part] = []
    for part in parts:
        fields = as_dict(part)
        call, answer = as_dict(fields.get("functionCall")), as_dict(fields.get("functionResponse"))
        if call:
            tool = first_text(call, "name") or "unknown"
            read.append(tool_call(as_text(call.get("id")), tool, call.get("args")))
        elif answer:
            said = answer.get("response")
            failed = True if "error" in as_dict(said) else None
            name = first_text(answer, "name")
            read.append(tool_result(as_text(answer.get("id")), said, name=name, failed=failed))
        elif fields.get("thought") and as_text(fields.get("text")):
            read.append(Thinking(text=fields["text"], signature=first_text(fields, "thoughtSignature")))
        elif "inlineData" in fields or "fileData" in fields:
            data = as_dict(first(fields, "inlineData", "fileData"))
            read += read_blocks([{"type": "inlineData", "source": data}]).parts
        else:
            read += read_blocks([part]).parts
    return read
