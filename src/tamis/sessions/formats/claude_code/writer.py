"""From a session to the lines of a Claude Code log."""

import json
from collections.abc import Iterator
from typing import Any

from tamis._version import __version__
from tamis.messages import Boundary, Message, Part, Session, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.formats.claude_code.lines import MessageLines, SourceFile, SourceLine
from tamis.sessions.native import one_text_or_blocks


def write_lines(session: Session) -> Iterator[str]:
    """The session, one line a chunk.

    Lines of the source keep their order and their fields. Only the link to a parent that is no longer there
    is set to the line before, so that Claude Code can follow the thread. A new message stands behind the one
    that it follows in `Session.messages`.
    """
    writer = _Writer(session)
    return writer.linked(writer.in_order())


class _Writer:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.file = session.native if isinstance(session.native, SourceFile) else SourceFile()
        self.uuids: set[str] = set()
        self.opened = {b.summary_id: b for b in session.boundaries if b.summary_id is not None}

    def in_order(self) -> list[SourceLine]:
        """All lines, in the order of the source, new ones behind what they follow."""
        lines = list(self.file.before)
        first = lines[-1].number if lines else 0
        for chain in (self.session.messages, *self.session.sidechains.values()):
            here = first
            for message in chain:
                if not isinstance(message.native, MessageLines):
                    lines += [SourceLine(here, record, record["uuid"]) for record in self._encode(message)]
                elif message.native.file is self.file:
                    lines += message.native.in_order()
                    here = max(here, message.native.own[-1].number)
                else:  # of another file: whole, in its place here
                    lines += [line._replace(number=here) for line in message.native.in_order()]
        return sorted(lines, key=lambda line: line.number)

    def linked(self, lines: list[SourceLine]) -> Iterator[str]:
        """The lines as text, each with a parent that exists."""
        written: set[str] = set()
        last: dict[bool, str | None] = {False: None, True: None}
        for line in lines:
            written.add(line.uuid)
            if isinstance(line.content, str):
                yield line.content + "\n"
                continue
            record = line.content
            parent, side = record.get("parentUuid"), record.get("isSidechain") is True
            gone = isinstance(parent, str) and parent not in written and parent in self.file.uuids
            if gone or parent == _PREVIOUS:
                record = {**record, "parentUuid": last[side]}
            last[side] = line.uuid or last[side]
            yield json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"

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
        content = one_text_or_blocks(_block(part) for part in message.parts)
        yield {**envelope, "type": "user", "message": {"role": "user", "content": content}}

    def _envelope(self, message: Message) -> dict[str, Any]:
        # An id is told apart from one of the same name in another chain.
        uuid = message.id if message.id not in self.uuids else f"{message.sidechain}/{message.id}"
        self.uuids.add(uuid)
        envelope = {
            "parentUuid": _PREVIOUS,
            "isSidechain": message.sidechain is not None,
            "userType": "external",
            "cwd": message.cwd,
            "sessionId": self.session.id,
            "version": f"tamis {__version__}",
            "uuid": uuid,
            "timestamp": message.timestamp,
            "agentId": message.sidechain,
        }
        return _given(**envelope)

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
        boundary = self.opened.get(message.id) or Boundary(index=0, trigger="manual")
        return {
            **envelope,
            "parentUuid": None,
            "uuid": f"{message.id}-boundary",
            "type": "system",
            "subtype": "compact_boundary",
            "content": "Conversation compacted",
            "compactMetadata": _given(trigger=boundary.trigger, preTokens=boundary.tokens_before),
        }


_PREVIOUS = "\0previous"
"""Stands for the line before until the order of the lines is known; no uuid holds a NUL."""


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
    kind = "base64" if part.data is not None else "url"
    source = {"type": kind} | _given(media_type=part.mime, data=part.data, url=part.url)
    return {"type": "media" if part.kind == "other" else part.kind, "source": source}


def _given(**fields: object) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}
