"""Event logs whose lines wrap an event once more.

A plain event says what it is in `type` and holds its fields beside it. What is only bookkeeping of the
program (a turn began, usage, telemetry) is marked so.
"""

import re
from collections.abc import Iterator
from typing import Any

from tamis.sessions.loose import as_dict, as_list, as_text

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
        synthetic = (
            {"type": "user", "content": content, "synthetic_reason": kind} if content else _BOOKKEEPING
        )
        yield {**common, "type": kind, **synthetic}


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
