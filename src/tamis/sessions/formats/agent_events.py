"""Other agents' event logs: JSON lines in which each line says what happened, in one of many similar ways.

Cursor, Factory Droid, Grok, Kimi, CodeBuddy, WorkBuddy, Antigravity and home-made logs all write
a line for each message, call and result; they differ in what they call them. This reader goes by what a line
says it is, under any of the usual names, and counts the lines that it could not place. A reader
that knows the agent better goes before it. Some logs wrap an event once more: a plain event says what it is
in `type` and holds its fields beside it; what is only bookkeeping of the program is marked so.
"""

import re
from collections.abc import Iterator
from typing import Any

from tamis.messages import Origin, Part, Role, Session, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.blocks import read_blocks, tool_result, without_empty_texts
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.loose import as_dict, as_list, as_text, first, first_text, iso_time, joined, tool_call

_CALLS = {"tool_call", "tool_use", "function_call", "backend_tool_call"}
_RESULTS = {"tool_result", "function_result", "function_call_result", "function_call_output", "tool_output"}
_OWN_LINES = {"tool_call", "tool_use", "tool_result", "backend_tool_call", "function_result"}
_NAMES: dict[Role, str] = {
    "user": "user human user_message",
    "assistant": "assistant model ai assistant_message completion reasoning",
    "system": "system developer system_message",
    "tool": "tool",
}
_ROLES = {name: role for role, names in _NAMES.items() for name in names.split()}
_TOOL = ("name", "toolName", "functionName", "tool_name")
_CALL_ID = ("toolCallId", "tool_call_id", "call_id", "callId", "tool_use_id")
_HARNESS = re.compile(r"\A\s*<(user_info|environment_context|system[-_]reminder)>.*</\1>\s*\Z", re.DOTALL)


class AgentEvents:
    """Event logs of other agents: read only, leniently."""

    name = "agent-events"
    title = "Agent event log (Cursor, Droid, Kimi, Grok ...)"
    streams = True
    many = False

    def sniff(self, document: Document) -> float:
        """Sure where calls or results stand on lines of their own, which no API's messages do."""
        events = [event for record in document.head_records for event in plain_events(record)]
        own = sum(_kind(event) in _OWN_LINES for event in events)
        said = [event for event in events if _role(event) is not None]
        if not events or (own + len(said)) * 4 < len(events):
            return 0.0
        wrapped = any(isinstance(event.get("message"), dict) for event in said)
        return 0.9 if own else 0.7 if wrapped else 0.3

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file."""
        builder = SessionBuilder(format=self.name)
        for line, value in builder.values(document):
            for event in plain_events(value):
                if not _event(builder, event):
                    builder.miss(line, f"event of type {_kind(event)!r}")
        yield builder.session(document)


def _kind(event: dict[str, Any]) -> str:
    return (first_text(event, "type", "event_type", "kind") or "").replace("-", "_").replace(".", "_")


def _role(event: dict[str, Any]) -> Role | None:
    speakers = (event, as_dict(event.get("message")), as_dict(event.get("author")))
    spoken = next((role for speaker in speakers if (role := first_text(speaker, "role"))), "")
    return _ROLES.get(spoken) or _ROLES.get(_kind(event))


def _event(builder: SessionBuilder, event: dict[str, Any]) -> bool:
    """Whether the event was understood."""
    when = iso_time(first(event, "timestamp", "created_at", "createdAt", "time", "updatedAt"))
    name = as_text(event.get("id"))
    kind, role = _kind(event), _role(event)
    about = _about(builder, event)
    if kind in _CALLS:
        builder.add("assistant", [_call(event)], id=name, timestamp=when, joins=True)
    elif kind in _RESULTS or role == "tool":
        builder.add("tool", [_result(builder, event)], id=name, timestamp=when)
    elif "compact" in kind and "summary" in event:
        before = event.get("tokensBefore")
        builder.compacted(as_text(event["summary"]), id=name, timestamp=when, tokens_before=before)
    elif role is not None and (parts := _said(event, kind)):
        text = joined(part.text for part in parts if isinstance(part, Text))
        harness = role == "user" and _HARNESS.match(text) and all(isinstance(part, Text) for part in parts)
        origin: Origin = "meta" if event.get("synthetic_reason") or harness else "conversation"
        joins = role == "assistant" and builder.is_thinking
        builder.add(role, parts, id=name, origin=origin, timestamp=when, joins=joins)
    else:
        return about or role is not None
    return True


def _about(builder: SessionBuilder, event: dict[str, Any]) -> bool:
    """Note what the event tells about the session; whether it is one that is there to tell it."""
    place = as_dict(event.get("workspace")).get("path")
    builder.moved(first(event, "cwd", "projectRoot") or place)
    builder.id = builder.id or first_text(event, "sessionId", "session_id", "conversation_id")
    model = first_text(event, "model", "model_id") or first_text(as_dict(event.get("metadata")), "model")
    builder.model = model or builder.model
    return bool(first(event, "cwd", "projectRoot") or place or event.get("bookkeeping"))


def _said(event: dict[str, Any], kind: str) -> list[Part]:
    message = event.get("message")
    body = message if isinstance(message, dict) else event
    content = first(body, "content", "text", "finalText", "parts", "summary")
    content = content if content is not None else first(event, "content", "text", "finalText", "message")
    parts = without_empty_texts(read_blocks(content).parts)
    if kind == "reasoning":
        parts = [Thinking(text=joined(part.text for part in parts if isinstance(part, Text)))]
    thought = first_text(event, "thinking", "reasoning_content", "reasoningText")
    calls = [_call(as_dict(call)) for call in as_list(first(body, "tool_calls", "toolCalls", "toolRequests"))]
    return [*([Thinking(text=thought)] if thought else []), *parts, *calls]


def _call(event: dict[str, Any]) -> ToolCall:
    function = as_dict(first(event, "function", "tool"))
    name = first_text(event, "name", "toolName", "functionName") or first_text(function, "name")
    sent = first({**function, **event}, "arguments", "input", "args", "parameters")
    return tool_call(first_text(event, *_CALL_ID, "id") or "", name or "unknown", sent)


def _result(builder: SessionBuilder, event: dict[str, Any]) -> ToolResult:
    message = as_dict(event.get("message"))
    body = {**message, **{key: value for key, value in event.items() if key != "message"}}
    output = first(body, "result", "output", "value", "content", "text")
    call_id = first_text(body, *_CALL_ID)
    if not call_id and any(call.id == event.get("id") for m in builder.messages[-8:] for call in m.calls):
        call_id = as_text(event.get("id"))
    failed, succeeded = first(body, "isError", "is_error"), body.get("success")
    if failed is None and isinstance(succeeded, bool):
        failed = not succeeded
    name, code = first_text(body, *_TOOL), as_dict(output).get("exitCode")
    return tool_result(call_id or "", output, name=name, failed=failed, code=code)


_BOOKKEEPING = {"bookkeeping": True}
_KIMI = ("context.", "turn.", "config.", "llm.", "usage.", "tools.", "permission.", "full_compaction.")
_REQUEST = re.compile(r"\A(?>.*?<USER_REQUEST>)\n?(.*?)\n?</USER_REQUEST>", re.DOTALL)


def plain_events(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The plain events of a line.

    >>> list(plain_events({"type": "USER_INPUT", "step_index": 0, "source": "USER", "content": "hi"}))
    [{'id': 'step-0', 'timestamp': None, 'type': 'user', 'content': 'hi'}]
    """
    kind = as_text(record.get("type"))
    if "step_index" in record and "source" in record:
        yield from _antigravity(record, kind)
    elif kind.startswith(_KIMI):
        yield from _kimi(record, kind)
    else:
        yield record


def _antigravity(record: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    """Antigravity: numbered steps; a step of the model other than its reply is a call's result."""
    common = {"id": f"step-{record.get('step_index')}", "timestamp": record.get("created_at")}
    content = as_text(record.get("content"))
    if kind == "USER_INPUT":
        found = _REQUEST.search(content)
        yield {**common, "type": "user", "content": found[1] if found else content}
    elif kind == "PLANNER_RESPONSE":
        said = {key: record.get(key) for key in ("content", "thinking", "tool_calls")}
        yield {**common, "type": "assistant", **said}
    elif record.get("source") == "MODEL" and content:
        yield {**common, "type": "tool_result", "content": content, "id": None}
    else:
        said = {"type": "user", "content": content, "synthetic_reason": kind}
        yield {**common, "type": kind, **(said if content else _BOOKKEEPING)}


def _kimi(record: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    """Kimi CLI: messages are appended to a context; the steps of a reply come as events of a loop."""
    common = {"time": record.get("time")}
    event = as_dict(record.get("event"))
    part = as_dict(event.get("part"))
    if kind == "context.append_message":
        message = as_dict(record.get("message"))
        synthetic = as_dict(message.get("origin")).get("kind", "user") != "user"
        yield {**common, **message, "type": message.get("role"), "synthetic_reason": synthetic}
    elif kind == "config.update" and record.get("systemPrompt"):
        yield {**common, "type": "system", "content": record["systemPrompt"]}
    elif kind == "context.apply_compaction":
        yield {**common, **record, "type": "compaction", "summary": record.get("summary")}
    elif event.get("type") == "content.part":
        yield {**common, "type": "assistant", "content": [part]}
    elif event.get("type") == "tool.call":
        yield {**common, **event, "type": "tool_call", "cwd": as_dict(event.get("display")).get("cwd")}
    elif event.get("type") == "tool.result":
        yield {**common, **event, "type": "tool_result", "id": None}
    else:
        names = as_list(record.get("names"))
        yield {**common, **_BOOKKEEPING, "type": kind, "tools": names, "model": record.get("model")}
