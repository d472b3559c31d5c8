"""Coding agents' settings files: tamis's hooks put in, and the file given back byte for byte.

Claude Code, Codex and Gemini CLI keep hooks in JSON of the same shape. Beside the file lies a record of what
it was before (`settings.json.tamis`), and of what was written, so that nothing is restored over somebody's
later change.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from tamis.errors import InputError
from tamis.integrations.agents import Agent
from tamis.sessions import write_atomic

FORMAT = "tamis-install/1"
SERVER = "tamis"
"""What the server of the recall tool is called among an agent's servers."""

_OURS = re.compile(r"\btamis(?:\.cli)? hook [a-z-]+\b")


class Record(BaseModel):
    """What is kept beside the settings: the text before (None: no file), and what was written, digested."""

    model_config = ConfigDict(extra="forbid")

    format: str = FORMAT
    before: str | None
    after_sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """A change to a settings file that was not made yet; `after` is None where the file goes."""

    path: Path
    before: str | None
    after: str | None

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        old, new = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        lines = difflib.unified_diff(old, new, str(self.path), str(self.path))
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def plan_install(agent: Agent, settings: str | Path, archive: str | Path) -> Change | None:
    """The change that puts the hooks in; None where they are in already.

    Raises:
        InputError: the file is not a JSON object, or its hooks are not as the agent has them.
    """
    path = Path(settings).resolve()
    before = _text_of(path)
    data = _settings(path, before)
    if any(True for _ in _own_entries(path, data)):
        return None
    program = [sys.executable, "-m", "tamis.cli"]
    kept = ["--archive", str(Path(archive).resolve())]
    entry = {
        "type": "command",
        "command": shlex.join([*program, "hook", agent.name, *kept]),
        "timeout": agent.timeout,
    }
    for event, matcher in agent.events.items():
        group: dict[str, Any] = {} if matcher is None else {"matcher": matcher}
        data.setdefault("hooks", {}).setdefault(event, []).append({**group, "hooks": [entry]})
    if agent.serves:
        server = {"command": program[0], "args": [*program[1:], "mcp", *kept]}
        _servers(path, data.setdefault("mcpServers", {})).setdefault(SERVER, server)
    return Change(path=path, before=before, after=_as_text(data, before))


def install(change: Change) -> None:
    """Make the change, and keep what it takes to undo it.

    Raises:
        InputError: the file cannot be written, or is no longer what it was when the change was planned.
    """
    assert change.after is not None
    if _text_of(change.path) != change.before:
        raise InputError(f"{change.path} was changed in the meantime; nothing was written, try again")
    try:
        change.path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{change.path.parent} cannot be made ({error.strerror})") from None
    record = Record(before=change.before, after_sha256=_digest(change.after))
    write_atomic(_record_path(change.path), [record.model_dump_json(indent=2), "\n"], force=True)
    try:
        write_atomic(change.path, [change.after], force=True)
    except BaseException:  # the record is of a change that was not made
        _record_path(change.path).unlink(missing_ok=True)
        raise


def plan_uninstall(agent: Agent, settings: str | Path, *, only_ours: bool = False) -> Change:
    """The change that gives the file back as it was; with `only_ours`, the one that takes our entries out.

    Raises:
        InputError: nothing was installed, or the file was changed since.
    """
    path = Path(settings).resolve()
    text = _text_of(path)
    record = _read_record(path)
    if not only_ours and record is not None and text is not None and _digest(text) == record.after_sha256:
        return Change(path=path, before=text, after=record.before)
    data = _settings(path, text)
    if not any(True for _ in _own_entries(path, data)):
        raise InputError(f"{path} has no hook of tamis; `tamis install {agent.name}` puts them in")
    if not only_ours:
        why = "was changed since tamis was installed" if record else "has no record of what it was before"
        raise InputError(
            f"{path} {why}, so it cannot be given back as it was; "
            f"`tamis uninstall {agent.name} --only-ours` takes out tamis's entries and leaves the rest"
        )
    _take_out(path, data)
    return Change(path=path, before=text, after=_as_text(data, text))


def uninstall(change: Change) -> None:
    """Make the change, and forget the record.

    Raises:
        InputError: the file cannot be written, or is no longer what it was when the change was planned.
    """
    if _text_of(change.path) != change.before:
        raise InputError(f"{change.path} was changed in the meantime; nothing was written, try again")
    if change.after is None:
        change.path.unlink()
    else:
        write_atomic(change.path, [change.after], force=True)
    _record_path(change.path).unlink(missing_ok=True)


def _take_out(path: Path, data: dict[str, Any]) -> None:
    """Take out what is ours, and what is then empty."""
    for groups, group, entry in list(_own_entries(path, data)):
        group["hooks"].remove(entry)
        if not group["hooks"]:
            groups.remove(group)
    data["hooks"] = {event: groups for event, groups in data["hooks"].items() if groups}
    servers = _servers(path, data.get("mcpServers", {}))
    if "tamis.cli" in str(servers.get(SERVER, "")):
        del servers[SERVER]
    for key in ("hooks", "mcpServers"):
        if not data.get(key, True):
            del data[key]


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
        raise InputError(
            f"{path} is not JSON ({error}); correct it, or name another with --settings"
        ) from None
    if not isinstance(data, dict):
        raise InputError(f"{path} is not a JSON object; correct it, or name another with --settings")
    return data


def _as_text(data: dict[str, Any], before: str | None) -> str:
    """JSON laid out as the file was: its indent, its line ends, its last line."""
    found = re.search(r"^([ \t]+)\"", before or "", re.MULTILINE)
    text = json.dumps(data, ensure_ascii=False, indent=found[1] if found else 2)
    text += "\n" if before is None or before.endswith("\n") else ""
    return text.replace("\n", "\r\n") if "\r\n" in (before or "") else text


def _text_of(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read ({error}); name another with --settings") from None


def _record_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.tamis")


def _read_record(path: Path) -> Record | None:
    text = _text_of(_record_path(path))
    if text is None:
        return None
    try:
        return Record.model_validate_json(text)
    except ValidationError:
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
