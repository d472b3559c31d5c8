"""Reading a session into statements, one message at a time, with the ledger's state beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tamis.compactors.brief.deeds import deed_statements, shown_by
from tamis.compactors.brief.evidence import Shown, evidence
from tamis.compactors.brief.speech import agent_statements, formal_start, user_statements
from tamis.compactors.brief.statement import Statement
from tamis.compactors.brief.terms import terms_of
from tamis.ledger import LedgerReader, State
from tamis.ledger.events import Event
from tamis.messages import Message, Text, Thinking, ToolCall, ToolResult


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call whose result has not come, and where it stands."""

    call: ToolCall
    turn: int
    part: int


@dataclass(kw_only=True, slots=True)
class Reading:
    """A session as far as it was read."""

    reader: LedgerReader = field(default_factory=LedgerReader)
    statements: list[Statement] = field(default_factory=list)
    open_calls: dict[str, OpenCall] = field(default_factory=dict)
    turns: int = 0
    last_role: str = ""
    last_calls: list[tuple[int, ToolCall]] = field(default_factory=list)
    closings: set[int] = field(default_factory=set)
    cwd: str | None = None
    shown: list[Shown] = field(default_factory=list)
    formal: dict[tuple[str, int], int] = field(default_factory=dict)

    @property
    def state(self) -> State:
        """What holds now."""
        return self.reader.state

    def read(self, messages: Iterable[Message]) -> None:
        """Take in more messages."""
        for message in messages:
            self._read(message)

    def _read(self, message: Message) -> None:
        turn = self.turns
        self.turns += 1
        events = self.reader.read(message)
        self.cwd = message.cwd or self.cwd
        if message.role == "assistant" and self.shown:
            self._tell_shown(message)
        self.statements += user_statements(message, turn)
        self.statements += agent_statements(message, turn)
        by_part: dict[tuple[str, int], list[Event]] = defaultdict(list)
        for event in events:
            by_part[event.source.message_id, event.source.part].append(event)
        ids: dict[str, str] = {}
        for index, part in enumerate(message.parts):
            if isinstance(part, Text) and message.role == "user" and (cut := formal_start(part.text)) is not None:
                self.formal[message.id, index] = cut
            if isinstance(part, ToolCall):
                self.open_calls[part.id] = OpenCall(part, turn, index)
                ids[part.id] = message.id
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolResult):
                opened = self.open_calls.pop(part.call_id, None)
                if opened is not None:
                    shown = shown_by(opened.call, part, turn=opened.turn, part=opened.part, cwd=self.cwd)
                    if shown is not None:
                        self.shown.append(shown)
                    self.statements += deed_statements(
                        opened.call,
                        part,
                        turn=opened.turn,
                        part=opened.part,
                        events=_own(events, message, index, opened),
                        cwd=self.cwd,
                    )
        if message.role == "assistant" and message.origin == "conversation":
            self.last_calls = [(turn, call) for call in message.calls] or self.last_calls
        if message.role != "tool":
            self.last_role = message.role


    def _tell_shown(self, message: Message) -> None:
        """What the agent goes on to speak of, of the outputs that it has just read."""
        words = [part.text for part in message.parts if isinstance(part, Text | Thinking)]
        calls = [str(list(call.arguments.values()))[:2000] for call in message.calls]
        spoken = terms_of("\n".join([*words, *calls])[:12_000])
        for shown in self.shown:
            if statement := evidence(shown, spoken):
                self.statements.append(statement)
        self.shown.clear()


def _own(events: Sequence[Event], message: Message, index: int, opened: OpenCall) -> list[Event]:
    """The events of one call among those that a message with several results gave."""
    results = sum(isinstance(part, ToolResult) for part in message.parts)
    if results == 1:
        return list(events)
    own = []
    for event in events:
        here = event.source.message_id == message.id
        if (here and event.source.part == index) or (not here and event.source.part == opened.part):
            own.append(event)
    return own
