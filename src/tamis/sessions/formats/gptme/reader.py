"""gptme's `conversation.jsonl`: one message a line.

A call is a code block whose tag names a tool (```` ```shell ````, ```` ```save src/a.py ````), or
`@shell(call_id): {...}`, or an XML element in `<tool-use>`. What it gave back stands in the `system` messages
that follow, one for each call. A block that nothing followed is text: gptme runs what it recognises at once.
See https://gptme.org/docs/usage.html
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tamis.messages import Media, Message, NativeRecord, Origin, Part, Session, Text, ToolCall, ToolResult
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.formats.gptme.calls import WrittenToolCall, exit_code, is_answer, written_parts
from tamis.sessions.loose import as_dict, as_list, as_text, file_stem
from tamis.sessions.media import kind_of

_KEYS = {"role", "content", "timestamp", "files", "file_hashes", "pinned", "hide", "quiet", "ui_only"}
_KEYS |= {"ephemeral_ttl", "call_id", "metadata", "type"}
_ROLES = ("system", "user", "assistant")
_MIME = {ending: f"image/{ending}" for ending in ("png", "jpeg", "gif", "webp")} | {"jpg": "image/jpeg"}


class Gptme:
    """Reads the conversations of gptme."""

    name = "gptme"
    title = "gptme conversation.jsonl"
    streams = True
    many = False

    def sniff(self, document: Document) -> float:
        """Sure where lines have gptme's keys and nothing else; surer where a tool is used as it does."""
        records = document.head_records
        if not records or not all({"role", "content", "timestamp"} <= r.keys() <= _KEYS for r in records):
            return 0.0
        if any(r["role"] not in _ROLES or not isinstance(r["content"], str) for r in records):
            return 0.0
        said = (r["content"] for r in records if r["role"] == "assistant")
        used = any(isinstance(part, WrittenToolCall) for text in said for part in written_parts(text))
        return 0.9 if used or records[0]["role"] == "system" else 0.6

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file."""
        reading = _Reading()
        if file_stem(document.path.name) == "conversation":  # as always: its folder names it
            reading.builder.id = document.path.resolve().parent.name
        for line, record in reading.builder.values(document):
            reading.take(line, record)
        reading.close()
        yield reading.builder.session(document)


@dataclass(slots=True)
class _Reading:
    """What has been read so far, and the assistant's message that may still get answers."""

    builder: SessionBuilder = field(default_factory=lambda: SessionBuilder(format=Gptme.name))
    _asked: Message | None = None
    _pieces: list[WrittenToolCall | Part] = field(default_factory=list)
    _answers: list[Mapping[str, Any]] = field(default_factory=list)
    _count: int = 0

    def take(self, number: int, record: dict[str, Any]) -> None:
        role = record.get("role")
        if role == "system" and self._asked is not None:
            self._answers.append(record)
            return
        self.close(behind=True)
        if role == "assistant":
            model = as_text(as_dict(record.get("metadata")).get("model"))
            self.builder.model = model or self.builder.model
            self._asked = _message(record, ())
            self._pieces = list(written_parts(as_text(record.get("content"))))
        elif role in _ROLES:
            self.builder.messages.append(_message(record, _said(record)))
        else:
            self.builder.miss(number, f"message with the role {role!r}")

    def close(self, *, behind: bool = False) -> None:
        """Match the answers to the calls of the assistant's message; `behind`: whether something follows."""
        if self._asked is None:
            return
        messages = self.builder.messages
        parts, calls = self._matched(waiting=not behind and not self._answers)
        messages.append(replace(self._asked, parts=tuple(parts)))
        for record in self._answers:
            own = as_text(record.get("call_id"))
            call = next((c for c in calls if not own or c.id == own), None)
            if call is None:
                # What a tool that is not known gave back: nobody's words.
                messages.append(replace(_message(record, _said(record)), origin="meta"))
                continue
            calls.remove(call)
            messages.append(replace(_message(record, (_result(record, call),)), role="tool"))
        self._asked, self._pieces, self._answers = None, [], []

    def _matched(self, *, waiting: bool) -> tuple[list[Part], list[ToolCall]]:
        """The parts of the message, with as many blocks read as calls as were answered, and those calls.

        `waiting`: the session ends here, and what is surely a call is one that still waits.
        """
        blocks = [piece for piece in self._pieces if isinstance(piece, WrittenToolCall)]
        answered = len(self._answers)
        shown = [is_answer(as_text(record.get("content"))) for record in self._answers]
        sure = [block for block in blocks if block.sure]
        run = sure if waiting else sure[:answered]
        if not run and any(shown):
            run = blocks[: sum(shown)]
        parts: list[Part] = []
        calls: list[ToolCall] = []
        for piece in self._pieces:
            if isinstance(piece, WrittenToolCall) and any(piece is block for block in run):
                self._count += 1
                calls.append(replace(piece.call, id=piece.call.id or f"call-{self._count}"))
                parts.append(calls[-1])
                continue
            said = Text(text=piece.source) if isinstance(piece, WrittenToolCall) else piece
            if parts and isinstance(said, Text) and isinstance(parts[-1], Text):
                parts[-1] = Text(text=parts[-1].text + said.text)  # neighbouring texts are one
            else:
                parts.append(said)
        return parts, calls


def _message(record: Mapping[str, Any], parts: Sequence[Part]) -> Message:
    role = record["role"]
    origin: Origin = "meta" if record.get("ui_only") else "conversation"
    if as_dict(record.get("metadata")).get("compaction_artifact"):
        origin = "summary"
    when, native = as_text(record.get("timestamp")) or None, NativeRecord(Gptme.name, record)
    return Message(id="", role=role, parts=tuple(parts), origin=origin, timestamp=when, native=native)


def _said(record: Mapping[str, Any]) -> list[Part]:
    text = as_text(record.get("content"))
    return [*([Text(text=text)] if text else []), *_files(record)]


def _files(record: Mapping[str, Any]) -> list[Media]:
    files = []
    for path in as_list(record.get("files")):
        mime = _MIME.get(str(path).rpartition(".")[2].lower())
        files.append(Media(kind=kind_of(mime) if mime else "document", mime=mime, url=str(path)))
    return files


def _result(record: Mapping[str, Any], call: ToolCall) -> ToolResult:
    text = as_text(record.get("content"))
    failed = text.startswith(("Error", "Failed", "❌")) or None
    result = ToolResult(call_id=call.id, text=text, name=call.name, is_error=failed)
    return replace(result, exit_code=exit_code(text), media=tuple(_files(record)))
