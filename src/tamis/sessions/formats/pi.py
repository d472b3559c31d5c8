"""The pi coding agent's session logs: JSON lines, a `session` line first, then `message` and other entries.

A `compaction` entry names the first message that pi kept as it was: the boundary and its summary are put
ahead of that message, where they stood for the model, although the entry was
written later. A command that the user ran with `!` (`bashExecution`) is shown to the model as text; it is
read as that, with the origin `meta`. OpenClaw writes the same entries.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from tamis.messages import Message, Origin, Session
from tamis.sessions.blocks import read_blocks, tool_result
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.loose import as_dict, as_text, first, first_text, iso_time, joined

_SETTINGS = {"thinking_level_change", "label", "custom", "session_info", "active_tools_change"}


class Pi:
    """pi (and OpenClaw) JSONL: read only."""

    name = "pi"
    title = "pi JSONL"
    streams = True
    many = False

    def sniff(self, document: Document) -> float:
        """Sure by the first line; a log whose beginning is lost is told by its tool results."""
        records = document.head_records
        if any(r.get("type") == "session" and "id" in r and "timestamp" in r for r in records[:3]):
            return 0.9
        said = (as_dict(r.get("message")) for r in records if r.get("type") == "message")
        return 0.8 if any(m.get("role") in ("toolResult", "bashExecution") for m in said) else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file."""
        builder = SessionBuilder(format=self.name)
        entries = _Entries()
        for line, entry in builder.values(document):
            if entry.get("type") == "compaction":
                builder.compacted(
                    as_text(entry.get("summary")),
                    id=as_text(entry.get("id")),
                    timestamp=iso_time(entry.get("timestamp")),
                    trigger="hook" if entry.get("fromHook") else None,
                    tokens_before=entry.get("tokensBefore"),
                    at=entries.first_kept(entry, builder.messages),
                )
            elif not _entry(builder, entry):
                builder.miss(line, f"entry of type {entry.get('type')!r}")
            entries.count(entry, builder.messages)
        yield builder.session(document)


class _Entries:
    """Which message came of which entry, so that the first that a compaction kept is found again."""

    def __init__(self) -> None:
        self._messages: list[Message | None] = []
        self._by_id: dict[str, int] = {}
        self._newest: Message | None = None

    def count(self, entry: dict[str, Any], messages: Sequence[Message]) -> None:
        if name := as_text(entry.get("id")):
            self._by_id.setdefault(name, len(self._messages))
        newest = messages[-1] if messages else None
        self._messages.append(newest if newest is not self._newest else None)
        self._newest = newest

    def first_kept(self, entry: dict[str, Any], messages: Sequence[Message]) -> int | None:
        """The position of the first message that this compaction kept; None where it kept none."""
        number = entry.get("firstKeptEntryIndex")
        at = self._by_id.get(as_text(entry.get("firstKeptEntryId")), number)
        if not isinstance(at, int) or isinstance(at, bool) or at < 0:
            return None
        kept = next((message for message in self._messages[at:] if message is not None), None)
        return next((i for i, message in enumerate(messages) if message is kept), None)


def _entry(builder: SessionBuilder, entry: dict[str, Any]) -> bool:
    """Whether the entry was understood."""
    kind = as_text(entry.get("type"))
    when = iso_time(entry.get("timestamp"))
    name = as_text(entry.get("id"))
    if kind == "message":
        return _message(builder, as_dict(entry.get("message")), name=name, when=when)
    if kind in ("session", "model_change"):
        builder.id = builder.id or (name if kind == "session" else None)
        builder.model = first_text(entry, "modelId") or builder.model
        builder.moved(entry.get("cwd"))
    elif kind == "branch_summary":
        builder.add("user", as_text(entry.get("summary")), id=name, origin="summary", timestamp=when)
    elif kind == "custom_message":
        parts = read_blocks(entry.get("content")).parts
        builder.add("user", parts, id=name, origin="meta", timestamp=when)
    elif kind not in _SETTINGS:
        return False
    if kind == "session_info" and as_text(entry.get("name")):
        builder.meta["title"] = entry["name"]
    return True


def _message(builder: SessionBuilder, message: dict[str, Any], *, name: str, when: str | None) -> bool:
    role = message.get("role")
    if role == "toolResult":
        call_id, content = as_text(message.get("toolCallId")), message.get("content")
        tool, failed = first_text(message, "toolName"), message.get("isError")
        details = message.get("details") if isinstance(message.get("details"), dict) else None
        result = tool_result(call_id, content, failed=failed, name=tool, details=details)
        builder.add("tool", [result], id=name, timestamp=when)
    elif role == "bashExecution":
        command, output = as_text(message.get("command")), as_text(message.get("output"))
        code = message.get("exitCode")
        ended = f"Command exited with code {code}" if code else ""
        text = joined([f"Ran `{command}`", f"```\n{output}\n```" if output else "", ended])
        builder.add("user", text, id=name, origin="meta", timestamp=when)
    elif role in ("user", "assistant", "system"):
        builder.model = builder.model or first_text(message, "model")
        builder.add(role, read_blocks(message.get("content")).parts, id=name, timestamp=when)
    elif role in ("compactionSummary", "branchSummary", "custom", "hookMessage"):
        parts = read_blocks(first(message, "summary", "content")).parts
        origin: Origin = "summary" if role.endswith("Summary") else "meta"
        builder.add("user", parts, id=name, origin=origin, timestamp=when)
    else:
        return False
    return True
