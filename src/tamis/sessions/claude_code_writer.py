"""From a session to the lines of a Claude Code log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tamis._version import __version__
from tamis.messages import Media, Message, Part, Session, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.claude_code_lines import Lines, SourceFile


def write_lines(session: Session) -> Iterator[str]:
    """The session, one line a chunk.

    Lines of the source keep their order and their fields. Only the link to a parent that is no longer there
    is set to the line before, so that Claude Code can follow the thread. A new message stands behind the one
    that it follows in `Session.messages`.
    """
    writer = _Writer(session)
    lines = writer.numbered()
    yield from writer.linked(lines)


class _Writer:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.file = session.native if isinstance(session.native, SourceFile) else SourceFile()
        self.uuids: set[str] = set()
        self.opened = {b.summary_id: b for b in session.boundaries if b.summary_id is not None}

    def numbered(self) -> list[dict[str, Any] | str]:
        """All lines, in the order of the source, new ones behind what they follow."""
        lines: list[tuple[int, dict[str, Any] | str]] = list(self.file.before)
        chains = [self.session.messages, *self.session.sidechains.values()]
        for chain in chains:
            here = self.file.before[-1][0] if self.file.before else 0
            for message in chain:
                native = message.native
                if isinstance(native, Lines) and native.file is self.file:
                    lines += [*native.own, *native.after]
                    here = max(here, native.own[-1][0])
                elif isinstance(native, Lines):  # of another file: keep it whole, in its place here
                    lines += [(here, line) for _, line in sorted([*native.own, *native.after], key=_number)]
                else:
                    lines += [(here, record) for record in self._encode(message)]
        return [line for _, line in sorted(lines, key=_number)]

    def linked(self, lines: list[dict[str, Any] | str]) -> Iterator[str]:
        """The lines as text, each with a parent that exists."""
        written: set[str] = set()
        last: dict[bool, str | None] = {False: None, True: None}
        for line in lines:
            if isinstance(line, str):
                yield line + "\n"
                continue
            parent, side = line.get("parentUuid"), line.get("isSidechain") is True
            gone = isinstance(parent, str) and parent not in written and parent in self.file.uuids
            if gone or parent == _PREVIOUS:
                line = {**line, "parentUuid": last[side]}
            if isinstance(line.get("uuid"), str):
                written.add(line["uuid"])
                last[side] = line["uuid"]
            yield json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"

    def _encode(self, message: Message) -> Iterator[dict[str, Any]]:
        """The lines of a message that has none of its own: it is new, or was changed."""
        envelope = self._envelope(message)
        if message.role == "system":
            yield {**envelope, "type": "system", "subtype": "system_prompt", "content": message.text}
            return
        if message.role == "assistant":
            yield {**envelope, "type": "assistant", "message": self._reply(message)}
            return
        if message.origin == "summary":
            yield self._boundary(message, envelope)
            envelope["isCompactSummary"] = True
        elif message.origin == "meta":
            envelope["isMeta"] = True
        yield {**envelope, "type": "user", "message": {"role": "user", "content": _content(message)}}

    def _envelope(self, message: Message) -> dict[str, Any]:
        envelope: dict[str, Any] = {
            "parentUuid": _PREVIOUS,
            "isSidechain": message.sidechain is not None,
            "userType": "external",
            "cwd": message.cwd,
            "sessionId": self.session.id,
            "version": f"tamis {__version__}",
            "uuid": self._uuid(message),
            "timestamp": message.timestamp,
        }
        if message.sidechain is not None:
            envelope["agentId"] = message.sidechain
        return {key: value for key, value in envelope.items() if value is not None}

    def _uuid(self, message: Message) -> str:
        """The message's id, told apart from one of the same name in another chain."""
        uuid = message.id if message.id not in self.uuids else f"{message.sidechain}/{message.id}"
        self.uuids.add(uuid)
        return uuid

    def _reply(self, message: Message) -> dict[str, Any]:
        return {
            "id": f"msg_{message.id}",
            "type": "message",
            "role": "assistant",
            "model": "<synthetic>" if message.origin == "meta" else self.session.model or "unknown",
            "content": [_block(part) for part in message.parts],
            "stop_reason": None,
            "stop_sequence": None,
        }

    def _boundary(self, message: Message, envelope: dict[str, Any]) -> dict[str, Any]:
        boundary = self.opened.get(message.id)
        trigger = boundary.trigger if boundary else "manual"
        before = boundary.tokens_before if boundary else None
        data = {"trigger": trigger, "preTokens": before}
        return {
            **envelope,
            "parentUuid": None,
            "uuid": f"{message.id}-boundary",
            "type": "system",
            "subtype": "compact_boundary",
            "content": "Conversation compacted",
            "compactMetadata": {key: value for key, value in data.items() if value is not None},
        }


_PREVIOUS = "\0previous"
"""Stands for the line before until the order of the lines is known; no uuid holds a NUL."""


def _number(line: tuple[int, Any]) -> int:
    return line[0]


def _content(message: Message) -> str | list[dict[str, Any]]:
    if len(message.parts) == 1 and isinstance(message.parts[0], Text):
        return message.parts[0].text
    return [_block(part) for part in message.parts]


def _block(part: Part) -> dict[str, Any]:
    """A part as an Anthropic content block, from its fields: a native block may hold text taken out since."""
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    if isinstance(part, Thinking):
        return {"type": "thinking", "thinking": part.text} | _given(signature=part.signature)
    if isinstance(part, ToolCall):
        given = part.arguments if part.raw_arguments is None else part.raw_arguments
        return {"type": "tool_use", "id": part.id, "name": part.name, "input": given}
    if isinstance(part, ToolResult):
        block: dict[str, Any] = {"type": "tool_result", "tool_use_id": part.call_id, "content": part.text}
        if part.media:
            texts = [{"type": "text", "text": part.text}] if part.text else []
            block["content"] = [*texts, *(_block(media) for media in part.media)]
        return block | _given(is_error=part.is_error, name=part.name)
    return _media(part)


def _media(part: Media) -> dict[str, Any]:
    kind = "base64" if part.data is not None else "url"
    source = {"type": kind} | _given(media_type=part.mime, data=part.data, url=part.url)
    return {"type": "media" if part.kind == "other" else part.kind, "source": source}


def _given(**fields: object) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}
