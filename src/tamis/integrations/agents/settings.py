"""A coding agent's settings with tamis's hooks in them, and without. Text in, text out; nothing is written.

Codex and Gemini CLI keep hooks in JSON of the same shape.
"""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tamis.errors import InputError
from tamis.integrations.agents.known import Agent, program

SERVER = "tamis"
"""What the server of the recall tool is called among an agent's servers."""

_OURS = re.compile(r"\btamis(?:\.cli)? hook [a-z-]+\b")


def with_hooks(agent: Agent, path: Path, text: str | None, archive: Path) -> str:
    """The settings with the hooks in; as they are where the hooks are in.

    Raises:
        InputError: not a JSON object, or its hooks are not as the agent has them.
    """
    data = _settings(path, text)
    if text is not None and any(True for _ in _own_entries(path, data)):
        return text
    kept = ["--archive", str(archive.resolve())]
    command = shlex.join([*program(), "hook", agent.name, *kept])
    entry = {"type": "command", "command": command, "timeout": agent.timeout}
    for event, matcher in agent.events.items():
        group: dict[str, Any] = {} if matcher is None else {"matcher": matcher}
        data.setdefault("hooks", {}).setdefault(event, []).append({**group, "hooks": [entry]})
    if agent.serves:
        start, *rest = program()
        server = {"command": start, "args": [*rest, "mcp", *kept]}
        _servers(path, data.setdefault("mcpServers", {})).setdefault(SERVER, server)
    return _as_text(data, text)


def has_hooks(path: Path, text: str | None) -> bool:
    """Whether tamis's hooks are in; raises InputError where the settings are not as an agent has them."""
    return text is not None and any(True for _ in _own_entries(path, _settings(path, text)))


def without_hooks(path: Path, text: str | None) -> str | None:
    """The settings without what is ours, and without what is then empty; raises InputError as `has_hooks`."""
    if text is None:
        return None
    data = _settings(path, text)
    for groups, group, entry in list(_own_entries(path, data)):
        group["hooks"].remove(entry)
        if not group["hooks"]:
            groups.remove(group)
    data["hooks"] = {event: groups for event, groups in data.get("hooks", {}).items() if groups}
    servers = _servers(path, data.get("mcpServers", {}))
    if "tamis.cli" in str(servers.get(SERVER, "")):
        del servers[SERVER]
    for key in ("hooks", "mcpServers"):
        if not data.get(key, True):
            del data[key]
    return _as_text(data, text)


def _servers(path: Path, servers: object) -> dict[str, Any]:
    if not isinstance(servers, dict):
        raise InputError(f"{path}: its `mcpServers` are not servers by name; correct that")
    return servers


def _own_entries(
    path: Path, data: dict[str, Any]
) -> Iterator[tuple[list[Any], dict[str, Any], dict[str, Any]]]:
    """Each entry of ours with the group that it is in, and the list that the group is in."""
    hooks = data.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(groups, list) for groups in hooks.values()):
        raise InputError(f"{path}: its `hooks` are not lists by event; correct that")
    for groups in hooks.values():
        for group in groups:
            entries = group.get("hooks") if isinstance(group, dict) else None
            for entry in entries if isinstance(entries, list) else ():
                if isinstance(entry, dict) and _OURS.search(str(entry.get("command", ""))):
                    yield groups, group, entry


def _settings(path: Path, text: str | None) -> dict[str, Any]:
    try:
        data = json.loads((text or "{}").removeprefix("\ufeff") or "{}")
    except ValueError as error:
        raise InputError(f"{path} is not JSON ({error}); correct it, or name another with --folder") from None
    if not isinstance(data, dict):
        raise InputError(f"{path} is not a JSON object; correct it, or name another with --folder")
    return data


def _as_text(data: dict[str, Any], before: str | None) -> str:
    """JSON laid out as the file was: its indent, its line ends, its last line."""
    found = re.search(r"^([ \t]+)\"", before or "", re.MULTILINE)
    text = json.dumps(data, ensure_ascii=False, indent=found[1] if found else 2)
    text += "\n" if before is None or before.endswith("\n") else ""
    return text.replace("\n", "\r\n") if "\r\n" in (before or "") else text
