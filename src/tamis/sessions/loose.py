"""Taking what is expected out of JSON of unknown shape, without trusting it.

Session files are written by many versions of many programs. A reader asks for what it needs; where the
value is of another kind it gets the empty one of the kind it asked for.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from tamis.messages import ToolCall


def as_dict(value: object) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def content_text(value: object) -> str:
    """The text of a message's content: a string, or a list of blocks of which some hold `text`.

    >>> content_text([{"type": "text", "text": "a"}, {"type": "image"}]), content_text(None)
    ('a', '')
    """
    if isinstance(value, str):
        return value
    blocks = [
        block if isinstance(block, str) else as_text(as_dict(block).get("text")) for block in as_list(value)
    ]
    return "\n".join(block for block in blocks if block)


def file_stem(name: str) -> str:
    """A file's name without the endings that say what kind of file it is.

    >>> file_stem("django__django-11001.traj.json.gz"), file_stem("v1.2-notes.md")
    ('django__django-11001', 'v1.2-notes')
    """
    endings = (".gz", ".xz", ".json", ".jsonl", ".traj", ".md", ".txt")
    while True:
        shorter = next((name.removesuffix(end) for end in endings if name.endswith(end)), name)
        if shorter in (name, ""):
            return name
        name = shorter


def tool_call(call_id: str, name: str, sent: object) -> ToolCall:
    """A call whose arguments came as an object or as JSON text; what is neither is kept as it came.

    >>> tool_call("c1", "bash", '{"command": "ls"}').arguments, tool_call("c2", "bash", "ls").raw_arguments
    ({'command': 'ls'}, 'ls')
    """
    parsed = sent
    if isinstance(sent, str):
        try:
            parsed = json.loads(sent)
        except (ValueError, RecursionError):
            parsed = None
    if isinstance(parsed, dict):
        return ToolCall(id=call_id, name=name, arguments=parsed)
    raw = sent if isinstance(sent, str) else "" if sent is None else json.dumps(sent, default=str)
    return ToolCall(id=call_id, name=name, raw_arguments=raw)


def iso_time(seconds: object) -> str | None:
    """Seconds since 1970 as an ISO 8601 time in UTC, or None where it is no such number.

    >>> iso_time(0.5), iso_time("yesterday")
    ('1970-01-01T00:00:00.500000+00:00', None)
    """
    if not isinstance(seconds, int | float) or isinstance(seconds, bool):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):  # a number, but no time
        return None
