"""Sessions, messages and their parts, as frozen values.

Every part and message may carry `native`: the record it was read from, opaque to everything but the reader
and writer of its format. It takes no part in equality, and is dropped as soon as the content changes
(`Message.with_parts`), so that a writer never puts back text that was taken out.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tamis.messages.reprs import html_page, shortened

REQUEST = "first request"
"""What the short form of a session calls it."""

Role = Literal["system", "user", "assistant", "tool"]
"""Who speaks. A message that only carries tool results has the role `tool`, whatever its API says."""

Origin = Literal["conversation", "summary", "meta"]
"""`summary`: written by a compaction (the agent's own, or tamis). `meta`: put there by the harness
(reminders, hook output, environment), not typed by a person."""


@dataclass(frozen=True, slots=True)
class NativeRecord:
    """What a reader leaves in `native`: a record of the format named `format`."""

    format: str
    record: Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """Prose, or anything else that was said in plain text."""

    text: str
    native: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Thinking:
    """A model's reasoning. `signature` is the provider's seal and must be handed back unchanged."""

    text: str
    signature: str | None = None
    native: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCall:
    """A tool that the model asked for.

    `arguments` is the parsed object. Where the model sent something that is not a JSON object it is `{}` and
    the text stands in `raw_arguments`, as it came.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    raw_arguments: str | None = None
    native: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Media:
    """An image, a document or a sound; `data` is base64 or None where only a `url` (or nothing) is known."""

    kind: Literal["image", "document", "audio", "other"]
    mime: str | None = None
    data: str | None = None
    url: str | None = None
    native: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolResult:
    """What a tool gave back.

    `is_error` and `exit_code` are None where the session does not say. `details` is the agent's own
    structured record of the result (Claude Code's `toolUseResult`, an exit status, a patch), as read.
    """

    call_id: str
    text: str
    name: str | None = None
    is_error: bool | None = None
    exit_code: int | None = None
    media: tuple[Media, ...] = ()
    details: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)
    native: Any = field(default=None, compare=False, repr=False)


Part = Text | Thinking | ToolCall | ToolResult | Media


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One message: who spoke, and the parts in order.

    `id` is the source's own id where it has one, else derived from the content (see `identify`), so that it
    stays the same when messages are appended or the list is sliced. `sidechain` names the sub-agent run that
    the message belongs to; None is the main conversation. `cwd` is the working directory at that moment.
    `author` is the agent that speaks, and to whom where that is told (`Orchestrator -> WebSurfer`); it is set
    only where several agents share the conversation.
    """

    id: str
    role: Role
    parts: tuple[Part, ...]
    origin: Origin = "conversation"
    timestamp: str | None = None
    sidechain: str | None = None
    cwd: str | None = None
    author: str | None = None
    native: Any = field(default=None, compare=False, repr=False)

    def with_parts(self, parts: Iterable[Part]) -> Message:
        """The same message with other parts. The native record goes, so the old text cannot come back."""
        return replace(self, parts=tuple(parts), native=None)

    def __repr__(self) -> str:
        """Who spoke, how it begins and how long it is; the parts have it whole."""
        said = self.text or next((part_text(part) for part in self.parts), "")
        long = sum(len(part_text(part)) for part in self.parts)
        kinds = Counter(type(part).__name__ for part in self.parts)
        held = ", ".join(name if n == 1 else f"{n} {name}" for name, n in kinds.items()) or "empty"
        return f"<Message {self.id} {self.role}: {shortened(said)!r} ({held}, {long:,} characters)>"

    @property
    def text(self) -> str:
        """What was said, without thinking, calls and results; parts joined by a line break."""
        return "\n".join(p.text for p in self.parts if isinstance(p, Text))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls, in order."""
        return tuple(p for p in self.parts if isinstance(p, ToolCall))

    @property
    def results(self) -> tuple[ToolResult, ...]:
        """The tool results, in order."""
        return tuple(p for p in self.parts if isinstance(p, ToolResult))


@dataclass(frozen=True, kw_only=True, slots=True)
class Boundary:
    """A place where the agent compacted the session itself.

    `index` is the position in `Session.messages` of the first message behind the compaction. The summary, if
    one was recorded, is the message `summary_id` (it has origin `summary` and stands at or behind `index`).
    """

    index: int
    summary_id: str | None = None
    trigger: str | None = None
    tokens_before: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Unread:
    """Something in the file that was not understood: where (1-based line or record) and why."""

    line: int
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """An ordered list of messages and what is known about them.

    `messages` is the main conversation in order, sub-agent runs apart in `sidechains` (by name). `tools`
    are the tool definitions where the source has them. `meta` holds what the reader found besides (title,
    model, instance, final diff ...). `native` is the format's own envelope, for writing back.
    """

    id: str
    format: str
    messages: tuple[Message, ...]
    sidechains: Mapping[str, tuple[Message, ...]] = field(default_factory=dict)
    boundaries: tuple[Boundary, ...] = ()
    unread: tuple[Unread, ...] = ()
    cwd: str | None = None
    model: str | None = None
    tools: tuple[Mapping[str, Any], ...] = ()
    source: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    native: Any = field(default=None, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.messages)

    def __repr__(self) -> str:
        """What it is and how long; `messages` has it whole."""
        facts = ", ".join(f"{value} {name}" for name, value in self._facts().items() if name != REQUEST)
        return f"<Session {self.id} ({self.format}): {facts}>"

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        return html_page(f"Session {self.id} ({self.format})", self._facts())

    def _facts(self) -> dict[str, str]:
        facts = {"messages": f"{len(self.messages):,}"}
        facts["characters"] = f"{sum(len(part_text(p)) for m in self.messages for p in m.parts):,}"
        optional = {"sub-agent runs": self.sidechains, "own compactions": self.boundaries}
        optional["records not understood"] = self.unread
        facts |= {name: f"{len(found):,}" for name, found in optional.items() if found}
        first = next((m for m in self.messages if m.role == "user" and m.origin == "conversation"), None)
        return facts | ({REQUEST: shortened(first.text, 200)} if first else {})


def part_text(part: Part) -> str:
    """The text of a part as tokens are counted on it and names are looked for in it.

    A call is its name and its arguments as JSON; media have no text.

    >>> part_text(ToolCall(id="c1", name="bash", arguments={"command": "ls"}))
    'bash {"command": "ls"}'
    """
    if isinstance(part, ToolCall):
        return f"{part.name} {arguments_text(part)}"
    if isinstance(part, Media):
        return ""
    return part.text


def message_text(message: Message) -> str:
    """All that a message says, calls and results included."""
    return "\n".join(part_text(part) for part in message.parts)


def arguments_text(call: ToolCall) -> str:
    """The arguments of a call as JSON text, or as the model sent them where that was not an object."""
    return _as_json(call.arguments) if call.raw_arguments is None else call.raw_arguments


_as_json = json.JSONEncoder(ensure_ascii=False, default=str).encode


def identify(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Give every message without an id one that is derived from its content.

    The id is the first 12 hex digits of SHA-256 over role, author and parts; the second, third ... message
    with the same content gets `~2`, `~3`. Ids that the source gave are kept, a repeated one gets the same
    suffix.

    >>> a, b = identify([Message(id="", role="user", parts=(Text(text="hi"),))] * 2)
    >>> b.id == a.id + "~2"
    True
    """
    seen: dict[str, int] = {}
    taken: set[str] = set()
    named = []
    for message in messages:
        unique = key = message.id or _content_id(message)
        while unique in taken:  # more than once only where the source has ids that end in `~2` itself
            seen[key] = seen.get(key, 1) + 1
            unique = f"{key}~{seen[key]}"
        taken.add(unique)
        named.append(message if unique == message.id else replace(message, id=unique))
    return tuple(named)


def _content_id(message: Message) -> str:
    digest = hashlib.sha256(message.role.encode())
    if message.author is not None:
        digest.update(f"\0{message.author}".encode("utf-8", "surrogatepass"))
    for part in message.parts:
        call = part.call_id if isinstance(part, ToolResult) else part.id if isinstance(part, ToolCall) else ""
        content = f"\0{type(part).__name__}\0{call}\0{part_text(part)}"
        digest.update(content.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]
