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
    SourceFile,
    SourceLine,
    is_harness_text,
)
from tamis.sessions.formats.claude_code.outcome import with_outcome
from tamis.sessions.formats.claude_code.queue import InputQueue
from tamis.sessions.loose import as_dict, as_text, first_text


def read_records(records: Iterable[Record], *, name: str, source: str) -> Session:
    """The session in the records; `name` is its id where the records hold none."""
    reader = _Reader()
    for record in records:
        reader.take(record)
    return reader.session(name=name, source=source)


@dataclass(slots=True)
class _Chain:
    """The main conversation or one sub-agent's run, and where in it the reply stands that is being logged."""

    messages: list[Message] = field(default_factory=list)
    reply_id: str = ""
    reply_at: int = 0


class _Reader:
    def __init__(self) -> None:
        self.file = SourceFile()
        self.main = _Chain()
        self.sides: dict[str, _Chain] = {}
        self.behind = self.file.before
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
        self.handed_over: list[Message] = []
        self.delivered: set[str] = set()

    def take(self, record: Record) -> None:
        self.number += 1
        if record.reason:
            self.unread.append(Unread(line=record.line, reason=record.reason))
        value = record.value
        if value is None:
            self.behind.append(SourceLine(self.number, record.raw))
            return
        uuid = as_text(value.get("uuid"))
        if uuid and uuid in self.file.uuids:
            return
        understood = len(self.unread)
        if not self._read(value, record.line):
            raw = record.raw or json.dumps(value, ensure_ascii=False)
            self.behind.append(SourceLine(self.number, raw, uuid))
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
            text, own = self.typed_ahead.take(self._line(value), value, self.behind)
            if text:
                self._deliver(text, value, own)
            return True
        if kind == "attachment":
            return self._attachment(value)
        if kind in ("tool_use", "tool_result"):  # very old logs
            role: Role = "assistant" if kind == "tool_use" else "tool"
            self._add(self.main, self._made(value, role, read_blocks([value]).parts))
            return True
        self._note(value, line)
        return False

    def _message(self, value: dict[str, Any], envelope: dict[str, Any], line: int) -> bool:
        """A user or assistant line. `envelope` is the line it stands on: itself, or a progress line."""
        blocks = read_blocks(as_dict(value["message"]).get("content"))
        self.unread += [Unread(line=line, reason=f"content block of type {k!r}") for k in blocks.unknown]
        parts = [with_outcome(part, value, alone=len(blocks.parts) == 1) for part in blocks.parts]
        sidechain = self._sidechain(value, envelope)
        chain = self.main if sidechain is None else self.sides.setdefault(sidechain, _Chain())
        results_only = bool(parts) and all(isinstance(part, ToolResult) for part in parts)
        role: Role = "tool" if results_only else "user"
        role = "assistant" if value["type"] == "assistant" else role
        made = self._made(value, role, parts, envelope=envelope, sidechain=sidechain)
        if role == "assistant":
            self._reply(chain, made, value)
        else:
            if role == "user":
                made = replace(made, origin=_user_origin(value, parts))
                self._note_branch(made, value, chain)
            self._add(chain, made)
            if made.origin == "summary" and sidechain is None:
                self._note_summary(made)
        if sidechain is None:
            self.session_id = as_text(envelope.get("sessionId")) or self.session_id
        return True

    def _reply(self, chain: _Chain, made: Message, value: dict[str, Any]) -> None:
        """A reply, or a block more of the one that is being logged."""
        reply_id, model = as_text(value["message"].get("id")), as_text(value["message"].get("model"))
        if reply_id and chain.reply_id == reply_id:
            reply = chain.messages[chain.reply_at]
            known = {call.id for call in reply.calls}
            more = [p for p in made.parts if not (isinstance(p, ToolCall) and p.id in known)]
            chain.messages[chain.reply_at] = replace(reply, parts=(*reply.parts, *more))
            reply.native.own.extend(made.native.own)
            self.behind = reply.native.after
            return
        if value.get("isApiErrorMessage") or model == "<synthetic>":
            made = replace(made, origin="meta")
        elif made.sidechain is None and model:
            self.model = model
        self._add(chain, made)
        chain.reply_id, chain.reply_at = reply_id, len(chain.messages) - 1

    def _progress(self, value: dict[str, Any], line: int) -> bool:
        """A sub-agent's message is embedded in a progress line; the rest the result repeats."""
        data = as_dict(value.get("data"))
        inner = as_dict(data.get("message"))
        uuid = as_text(inner.get("uuid"))
        is_told = data.get("type") == "agent_progress" and isinstance(inner.get("message"), dict)
        if not is_told or inner.get("type") not in ("user", "assistant") or uuid in self.file.uuids:
            return False
        self.file.uuids.add(uuid)
        return self._message(inner, value, line)

    def _system(self, value: dict[str, Any]) -> bool:
        subtype = value.get("subtype")
        if subtype == "compact_boundary":
            data = as_dict(value.get("compactMetadata"))
            self._hand_over()
            before = data["preTokens"] if isinstance(data.get("preTokens"), int) else None
            trigger, here = as_text(data.get("trigger")) or None, len(self.main.messages)
            self.boundaries.append(Boundary(index=here, trigger=trigger, tokens_before=before))
        elif subtype == "microcompact_boundary":
            self.meta["microcompactions"] = self.meta.get("microcompactions", 0) + 1
        elif subtype in ("local_command", "system_prompt") and as_text(value.get("content")):
            role: Role = "system" if subtype == "system_prompt" else "user"
            sidechain = self._sidechain(value, value)
            made = self._made(value, role, [Text(text=value["content"])], sidechain=sidechain)
            made = replace(made, origin="conversation" if role == "system" else "meta")
            self._add(self.main if sidechain is None else self.sides.setdefault(sidechain, _Chain()), made)
            return True
        return False

    def _attachment(self, value: dict[str, Any]) -> bool:
        """Newer logs have what was handed over in mid-turn as an attachment, besides the queue's lines."""
        data = as_dict(value.get("attachment"))
        blocks = read_blocks(data.get("prompt"))
        text = "\n".join(part.text for part in blocks.parts if isinstance(part, Text))
        if data.get("type") != "queued_command" or not text or text in self.delivered:
            return False
        self._deliver(text, value, [self._line(value)])
        return True

    def _deliver(self, text: str, value: dict[str, Any], own: list[SourceLine]) -> None:
        """Hold a typed-ahead message for its place behind the results that the agent is waiting for."""
        self.delivered.add(text)
        made = self._made(value, "user", [Text(text=text)])
        origin: Origin = "meta" if is_harness_text(text) else "conversation"
        self.handed_over.append(replace(made, origin=origin, native=MessageLines(self.file, own=own)))

    def _hand_over(self) -> None:
        self.main.messages += self.handed_over
        self.handed_over.clear()

    def _made(
        self,
        value: dict[str, Any],
        role: Role,
        parts: Iterable[Part],
        *,
        envelope: dict[str, Any] | None = None,
        sidechain: str | None = None,
    ) -> Message:
        envelope = envelope or value
        return Message(
            id=as_text(value.get("uuid")),
            role=role,
            parts=tuple(parts),
            origin="meta" if value.get("isMeta") is True and role != "tool" else "conversation",
            timestamp=first_text(value, "timestamp") or first_text(envelope, "timestamp"),
            sidechain=sidechain,
            cwd=first_text(envelope, "cwd"),
            native=MessageLines(self.file, own=[self._line(envelope)]),
        )

    def _line(self, value: dict[str, Any]) -> SourceLine:
        return SourceLine(self.number, value, as_text(value.get("uuid")))

    def _add(self, chain: _Chain, made: Message) -> None:
        if chain is self.main and made.role != "tool":
            self._hand_over()
            if made.role == "user":
                chain.reply_id = ""
        chain.messages.append(made)
        self.behind = made.native.after

    def _sidechain(self, value: dict[str, Any], envelope: dict[str, Any]) -> str | None:
        """The sub-agent's run that a line belongs to; old logs have no agent id, so follow the parents."""
        if envelope is value and not value.get("isSidechain"):
            return None
        name = as_text(value.get("agentId")) or as_text(as_dict(envelope.get("data")).get("agentId"))
        name = name or self.side_of.get(as_text(value.get("parentUuid")), "")
        name = name or f"sidechain-{len(self.sides) + 1}"
        self.side_of[as_text(value.get("uuid"))] = name
        return name

    def _note(self, value: dict[str, Any], line: int) -> None:
        kind = as_text(value.get("type"))
        title = next((value[k] for k in ("customTitle", "aiTitle", "summary", "title") if value.get(k)), None)
        if kind in ("summary", "custom-title", "ai-title") and isinstance(title, str):
            self.meta["title"] = title
        elif kind not in NOT_CONVERSATION:
            self.unread.append(Unread(line=line, reason=f"line of type {kind!r}"))

    def _note_branch(self, made: Message, value: dict[str, Any], chain: _Chain) -> None:
        parent = value.get("parentUuid")
        if chain is not self.main or made.origin != "conversation" or not isinstance(parent, str):
            return
        if parent in self.prompted:
            self.branches.append(made.id)
        self.prompted.add(parent)

    def _note_summary(self, made: Message) -> None:
        """Tie a summary to the boundary that was announced before it, or take it for one by itself."""
        announced = self.boundaries[-1] if self.boundaries else None
        if announced is None or announced.summary_id is not None:
            self.boundaries.append(Boundary(index=len(self.main.messages) - 1, summary_id=made.id))
        else:
            self.boundaries[-1] = replace(announced, summary_id=made.id)

    def session(self, *, name: str, source: str) -> Session:
        self.typed_ahead.give_back()
        self._hand_over()
        messages = name_calls(identify(self.main.messages))
        sides = {name: name_calls(identify(chain.messages)) for name, chain in self.sides.items()}
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
