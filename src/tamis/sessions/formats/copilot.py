"""GitHub Copilot CLI's event logs (`~/.copilot/session-state/*/events.jsonl`): `{type, data, id, parentId}`.

What was said is in `user.message`, `assistant.message` (with the calls it asks for) and `system.message`,
what a call gave in `tool.execution_complete`. Events with a `parentToolCallId` are a sub-agent's. Everything
about hooks, permissions, turns and usage is bookkeeping of the program and passed over.
"""

import re
from collections.abc import Iterator
from typing import Any

from tamis.messages import Media, Part, Session, Text, Thinking, ToolResult, part_text
from tamis.sessions.blocks import result_content
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.loose import as_dict, as_list, as_text, first, first_text, iso_time, tool_call

_SPOKEN = {"user.message", "assistant.message", "system.message", "assistant.reasoning"}
_TOLD = _SPOKEN | {"session.start", "tool.execution_start", "tool.execution_complete", "session.resume"}
_BOOKKEEPING = re.compile(
    r"\A(?:session|hook|permission|assistant|tool|subagent|user_input|elicitation|external_tool|command|mcp|skill"
    r"|capabilities|pending_messages|exit_plan_mode|auto_mode|sampling|model|commands)\.[a-z_.]+\Z|\Aabort\Z"
)
_ENDED = re.compile(r"\n?<(?:shellId: (\S+) )?[^<>\n]*\bexit code (-?\d+)>\s*\Z")
"""The line that Copilot puts under a command's output."""


class Copilot:
    """Copilot CLI JSONL: read only."""

    name = "copilot-cli"
    title = "GitHub Copilot CLI JSONL"
    streams = True
    many = False

    def sniff(self, document: Document) -> float:
        """Sure by one event of its kinds with its fields in `data`."""
        told = (record for record in document.head_records if as_text(record.get("type")) in _TOLD)
        return 0.95 if any(isinstance(record.get("data"), dict) for record in told) else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file, sub-agents apart."""
        reading = _Reading()
        for line, value in reading.main.values(document):
            if not reading.event(value):
                reading.main.miss(line, f"event of type {value.get('type')!r}")
        yield reading.main.session(document)


class _Reading:
    """Collects the main conversation, and each sub-agent's by the id of the call that started it."""

    def __init__(self) -> None:
        self.main = SessionBuilder(format=Copilot.name)
        self._agents: dict[str, SessionBuilder] = {}
        self._named: dict[str, str] = {}
        self._prompt: str | None = None

    def event(self, event: dict[str, Any]) -> bool:
        """Whether the event was understood."""
        kind, data = as_text(event.get("type")), as_dict(event.get("data"))
        builder = self.main
        if started_by := first_text(data, "parentToolCallId"):
            messages = self.main.sidechains.setdefault(started_by, [])
            agent = SessionBuilder(format=Copilot.name, cwd=self.main.cwd, messages=messages)
            builder = self._agents.setdefault(started_by, agent)
        name, when = as_text(event.get("id")), iso_time(event.get("timestamp"))
        if kind in _SPOKEN:
            self._spoken(builder, kind, data, name=name, when=when)
        elif kind == "tool.execution_start":
            if as_text(data.get("toolCallId")) not in self._named:  # else a message has asked for it
                builder.add("assistant", [self._call(data)], id=name, timestamp=when, joins=True)
        elif kind == "tool.execution_complete":
            builder.add("tool", [self._result(data)], id=name, timestamp=when)
        elif kind == "session.compaction_complete":
            summary = as_text(data.get("summaryContent"))
            before = data.get("preCompactionTokens")
            if summary or data.get("success") is not False:
                builder.compacted(summary, id=name, timestamp=when, tokens_before=before)
        elif kind in ("system.notification", "skill.invoked"):
            builder.add("user", as_text(data.get("content")), id=name, origin="meta", timestamp=when)
        elif kind in ("session.start", "session.resume", "session.model_change"):
            context = as_dict(data.get("context"))
            builder = self.main
            builder.id = builder.id or first_text(data, "sessionId")
            builder.model = first_text(data, "newModel", "selectedModel") or builder.model
            builder.moved(context.get("cwd"))
            known = {"cli_version": data.get("copilotVersion"), "branch": context.get("branch")}
            builder.meta |= {key: value for key, value in known.items() if value}
        else:
            return bool(_BOOKKEEPING.match(kind))
        return True

    def _spoken(
        self, builder: SessionBuilder, kind: str, data: dict[str, Any], *, name: str, when: str | None
    ) -> None:
        content = as_text(data.get("content"))
        text: list[Part] = [Text(text=content)] if content else []
        if kind == "user.message":
            attached = [_attachment(as_dict(item)) for item in as_list(data.get("attachments"))]
            builder.add("user", [*text, *attached], id=name, timestamp=when)
        elif kind == "system.message":
            if content != self._prompt:  # the same prompt is logged again with each turn
                builder.add("system", content, id=name, timestamp=when)
            self._prompt = content
        elif kind == "assistant.reasoning":
            builder.add("assistant", [Thinking(text=content)] if content else [], id=name, timestamp=when)
        else:
            builder.model = builder.model or first_text(data, "model")
            thought, seal = as_text(data.get("reasoningText")), first_text(data, "reasoningOpaque")
            told = builder.is_thinking and any(part_text(p) == thought for p in builder.messages[-1].parts)
            thinking = [Thinking(text=thought, signature=seal)] if (thought or seal) and not told else []
            calls = [self._call(as_dict(asked)) for asked in as_list(data.get("toolRequests"))]
            parts: list[Part] = [*thinking, *text, *calls]
            builder.add("assistant", parts, id=name, timestamp=when, joins=builder.is_thinking)

    def _call(self, asked: dict[str, Any]) -> Part:
        call_id = as_text(asked.get("toolCallId"))
        name = first_text(asked, "name", "toolName") or "unknown"
        self._named[call_id] = name
        return tool_call(call_id, name, first(asked, "arguments", "input"))

    def _result(self, data: dict[str, Any]) -> ToolResult:
        call_id, error = as_text(data.get("toolCallId")), as_dict(data.get("error"))
        given = data.get("result")
        text, media = result_content(as_dict(given).get("content", given))
        succeeded = data.get("success")
        ended = _ENDED.search(text)
        return ToolResult(
            call_id=call_id,
            text=(text[: ended.start()] if ended else text) or as_text(error.get("message")),
            name=self._named.get(call_id),
            is_error=not succeeded if isinstance(succeeded, bool) else None,
            exit_code=int(ended[2]) if ended else None,
            media=media,
            details={"shellId": ended[1]} if ended and ended[1] else None,
        )


def _attachment(item: dict[str, Any]) -> Part:
    place = first_text(item, "path", "filePath", "url") or first_text(item, "displayName", "name")
    return Media(kind="document", mime=first_text(item, "mimeType", "mime"), url=place)
