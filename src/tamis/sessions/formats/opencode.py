"""OpenCode's exports (`opencode export SESSION`): one JSON object with `info` and `messages`.

The first file of a session in OpenCode's own storage is read with those that belong to it:
`storage/session/PROJECT/ses_1.json` is the session, `storage/message/ses_1/msg_2.json` its messages and
`storage/part/msg_2/prt_3.json` their parts. Older versions had `session/info/ses_1.json`,
`session/message/ses_1` and `session/part/ses_1/msg_2`.

A message is an `info` (who, when, which agent) and its `parts`. A tool's call and its result are one part.
Where OpenCode compacted the session, a user message holds a `compaction` part and the reply to it, marked
`summary`, is the summary. Text marked `synthetic` was put there by OpenCode: a mentioned file's content, or
the word to go on. A sub-agent (`task`) has a session of its own, which names its `parentID`.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tamis.messages import Media, Part, Session, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.blocks import tool_result
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.loose import as_dict, as_list, as_text, first, first_text, iso_time, joined, tool_call
from tamis.sessions.media import kind_of

_SIGNS = {"projectID", "directory", "slug", "version"}
_MODES = {"plan", "build"}
"""One assistant, who may or may not change files."""
_NO_CONTENT = {"step-start", "step-finish", "snapshot", "patch", "agent", "retry", "compaction"}
_TOLD = ("title", "version", "slug", "parentID", "summary", "time")
_DETAILS = ("exit", "truncated", "sessionId", "count", "matches")
"""What is kept of a result's metadata; the files before and after an edit stay in the export."""


class OpenCode:
    """OpenCode exports: read only."""

    name = "opencode"
    title = "OpenCode export"
    streams = False
    many = False

    def sniff(self, document: Document) -> float:
        """Sure by what stands about the session, which comes before its messages."""
        value = as_dict(document.head_value)
        info = as_dict(value.get("info"))
        named = as_text(info.get("id")).startswith("ses_") or len(_SIGNS & info.keys()) >= 2
        if named or is_stored(document.path, value):
            return 0.95
        messages = (as_dict(as_dict(item).get("info")) for item in as_list(value.get("messages")))
        return 0.9 if any("sessionID" in message for message in messages) else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file."""
        data = as_dict(document.data)
        if "messages" not in data and is_stored(document.path, data):
            data = assemble(document.path, data)
        info, items = as_dict(data.get("info")), as_list(data.get("messages"))
        agents = {agent for item in items if (agent := _agent(item))}
        reading = _Reading(agents - _MODES if len(agents) > 1 else set())
        reading.builder.id = first_text(info, "id")
        reading.builder.moved(info.get("directory"))
        reading.builder.meta |= {key: info[key] for key in _TOLD if info.get(key)}
        for number, item in enumerate(items, 1):
            reading.message(number, as_dict(item))
        yield reading.builder.session(document)


def _agent(item: object) -> str | None:
    info = as_dict(as_dict(item).get("info"))
    return first_text(info, "agent", "mode") if info.get("role") == "assistant" else None


class _Reading:
    """Collects the messages. `agents` are the speakers to be told apart, where there are several."""

    def __init__(self, agents: set[str]) -> None:
        self.builder = SessionBuilder(format=OpenCode.name)
        self._agents = agents
        self._compaction: str | None = None

    def message(self, number: int, item: Mapping[str, Any]) -> None:
        info = as_dict(item.get("info"))
        parts = [as_dict(part) for part in as_list(item.get("parts"))]
        model = as_dict(info.get("model"))
        self.builder.model = first_text(info, "modelID") or first_text(model, "modelID") or self.builder.model
        self.builder.moved(as_dict(info.get("path")).get("cwd"))
        for kind in (as_text(part.get("type")) for part in parts):
            if kind not in _NO_CONTENT | {"text", "reasoning", "tool", "file", "subtask"}:
                self.builder.miss(number, f"part of type {kind!r}")
        if info.get("role") == "user":
            self._asked(info, parts)
        elif info.get("role") == "assistant":
            self._replied(number, info, parts)
        else:
            self.builder.miss(number, f"message of role {info.get('role')!r}")

    def _asked(self, info: dict[str, Any], parts: list[dict[str, Any]]) -> None:
        name, when = as_text(info.get("id")), _time(info)
        typed: list[Part] = []
        added: list[Part] = []
        for part in parts:
            if part.get("type") == "compaction":
                self._compaction = "auto" if part.get("auto") else "manual"
            (added if part.get("synthetic") else typed).extend(_said(part))
        self.builder.add("user", typed, id=name, timestamp=when)
        name = f"{name}-added" if typed and name else name
        self.builder.add("user", added, id=name, origin="meta", timestamp=when)

    def _replied(self, number: int, info: dict[str, Any], parts: list[dict[str, Any]]) -> None:
        name, when = as_text(info.get("id")), _time(info)
        failed = as_dict(info.get("error"))
        if info.get("summary") is True:
            text = joined(as_text(part.get("text")) for part in parts if part.get("type") == "text")
            if text and not failed:
                trigger, self._compaction = self._compaction, None
                self.builder.compacted(text, id=name, timestamp=when, trigger=trigger)
            else:
                self.builder.miss(number, "a compaction that was not finished")
            return
        agent = _agent({"info": info})
        author = agent if agent in self._agents else None
        said: list[Part] = []
        answered: list[Part] = []
        for part in parts:
            if answered and part.get("type") in ("text", "reasoning", "step-start"):
                self._add(said, answered, name=name, when=when, author=author)
                said, answered = [], []
            if part.get("type") == "tool":
                call, result = _tool(part)
                said.append(call)
                answered += [result] if result else []
            else:
                said += _said(part)
        self._add(said, answered, name=name, when=when, author=author)
        said_why = first_text(as_dict(failed.get("data")), "message") or first_text(failed, "message")
        why = joined([as_text(failed.get("name")), said_why or ""])
        self.builder.add("user", why, origin="meta", timestamp=when)

    def _add(
        self, said: list[Part], answered: list[Part], *, name: str, when: str | None, author: str | None
    ) -> None:
        """A step of a reply: what was said and called, and behind it what the tools gave back."""
        self.builder.add("assistant", said, id=name, timestamp=when, author=author)
        self.builder.add("tool", answered, id=f"{name}-results" if name else "", timestamp=when)


def _said(part: dict[str, Any]) -> list[Part]:
    kind, text = part.get("type"), as_text(part.get("text"))
    if kind == "text":
        return [Text(text=text)] if text else []
    if kind == "reasoning":
        sent = map(as_dict, as_dict(part.get("metadata")).values())
        seals = (first_text(record, "signature", "reasoningEncryptedContent") for record in sent)
        seal = next(filter(None, seals), None)
        return [Thinking(text=text, signature=seal)] if text or seal else []
    if kind == "file":
        mime, url = first_text(part, "mime"), first_text(part, "url")
        if url is not None and url.startswith("data:"):
            return [Media(kind=kind_of(mime), mime=mime, data=url.partition(",")[2])]
        return [Media(kind=kind_of(mime), mime=mime, url=url)]
    if kind == "subtask":
        return [Text(text=joined([as_text(part.get("description")), as_text(part.get("prompt"))]))]
    return []


def _tool(part: dict[str, Any]) -> tuple[ToolCall, ToolResult | None]:
    """A call, and what came of it; nothing where it was still running when the session was saved."""
    state = as_dict(part.get("state"))
    name, call_id = first_text(part, "tool") or "unknown", as_text(part.get("callID"))
    call = tool_call(call_id, name, first(state, "input", "raw"))
    status, known = state.get("status"), as_dict(state.get("metadata"))
    if status not in ("completed", "error"):
        return call, None
    output = as_text(first(state, "output", "error"))
    result = tool_result(call_id, output, name=name, failed=status == "error", code=known.get("exit"))
    attached = (said for file in as_list(state.get("attachments")) for said in _said(as_dict(file)))
    media = tuple(said for said in attached if isinstance(said, Media))
    details = {key: known[key] for key in _DETAILS if key in known} or None
    return call, replace(result, media=media, details=details)


def _time(info: dict[str, Any]) -> str | None:
    return iso_time(as_dict(info.get("time")).get("created"))


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

    def created(item: dict[str, Any]) -> tuple[float, str]:
        when = as_dict(item["info"].get("time")).get("created")
        return when if isinstance(when, int | float) else 0.0, str(item["info"].get("id"))

    items = []
    for message in sorted(_messages(path).glob("*.json")):
        parts = filter(None, map(_json, sorted(_parts(path, message.stem).glob("*.json"))))
        if said := _json(message):
            items.append({"info": said, "parts": list(parts)})
    return {"info": info, "messages": sorted(items, key=created)}


def _messages(path: Path) -> Path:
    return _storage(path) / "message" / path.stem


def _parts(path: Path, message: str) -> Path:
    older = path.parent.name == "info"
    return _storage(path) / "part" / (f"{path.stem}/{message}" if older else message)


def _storage(path: Path) -> Path:
    older = path.parent.name == "info"
    return path.parents[1 if older else min(2, len(path.parents) - 1)]


def _json(path: Path) -> dict[str, Any]:
    try:
        return as_dict(json.loads(path.read_bytes()))
    except (OSError, ValueError):  # being written, or not synced
        return {}
