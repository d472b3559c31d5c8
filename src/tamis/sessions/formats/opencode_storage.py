"""OpenCode's own storage: the session, its messages and their parts in a small JSON file each.

`storage/session/PROJECT/ses_1.json` is the session, `storage/message/ses_1/msg_2.json` its messages and
`storage/part/msg_2/prt_3.json` their parts. Older versions had `session/info/ses_1.json`,
`session/message/ses_1` and `session/part/ses_1/msg_2`. Put together they are what `opencode export` writes.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def is_stored(path: Path, info: Any) -> bool:
    """Whether a file is the first of a session in the storage: its messages lie where they belong."""
    named = isinstance(info, dict) and str(info.get("id", "")).startswith("ses_")
    return named and _messages(path).is_dir()


def files_of(path: Path) -> Iterator[Path]:
    """The files of a session's messages and parts, each message before its parts."""
    for message in sorted(_messages(path).glob("*.json")):
        yield message
        yield from sorted(_parts(path, message.stem).glob("*.json"))


def assemble(path: Path, info: Any) -> dict[str, Any]:
    """The session as `opencode export` writes it; a file that is not whole is as good as missing."""
    items = []
    for message in sorted(_messages(path).glob("*.json")):
        parts = [
            value for part in sorted(_parts(path, message.stem).glob("*.json")) if (value := _json(part))
        ]
        if said := _json(message):
            items.append({"info": said, "parts": parts})
    items.sort(key=_created)
    return {"info": info, "messages": items}


def _created(item: dict[str, Any]) -> tuple[float, str]:
    time = item["info"].get("time")
    created = time.get("created") if isinstance(time, dict) else None
    return created if isinstance(created, int | float) else 0.0, str(item["info"].get("id"))


def _messages(path: Path) -> Path:
    if path.parent.name == "info":
        return path.parents[1] / "message" / path.stem
    return path.parents[min(2, len(path.parents) - 1)] / "message" / path.stem


def _parts(path: Path, message: str) -> Path:
    if path.parent.name == "info":
        return path.parents[1] / "part" / path.stem / message
    return path.parents[min(2, len(path.parents) - 1)] / "part" / message


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):  # being written, or not synced
        return {}
    return value if isinstance(value, dict) else {}
