"""Codex CLI rollouts (`~/.codex/sessions/**/rollout-*.jsonl`).

Newer rollouts wrap everything as `{timestamp, type, payload}`; the conversation is the `response_item`
lines. The `event_msg` lines repeat it for the screen and are read only where there are no others.
Older rollouts hold bare items. `compacted` is a boundary with its summary, `turn_context` the working
directory. The items of one reply (reasoning, text, calls) are one message, up to the first output.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tamis.messages import Session, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.blocks import read_blocks, tool_result
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.loose import as_dict, as_list, as_text, first, first_text, iso_time, joined, tool_call

_WRAPPERS = {"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
_ITEMS = {"message", "reasoning", "function_call", "function_call_output", "local_shell_call"}
_CALLS = {"function_call", "custom_tool_call", "tool_call", "tool_search_call", "mcp_tool_call"}
_OUTPUTS = {"function_call_output", "custom_tool_call_output", "tool_result", "tool_search_output"}
_WITHOUT_TEXT = {"ghost_snapshot", "compaction", "context_compaction", "compaction_trigger", "other"}
_BOOKKEEPING = {"world_state", "inter_agent_message", "inter_agent_communication_metadata"}
_META = re.compile(
    r"\A\s*(?:<(?:environment_context|user_instructions|turn_aborted|subagent_notification|collaboration_mode"
    r"|permissions instructions|skill|user_shell_command|INSTRUCTIONS)\b|# AGENTS\.md instructions)"
)
_SUMMARY = "Another language model started to solve this problem and produced a summary"
_CWD = re.compile(r"<cwd>([^<]+)</cwd>|Current working directory: (\S+)")


class Codex:
    """Codex rollout JSONL: read only."""

    name = "codex"
    title = "Codex rollout JSONL"
    streams = True
    many = False

    def sniff(self, document: Document) -> float:
        """Sure by the wrapper, fairly sure by a bare item with an id of OpenAI's kind."""
        return max(map(_likeness, document.head_records), default=0.0)

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file."""
        builder = SessionBuilder(format=self.name)
        screen = SessionBuilder(format=self.name)
        tokens: object = None
        for line, value in builder.values(document):
            payload = as_dict(value.get("payload"))
            if payload.get("type") == "token_count":
                usage = as_dict(as_dict(payload.get("info")).get("last_token_usage"))
                tokens = usage.get("total_tokens") or tokens
            if value.get("type") == "compacted":
                _compacted(builder, payload, iso_time(value.get("timestamp")), tokens)
            elif not _line(builder, screen, value):
                builder.miss(line, f"item of type {first(payload, 'type') or value.get('type')!r}")
        if not any(message.origin == "conversation" for message in builder.messages):
            builder.messages += screen.messages
        yield builder.session(document)


def _likeness(record: dict[str, Any]) -> float:
    kind = as_text(record.get("type"))
    if kind in _WRAPPERS and isinstance(record.get("payload"), dict):
        return 0.95
    if record.get("record_type") == "state" or ("instructions" in record and "git" in record):
        return 0.95
    return 0.6 if kind in ("function_call_output", "local_shell_call") and "call_id" in record else 0.0


def _line(builder: SessionBuilder, screen: SessionBuilder, line: dict[str, Any]) -> bool:
    """Whether the line was understood."""
    kind = as_text(line.get("type"))
    payload = as_dict(line.get("payload"))
    when = iso_time(line.get("timestamp"))
    if kind == "response_item":
        return _item(builder, payload, when)
    if kind == "event_msg":
        _shown(screen, payload, when)
    elif kind in ("session_meta", "turn_context"):
        _context(builder, payload, kind)
    elif kind in _ITEMS | _CALLS | _OUTPUTS:
        return _item(builder, line, when)
    elif not kind and "id" in line:
        _context(builder, line, "session_meta")
    else:
        return kind in _BOOKKEEPING or "record_type" in line
    return True


def _context(builder: SessionBuilder, payload: dict[str, Any], kind: str) -> None:
    builder.moved(payload.get("cwd"))
    builder.model = first_text(payload, "model") or builder.model
    if kind == "session_meta":
        builder.id = builder.id or first_text(payload, "id", "session_id")
        for key in ("cli_version", "git", "parent_thread_id", "agent_nickname", "agent_role"):
            if payload.get(key) and key not in builder.meta:
                builder.meta[key] = payload[key]


def _item(builder: SessionBuilder, item: dict[str, Any], when: str | None) -> bool:
    kind = as_text(item.get("type"))
    name = as_text(item.get("id"))
    if kind == "message":
        return _message(builder, item, when)
    if kind == "agent_message":
        speakers = joined([as_text(item.get("author")), as_text(item.get("recipient"))]).replace("\n", " -> ")
        parts = [part for part in read_blocks(item.get("content")).parts if isinstance(part, Text)]
        builder.add("assistant", parts, id=name, timestamp=when, author=speakers or None)
    elif kind in _OUTPUTS:
        output = read_output(first(item, "output", "result", "tools"))
        result = replace(output, call_id=as_text(item.get("call_id")), name=first_text(item, "name"))
        builder.add("tool", [result], id=name, timestamp=when)
    elif kind == "reasoning":
        written = as_list(item.get("content")) or as_list(item.get("summary"))
        thought = joined(as_text(as_dict(block).get("text")) for block in written)
        thinking = Thinking(text=thought, signature=first_text(item, "encrypted_content"))
        builder.add("assistant", [thinking], id=name, timestamp=when, joins=True)
    elif kind in _CALLS or kind in ("local_shell_call", "web_search_call", "image_generation_call"):
        builder.add("assistant", [_call(item)], id=name, timestamp=when, joins=True)
    else:
        return kind in _WITHOUT_TEXT
    return True


def _message(builder: SessionBuilder, item: dict[str, Any], when: str | None) -> bool:
    role = "system" if item.get("role") == "developer" else item.get("role")
    if role not in ("user", "assistant", "system"):
        return False
    parts = read_blocks(item.get("content")).parts
    text = joined(part.text for part in parts if isinstance(part, Text))
    meta = role == "user" and _META.match(text) is not None
    if meta and (found := _CWD.search(text)):
        builder.moved(found[1] or found[2])
    builder.add(
        role,  # type: ignore[arg-type]
        parts,
        id=as_text(item.get("id")),
        origin="meta" if meta else "conversation",
        timestamp=when,
        joins=role == "assistant",
    )
    return True


def _call(item: dict[str, Any]) -> ToolCall:
    kind = as_text(item.get("type"))
    function = as_dict(item.get("function"))
    name = first_text(item, "name") or first_text(function, "name") or kind.removesuffix("_call")
    sent = first({**function, **item}, "arguments", "input", "action")
    return tool_call(first_text(item, "call_id", "id") or "", name or "unknown", sent)


def _compacted(builder: SessionBuilder, payload: dict[str, Any], when: str | None, tokens: object) -> None:
    """The summary stands beside the new history or in it; often it is sealed, and only the cut is known."""
    summary = as_text(payload.get("message"))
    for item in map(as_dict, as_list(payload.get("replacement_history"))):
        text = joined(part.text for part in read_blocks(item.get("content")).parts if isinstance(part, Text))
        if not summary and item.get("role") == "user" and text.startswith(_SUMMARY):
            summary = text
    builder.compacted(summary, timestamp=when, tokens_before=tokens)


def _shown(screen: SessionBuilder, payload: dict[str, Any], when: str | None) -> None:
    """What the screen showed, for rollouts without items."""
    kind, text = payload.get("type"), first_text(payload, "message", "text")
    if not text:
        return
    if kind == "user_message":
        screen.add("user", text, timestamp=when)
    elif kind == "agent_message":
        screen.add("assistant", text, timestamp=when, joins=True)
    elif kind == "agent_reasoning":
        screen.add("assistant", [Thinking(text=text)], timestamp=when, joins=True)


_HEADER = re.compile(
    r"(?:Chunk ID: (?P<chunk_id>\S+)\n)?"
    r"(?:Exit code: (?P<exit_code>-?\d+)\n)?"
    r"(?:Wall time: (?P<wall_time_seconds>\d+(?:\.\d+)?)(?: seconds)?\n)?"
    r"(?:Process exited with code (?P<exited_with>-?\d+)\n)?"
    r"(?P<running>Process running with session ID (?P<session_id>\S+)\n)?"
    r"(?:Original token count: (?P<original_token_count>\d+)\n)?"
    r"(?:Total output lines: (?P<total_lines>\d+)\n)?"
    r"Output:(?:\n|\Z)(?:Total output lines: (?P<lines>\d+)\n\n?)?"
)
"""The lines that Codex puts above a command's output for the model; one of them at least, in this order."""


def read_output(value: object) -> ToolResult:
    r"""Read an output in any of the shapes that Codex has used; which call it belongs to stands beside it.

    JSON text with `output` and `metadata.exit_code`; text under a header of lines such as `Exit code: 0` and
    `Wall time: 0.1 seconds`; content blocks; an object with `stdout`, `exitCode` or `success`. The header is
    taken off, but for the line that says that the process still runs; `details` has what else it told.

    >>> read_output('{"output": "ok", "metadata": {"exit_code": 0}}').exit_code
    0
    >>> output = read_output("Exit code: 2\nWall time: 0.5 seconds\nOutput:\nno such file")
    >>> output.text, output.exit_code, output.details
    ('no such file', 2, {'wall_time_seconds': 0.5})
    """
    if isinstance(value, str) and value.startswith("{"):
        try:
            parsed = json.loads(value)
        except (ValueError, RecursionError):
            parsed = None
        if isinstance(parsed, dict) and "output" in parsed:
            value = parsed
    fields = as_dict(value)
    metadata, succeeded = as_dict(fields.get("metadata")), fields.get("success")
    failed = not succeeded if isinstance(succeeded, bool) else None
    result = tool_result("", value, failed=failed)
    text, told = _without_header(result.text)
    ended = told.pop("exit_code", None)
    codes = (metadata.get("exit_code"), fields.get("exit_code"), fields.get("exitCode"))
    code = next((c for c in codes if isinstance(c, int) and not isinstance(c, bool)), ended)
    if isinstance(seconds := metadata.get("duration_seconds"), int | float):
        told["wall_time_seconds"] = seconds
    return replace(result, text=text, exit_code=code, details=told or None)


def _without_header(text: str) -> tuple[str, dict[str, Any]]:
    header = _HEADER.match(text)
    if header is None or header[0].startswith("Output:"):
        return text, {}
    told: dict[str, Any] = {name: value for name, value in header.groupdict().items() if value is not None}
    still_running = told.pop("running", "")
    for one, other in (("exited_with", "exit_code"), ("lines", "total_lines")):
        if one in told:
            told[other] = told.pop(one)
    kinds = {"exit_code": int, "original_token_count": int, "total_lines": int, "wall_time_seconds": float}
    told |= {name: kinds[name](value) for name, value in told.items() if name in kinds}
    return still_running + text[header.end() :], told
