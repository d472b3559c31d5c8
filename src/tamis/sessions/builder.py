"""Building a session from a log, entry by entry: what the readers of line formats have in common."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from tamis.messages import (
    Boundary,
    Message,
    Origin,
    Part,
    Role,
    Session,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unread,
    identify,
)
from tamis.sessions.document import Document, Record
from tamis.sessions.loose import file_stem


@dataclass(slots=True)
class SessionBuilder:
    """Collects messages in order and whatever else the log tells."""

    format: str
    id: str | None = None
    cwd: str | None = None
    model: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    sidechains: dict[str, list[Message]] = field(default_factory=dict)
    boundaries: list[Boundary] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    tools: Sequence[Mapping[str, Any]] = ()
    first_cwd: str | None = None
    _cuts: list[tuple[int, str | None]] = field(default_factory=list)

    def add(
        self,
        role: Role,
        parts: Iterable[Part] | str,
        *,
        id: str = "",  # noqa: A002
        origin: Origin = "conversation",
        timestamp: str | None = None,
        author: str | None = None,
        joins: bool = False,
    ) -> None:
        """Add a message; an empty one is passed over, one of a user's with results only is a tool's.

        `parts` may be a text. `id` is the log's own, `timestamp` ISO 8601, `author` the agent that speaks,
        where there are several. With `joins` it goes on with the message before it, if that has the same
        role, origin and author.
        """
        if isinstance(parts, str):
            parts = [Text(text=parts)] if parts else []
        given = tuple(parts)
        if not given:
            return
        if role == "user" and all(isinstance(part, ToolResult) for part in given):
            role = "tool"
        before = self.messages[-1] if joins and self.messages else None
        if before and (before.role, before.origin, before.author) == (role, origin, author):
            given, id, timestamp = (*before.parts, *given), before.id, before.timestamp  # noqa: A001
            self.messages.pop()
        self.messages.append(
            Message(
                id=id, role=role, parts=given, origin=origin, timestamp=timestamp, cwd=self.cwd, author=author
            )
        )

    @property
    def is_thinking(self) -> bool:
        """Whether the last message is a reply that only thought so far: what is said next joins it."""
        last = self.messages[-1] if self.messages else None
        return last is not None and all(isinstance(part, Thinking) for part in last.parts)

    def moved(self, cwd: object) -> None:
        """The working directory from here on, where the log names one."""
        if isinstance(cwd, str) and cwd:
            self.cwd = cwd
            self.first_cwd = self.first_cwd or cwd

    def compacted(
        self,
        summary: str,
        *,
        id: str = "",  # noqa: A002
        timestamp: str | None = None,
        trigger: str | None = None,
        tokens_before: object = None,
        at: int | None = None,
    ) -> None:
        """The agent compacted the session; an empty summary is one that was not recorded.

        `at` is the position of the first message that was kept as it was; None is the end.
        """
        here = len(self.messages) if at is None else at
        if self.boundaries:
            last = self.boundaries[-1]
            here = max(here, last.index + (last.summary_id is not None))
        known = tokens_before if isinstance(tokens_before, int) else None
        name = (id or f"summary-{len(self.boundaries) + 1}") if summary else None
        self.boundaries.append(Boundary(index=here, summary_id=name, trigger=trigger, tokens_before=known))
        if name is not None:
            self.add("user", summary, id=name, origin="summary", timestamp=timestamp)
            self.messages.insert(here, self.messages.pop())

    def cut(self, trigger: str | None = None) -> None:
        """What came before was replaced here; a summary that is added next stands for it."""
        self._cuts.append((len(self.messages), trigger))

    def miss(self, line: int, reason: str) -> None:
        """Note that `line` was not understood."""
        self.unread.append(Unread(line=line, reason=reason))

    def values(self, log: Document | Iterable[Record]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Each object of a log with its line; a line that holds none is noted as missed."""
        for record in log.records() if isinstance(log, Document) else log:
            if record.reason:
                self.miss(record.line, record.reason)
            if record.value is not None:
                yield record.line, record.value

    def session(self, document: Document) -> Session:
        """All that was collected; a folder that is known of the session alone is each message's."""
        everything = [*self.messages, *chain.from_iterable(self.sidechains.values())]
        folder = None if any(message.cwd for message in everything) else self.first_cwd
        messages = _in_folder(self.messages, folder)
        summaries = {at: message.id for at, message in enumerate(messages) if message.origin == "summary"}
        cuts = (Boundary(index=at, summary_id=summaries.get(at), trigger=why) for at, why in self._cuts)
        return Session(
            id=self.id or file_stem(document.path.name),
            format=self.format,
            messages=messages,
            sidechains={
                name: _in_folder([replace(message, sidechain=name) for message in said], folder)
                for name, said in self.sidechains.items()
            },
            boundaries=(*self.boundaries, *cuts),
            unread=tuple(self.unread),
            cwd=self.first_cwd,
            model=self.model,
            tools=tuple(self.tools),
            source=str(document.path),
            meta=self.meta,
        )


def _in_folder(messages: Sequence[Message], folder: str | None) -> tuple[Message, ...]:
    placed = [replace(message, cwd=folder) for message in messages] if folder else messages
    return name_calls(identify(placed))


def name_calls(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages, every call and result with an id.

    A result without an id, or with one that no call has, answers the oldest call without an id that has its
    tool's name, or else the oldest. Ids that the log gave are kept.

    >>> call = Message(id="1", role="assistant", parts=(ToolCall(id="", name="ls"),))
    >>> result = Message(id="2", role="tool", parts=(ToolResult(call_id="", text="a.py", name="ls"),))
    >>> [m.parts[0] for m in name_calls([call, result])]
    [ToolCall(id='call-1', name='ls', arguments={}, raw_arguments=None), \
ToolResult(call_id='call-1', text='a.py', name='ls', is_error=None, exit_code=None, media=())]
    """
    known = {part.id for message in messages for part in message.calls if part.id}
    if all(c.id for m in messages for c in m.calls) and all(r.call_id for m in messages for r in m.results):
        return tuple(messages)
    waiting: list[ToolCall] = []
    count = 0

    def named(part: Part) -> Part:
        nonlocal count
        if isinstance(part, ToolCall) and not part.id:
            count += 1
            part = replace(part, id=f"call-{count}")
            waiting.append(part)
        elif isinstance(part, ToolResult) and part.call_id not in known:
            answered = next((call for call in waiting if call.name == part.name), next(iter(waiting), None))
            if answered is not None:
                waiting.remove(answered)
                part = replace(part, call_id=answered.id)
            elif not part.call_id:
                count += 1
                part = replace(part, call_id=f"call-{count}")
        return part

    return tuple(replace(message, parts=tuple(named(part) for part in message.parts)) for message in messages)
