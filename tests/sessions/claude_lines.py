"""Lines of a Claude Code log for the tests, written by ourselves."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

from tamis.messages import Session
from tamis.sessions import read

_NUMBERS = count(1)


def line(kind: str, **fields: Any) -> dict[str, Any]:
    """A line with the envelope that Claude Code puts around everything."""
    number = next(_NUMBERS)
    envelope = {
        "parentUuid": None,
        "isSidechain": False,
        "cwd": "/repo",
        "sessionId": "s-1",
        "version": "2.1.0",
        "uuid": f"u-{number}",
        "timestamp": f"2026-01-01T00:00:{number % 60:02}.000Z",
    }
    return {**envelope, "type": kind, **fields}


def user(content: Any, **fields: Any) -> dict[str, Any]:
    return line("user", message={"role": "user", "content": content}, **fields)


def reply(*blocks: dict[str, Any], reply_id: str | None = None, **fields: Any) -> dict[str, Any]:
    message = {
        "id": reply_id or f"msg-{next(_NUMBERS)}",
        "role": "assistant",
        "model": "claude-x",
        "content": list(blocks),
    }
    return line("assistant", message=message, **fields)


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def call(call_id: str, name: str = "Bash", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def result(call_id: str, content: Any = "ok", *, record: Any = None, **fields: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content, **fields}
    return user([block], **({} if record is None else {"toolUseResult": record}))


def save(path: Path, lines: list[Any]) -> Path:
    """The lines as a file; a string stands for itself."""
    texts = [item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in lines]
    path.write_text("".join(f"{item}\n" for item in texts), encoding="utf-8")
    return path


def session_of(folder: Path, *lines: Any) -> Session:
    return read(save(folder / "log.jsonl", list(lines)))
