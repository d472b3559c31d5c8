"""From the lines of a Claude Code log to a session."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from tamis.messages import (
    Boundary,
    Message,
    Origin,
    Part,
    Role,
    Session,
    Text,
    ToolCall,
    ToolResult,
    Unread,
    identify,
)
from tamis.sessions.blocks import read_blocks
from tamis.sessions.builder import name_calls
from tamis.sessions.document import Record
from tamis.sessions.formats.claude_code.lines import (
    NOT_CONVERSATION,
    MessageLines,
    SkippedLine,
    SourceFile,
    is_harness_text,
)
from tamis.sessions.formats.claude_code.outcome import with_outcome
from tamis.sessions.formats.claude_code.queue import InputQueue
from tamis.sessions.loose import as_dict, as_text


def read_records(records: Iterable[Record], *, name: str, source: str) -> Session:
    """The session in the records; `name` is its id where the records hold none."""
    reader = _Reader()
    for record in records:
        reader.take(record)
    return reader.session(name=name, source=source)


@dataclass(slots=True)
class _Draft:
    """A message while its lines come in."""

    id: str
    role: Role
    origin: Origin
    parts: list[Part]
    lines: MessageLines
    reply: str | None = None
    timestamp: str | None = None
    sidechain: str | None = None
    cwd: str | None = None

    def finish(self) -> Message:
        return Message(
            id=self.id,
            role=self.role,
            parts=tuple(self.parts),
            origin=self.origin,
            timestamp=self.timestamp,
            sidechain=self.sidechain,
            cwd=self.cwd,
            native=self.lines,
        )


@dataclass(slots=True)
class _Chain:
    """The main conversation, or one sub-agent's run. `reply` is the assistant message still being logged."""

    drafts: list[_Draft] = field(default_factory=list)
    reply: _Draft | None = None


class _Reader:
    def __init__(self) -> None:
        self.file = SourceFile()
        self.main = _Chain()
        self.sides: dict[str, _Chain] = {}
        self.last: _Draft | None = None
        self.number = 0
        self.unread: list[Unread] = []
        self.boundaries: list[Boundary] = []
        self.meta: dict[str, Any] = {}
        self.branches: list[str] = []
        self.session_id: str | None = None
        self.model: str | None = None
        self.prompted: set[str] = set()
        self.side_of: dict[str, str] = {}
        self.typed_ahead = InputQueue()
        self.handed_over: list[_Draft] = []
        self.delivered: set[str] = set()

    def take(self, record: Record) -> None:
        """One line."""
        self.number += 1
        if record.reason:
            self.unread.append(Unread(line=record.line, reason=record.reason))
        value = record.value
        if value is None:
            self._pass_on(record.raw, "")
            return
        uuid = as_text(value.get("uuid"))
        if uuid and uuid in self.file.uuids:
            return
        understood = len(self.unread)
        if not self._read(value, record.line):
            self._pass_on(record.raw or json.dumps(value, ensure_ascii=False), uuid)
        if uuid and len(self.unread) == understood:
            self.file.uuids.add(uuid)

    def _read(self, value: dict[str, Any], line: int) -> bool:
        """Whether the line became (part of) a message; one that did not is kept with the message before."""
        kind = as_text(value.get("type"))
        if kind in ("user", "assistant") and isinstance(value.get("message"), dict):
            return self._message(value, value, line)
        if kind == "progress":
            return self._progress(value, line)
        if kind == "system":
            return self._system(value)
        if kind == "queue-operation":
            return self._queue(value)
        if kind == "attachment":
            return self._attachment(value)
        if kind in ("tool_use", "tool_result"):  # very old logs
            role: Role = "assistant" if kind == "tool_use" else "tool"
            self._add(self.main, self._draft(value, value, role, list(read_blocks([value]).parts)))
            return True
        self._note(value, line)
        return False

    def _message(self, value: dict[str, Any], envelope: dict[str, Any], line: int) -> bool:
        """A user or assistant line. `envelope` is the line it stands on: itself, or a progress line."""
        message = as_dict(value["message"])
        blocks = read_blocks(message.get("content"))
        self.unread += [Unread(line=line, reason=f"content block of type {k!r}") for k in blocks.unknown]
        parts = [with_outcome(part, value, alone=len(blocks.parts) == 1) for part in blocks.parts]
        sidechain = self._sidechain(value, envelope)
        chain = self.main if sidechain is None else self.sides.setdefault(sidechain, _Chain())
        if value["type"] == "assistant":
            self._reply(chain, value, envelope, parts, sidechain)
        else:
            role: Role = "tool" if parts and all(isinstance(p, ToolResult) for p in parts) else "user"
            draft = self._draft(value, envelope, role, parts, sidechain)
            if role == "user":
                draft.origin = _user_origin(value, parts)
                self._note_branch(draft, value, chain)
            self._add(chain, draft)
            if draft.origin == "summary" and sidechain is None:
                self._note_summary(draft)
        if sidechain is None:
            self.session_id = as_text(envelope.get("sessionId")) or self.session_id
        return True

    def _reply(
        self,
        chain: _Chain,
        value: dict[str, Any],
        envelope: dict[str, Any],
        parts: list[Part],
        sidechain: str | None,
    ) -> None:
        message = value["message"]
        reply = as_text(message.get("id")) or None
        model = as_text(message.get("model"))
        if chain.reply is not None and reply is not None and chain.reply.reply == reply:
            calls = {part.id for part in chain.reply.parts if isinstance(part, ToolCall)}
            chain.reply.parts += [p for p in parts if not (isinstance(p, ToolCall) and p.id in calls)]
            chain.reply.lines.own.append((self.number, envelope))
            self.last = chain.reply
            return
        draft = self._draft(value, envelope, "assistant", parts, sidechain)
        draft.reply = reply
        if value.get("isApiErrorMessage") or model == "<synthetic>":
            draft.origin = "meta"
        elif sidechain is None and model:
            self.model = model
        self._add(chain, draft)
        chain.reply = draft

    def _progress(self, value: dict[str, Any], line: int) -> bool:
        """A sub-agent's message is embedded in a progress line; the rest the result repeats."""
        data = as_dict(value.get("data"))
        inner = data.get("message")
        if data.get("type") != "agent_progress" or not isinstance(inner, dict):
            return False
        if inner.get("type") not in ("user", "assistant") or not isinstance(inner.get("message"), dict):
            return False
        uuid = as_text(inner.get("uuid"))
        if uuid in self.file.uuids:
            return False
        self.file.uuids.add(uuid)
        return self._message(inner, value, line)

    def _system(self, value: dict[str, Any]) -> bool:
        subtype = value.get("subtype")
        if subtype == "compact_boundary":
            data = as_dict(value.get("compactMetadata"))
            self._hand_over()
            self.boundaries.append(
                Boundary(
                    index=len(self.main.drafts),
                    trigger=as_text(data.get("trigger")) or None,
                    tokens_before=data["preTokens"] if isinstance(data.get("preTokens"), int) else None,
                )
            )
        elif subtype == "microcompact_boundary":
            self.meta["microcompactions"] = self.meta.get("microcompactions", 0) + 1
        elif subtype in ("local_command", "system_prompt") and as_text(value.get("content")):
            role: Role = "system" if subtype == "system_prompt" else "user"
            sidechain = self._sidechain(value, value)
            draft = self._draft(value, value, role, [Text(text=value["content"])], sidechain)
            draft.origin = "conversation" if role == "system" else "meta"
            self._add(self.main if sidechain is None else self.sides.setdefault(sidechain, _Chain()), draft)
            return True
        return False

    def _queue(self, value: dict[str, Any]) -> bool:
        after = self.last.lines.after if self.last else self.file.before
        text, own = self.typed_ahead.take(value, number=self.number, after=after)
        if text:
            self._deliver(text, value, own)
        return True

    def _attachment(self, value: dict[str, Any]) -> bool:
        """Newer logs have what was handed over in mid-turn as an attachment, besides the queue's lines."""
        data = as_dict(value.get("attachment"))
        blocks = read_blocks(data.get("prompt"))
        text = "\n".join(part.text for part in blocks.parts if isinstance(part, Text))
        if data.get("type") != "queued_command" or not text or text in self.delivered:
            return False
        self._deliver(text, value, [(self.number, value)])
        return True

    def _deliver(self, text: str, value: dict[str, Any], own: list[tuple[int, dict[str, Any]]]) -> None:
        """Hold a typed-ahead message for its place behind the results that the agent is waiting for."""
        self.delivered.add(text)
        draft = self._draft(value, value, "user", [Text(text=text)])
        draft.lines.own = own
        draft.origin = "meta" if is_harness_text(text) else "conversation"
        self.handed_over.append(draft)

    def _hand_over(self) -> None:
        self.main.drafts += self.handed_over
        self.handed_over.clear()

    def _draft(
        self,
        value: dict[str, Any],
        envelope: dict[str, Any],
        role: Role,
        parts: list[Part],
        sidechain: str | None = None,
    ) -> _Draft:
        return _Draft(
            id=as_text(value.get("uuid")),
            role=role,
            origin="meta" if value.get("isMeta") is True and role != "tool" else "conversation",
            parts=parts,
            lines=MessageLines(self.file, own=[(self.number, envelope)]),
            timestamp=as_text(value.get("timestamp")) or as_text(envelope.get("timestamp")) or None,
            sidechain=sidechain,
            cwd=as_text(envelope.get("cwd")) or None,
        )

    def _add(self, chain: _Chain, draft: _Draft) -> None:
        if chain is self.main and draft.role != "tool":
            self._hand_over()
            if draft.role == "user":
                chain.reply = None
        chain.drafts.append(draft)
        self.last = draft

    def _sidechain(self, value: dict[str, Any], envelope: dict[str, Any]) -> str | None:
        """The sub-agent's run that a line belongs to; old logs have no agent id, so follow the parents."""
        data = as_dict(envelope.get("data"))
        if envelope is value and not value.get("isSidechain"):
            return None
        name = as_text(value.get("agentId")) or as_text(data.get("agentId"))
        name = name or self.side_of.get(as_text(value.get("parentUuid")), "")
        name = name or f"sidechain-{len(self.sides) + 1}"
        self.side_of[as_text(value.get("uuid"))] = name
        return name

    def _note(self, value: dict[str, Any], line: int) -> None:
        """What a line that is no message tells about the session."""
        kind = as_text(value.get("type"))
        title = next((value[k] for k in ("customTitle", "aiTitle", "summary", "title") if value.get(k)), None)
        if kind in ("summary", "custom-title", "ai-title") and isinstance(title, str):
            self.meta["title"] = title
        elif kind not in NOT_CONVERSATION:
            self.unread.append(Unread(line=line, reason=f"line of type {kind!r}"))

    def _note_branch(self, draft: _Draft, value: dict[str, Any], chain: _Chain) -> None:
        parent = value.get("parentUuid")
        if chain is not self.main or draft.origin != "conversation" or not isinstance(parent, str):
            return
        if parent in self.prompted:
            self.branches.append(draft.id)
        self.prompted.add(parent)

    def _note_summary(self, draft: _Draft) -> None:
        """Tie a summary to the boundary that was announced before it, or take it for one by itself."""
        here = len(self.main.drafts) - 1
        announced = self.boundaries[-1] if self.boundaries else None
        if announced is None or announced.summary_id is not None:
            self.boundaries.append(Boundary(index=here, summary_id=draft.id))
        else:
            self.boundaries[-1] = replace(announced, summary_id=draft.id)

    def _pass_on(self, raw: str, uuid: str) -> None:
        (self.last.lines.after if self.last else self.file.before).append(SkippedLine(self.number, raw, uuid))

    def session(self, *, name: str, source: str) -> Session:
        """Everything that was taken in."""
        self.typed_ahead.give_back()
        self._hand_over()
        messages = name_calls(identify([draft.finish() for draft in self.main.drafts]))
        sides = {n: name_calls(identify([d.finish() for d in c.drafts])) for n, c in self.sides.items()}
        if not messages and len(sides) == 1:
            ((agent, messages),) = sides.items()
            sides, self.meta["sidechain"] = {}, agent
        if self.branches:
            self.meta["branches"] = tuple(self.branches)
        return Session(
            id=self.session_id or name,
            format="claude-code",
            messages=messages,
            sidechains=sides,
            boundaries=tuple(self.boundaries),
            unread=tuple(self.unread),
            cwd=next((m.cwd for m in messages if m.cwd), None),
            model=self.model,
            source=source,
            meta=self.meta,
            native=self.file,
        )


def _user_origin(value: dict[str, Any], parts: list[Part]) -> Origin:
    if value.get("isCompactSummary") is True:
        return "summary"
    if value.get("isMeta") is True:
        return "meta"
    texts = [part.text for part in parts if isinstance(part, Text)]
    if len(texts) == len(parts) and is_harness_text("\n".join(texts)):
        return "meta"
    return "conversation"
