"""Reading a session into statements, one message at a time.

A reading can be put away as JSON and taken up again where it stopped, so that a later brief is made from what
was read and never from an earlier brief. Only where nothing else is left, an earlier brief is read as what it
says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from tamis.compactors.brief.reading.actions import Action, action_statements, shown_by
from tamis.compactors.brief.reading.brief_extractor import BriefExtractor, statements_of_brief
from tamis.compactors.brief.reading.hunks import SeenFiles
from tamis.compactors.brief.reading.salience import PendingOutput, evidence
from tamis.compactors.brief.reading.statement import Statement, statements_from_json, statements_to_json
from tamis.compactors.brief.reading.utterances import agent_statements, summary_statements, user_statements
from tamis.compactors.brief.writing.parser import parse_brief
from tamis.errors import InputError
from tamis.ledger import LedgerReader, State
from tamis.ledger.events import Event
from tamis.ledger.speech.harness import formal_start
from tamis.messages import Message, Text, Thinking, ToolCall, ToolResult
from tamis.text.terms import all_terms_of

CARRY_FORMAT = "tamis-brief/1"

_BRANCH = re.compile(
    r"(?m)^On branch (\S+)|^\[(\S+)(?: \(root-commit\))? [0-9a-f]{7,}\]"
    r"|Switched to (?:a new )?branch '([^']+)'"
)

MOST_STATEMENTS = 5_000
"""Remembered from one compaction to the next; of more, the agent's oldest words go first."""

SPOKEN_CHARS = 12_000


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A call whose result has not come, and where it stands."""

    call: ToolCall
    turn: int
    part: int


@dataclass(kw_only=True, slots=True)
class StatementReader:
    """A session as far as it was read.

    `turns` is the position behind the last message read. `last_calls` are the newest calls with their turn.
    `formal` says where in a message the instructions of a harness begin, by message id and part.
    """

    reader: LedgerReader = field(default_factory=LedgerReader)
    statements: list[Statement] = field(default_factory=list)
    open_calls: dict[str, PendingCall] = field(default_factory=dict)
    last_calls: list[PendingCall] = field(default_factory=list)
    formal: dict[tuple[str, int], int] = field(default_factory=dict)
    turns: int = 0
    cwd: str | None = None
    branch: str = ""
    _files: SeenFiles = field(default_factory=SeenFiles)
    _shown: list[PendingOutput] = field(default_factory=list)
    _begins: bool = True

    @classmethod
    def resume(cls, carry: Mapping[str, Any]) -> StatementReader:
        """Go on where `carry` stopped.

        Raises:
            InputError: not this method's carry, or one of another version.
        """
        if carry.get("format") != CARRY_FORMAT:
            raise InputError(
                f"the previous compaction carries {carry.get('format')!r}, not {CARRY_FORMAT!r}; "
                "compact from the original session, or without a previous compaction"
            )
        return cls(
            reader=LedgerReader.restore(carry["reader"]),
            statements=statements_from_json(carry["statements"]),
            open_calls={call["id"]: _call_from_json(call) for call in carry["open_calls"]},
            last_calls=[_call_from_json(call) for call in carry["last_calls"]],
            formal={(message, part): start for message, part, start in carry["formal"]},
            turns=carry["turns"],
            cwd=carry["cwd"],
            branch=carry["branch"],
            _begins=False,
        )

    def carry(self) -> dict[str, Any]:
        """What the next compaction needs, as JSON values."""
        return {
            "format": CARRY_FORMAT,
            "reader": self.reader.snapshot(),
            "statements": statements_to_json(bounded(self.statements)),
            "open_calls": [_call_to_json(opened) for opened in self.open_calls.values()],
            "last_calls": [_call_to_json(opened) for opened in self.last_calls],
            "formal": [[*where, start] for where, start in self.formal.items()],
            "turns": self.turns,
            "cwd": self.cwd,
            "branch": self.branch,
        }

    @property
    def state(self) -> State:
        """What holds now."""
        return self.reader.state

    @property
    def unspoken(self) -> Sequence[PendingOutput]:
        """The newest long outputs: the agent has said nothing behind them yet."""
        return self._shown

    def read(self, messages: Sequence[Message], positions: Iterable[int] | None = None) -> list[int]:
        """Take in more messages, which stand at `positions` in the session; the next ones unless told.

        Gives back where each was put: behind an earlier brief that is read as what it says, positions go on
        from those of the brief; the brief itself is at -1.
        """
        places = positions if positions is not None else range(self.turns, self.turns + len(messages))
        turns: list[int] = []
        shift = 0
        for message, place in zip(messages, places, strict=True):
            if self._begins and self._take_up(message):
                shift = self.turns - place - 1
                turns.append(-1)
                continue
            self._begins = self._begins and message.role == "system"
            turns.append(max(place + shift, self.turns))
            self._read(message, turns[-1])
        return turns

    def _take_up(self, message: Message) -> bool:
        """Read a brief as what it says; False for a message that is none."""
        part = message.parts[0] if len(message.parts) == 1 else None
        if message.role != "user" or message.origin == "meta" or not isinstance(part, Text):
            return False
        lines = parse_brief(part.text)
        if lines is None:
            return False
        self.reader.read(message, extractors=[BriefExtractor(lines)])
        self.statements += statements_of_brief(lines)
        self.turns = max([self.turns, *(line.turns[1] + 1 for line in lines)])
        return True

    def _read(self, message: Message, turn: int) -> None:
        self.turns = turn + 1
        events = self.reader.read(message)
        self.cwd = message.cwd or self.cwd
        if message.role == "assistant":
            self._tell_shown(message)
        self.statements += user_statements(message, turn)
        self.statements += agent_statements(message, turn)
        self.statements += summary_statements(message, turn)
        calls = []
        for index, part in enumerate(message.parts):
            if isinstance(part, Text) and message.role == "user":
                start = formal_start(part.text)
                if start is not None:
                    self.formal[message.id, index] = start
            if isinstance(part, ToolCall):
                calls.append(PendingCall(part, turn, index))
        self.open_calls |= {opened.call.id: opened for opened in calls}
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolResult) and (opened := self.open_calls.pop(part.call_id, None)):
                self._answered(opened, part, _own(events, message, index, opened))
        if message.role == "assistant" and message.origin == "conversation":
            self.last_calls = calls or self.last_calls

    def _answered(self, opened: PendingCall, result: ToolResult, events: Sequence[Event]) -> None:
        call = opened.call
        deed = Action(
            call=call, result=result, turn=opened.turn, part=opened.part, events=events, cwd=self.cwd
        )
        if shown := shown_by(deed):
            self._shown.append(shown)
        self.statements += action_statements(deed, self._files)
        if "git" in str(call.arguments.get("command", ""))[:2000]:
            found = _BRANCH.findall(result.text[:SPOKEN_CHARS])
            self.branch = next((name for name in found[-1] if name), self.branch) if found else self.branch

    def _tell_shown(self, message: Message) -> None:
        """What the agent goes on to speak of, of the outputs that it has just read."""
        if not self._shown:
            return
        words = [part.text for part in message.parts if isinstance(part, Text | Thinking)]
        calls = [str(list(call.arguments.values()))[:2000] for call in message.calls]
        spoken = frozenset(all_terms_of("\n".join([*words, *calls])[:SPOKEN_CHARS]))
        found = (evidence(shown, spoken) for shown in self._shown)
        self.statements += [statement for statement in found if statement is not None]
        self._shown.clear()


def bounded(statements: Sequence[Statement]) -> list[Statement]:
    """No more statements than are remembered: all of the user's, then the newest."""
    if len(statements) <= MOST_STATEMENTS:
        return list(statements)
    asked = [s for s in statements if s.kind in ("asked", "committed")][-MOST_STATEMENTS // 2 :]
    others = [s for s in statements if s.kind not in ("asked", "committed")]
    kept = {id(s) for s in (*asked, *others[len(asked) - MOST_STATEMENTS :])}
    return [_without_lost(s, kept) for s in statements if id(s) in kept]


def _without_lost(statement: Statement, kept: Set[int]) -> Statement:
    leads = tuple(lead for lead in statement.leads if id(lead) in kept)
    return statement if leads == statement.leads else replace(statement, leads=leads)


def _own(events: Sequence[Event], message: Message, index: int, opened: PendingCall) -> list[Event]:
    """The events of one call among those that a message with several results gave."""
    if len(message.results) == 1:
        return list(events)
    own = []
    for event in events:
        here = event.source.message_id == message.id
        if event.source.part == (index if here else opened.part):
            own.append(event)
    return own


def _call_to_json(opened: PendingCall) -> dict[str, Any]:
    call = opened.call
    return {
        "id": call.id,
        "name": call.name,
        "arguments": dict(call.arguments),
        "turn": opened.turn,
        "part": opened.part,
    }


def _call_from_json(data: Mapping[str, Any]) -> PendingCall:
    call = ToolCall(id=data["id"], name=data["name"], arguments=data["arguments"])
    return PendingCall(call, data["turn"], data["part"])
