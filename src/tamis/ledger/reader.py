"""Reading the ledger: messages in, events and state out, one message at a time.

`LedgerReader` runs the extractors over each message, numbers what they find and folds it. The work per
message does not grow with the session, and a reader can be put away as JSON and taken up again where it
stopped. Of a very long session it carries on, of each kind, the entries that matter most.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tamis.errors import InputError
from tamis.ledger.events import Constraint, Event, Request, Source, Task, TestRun
from tamis.ledger.extract import EventDraft, Extractor, OpenCall, ReadContext
from tamis.ledger.files.extractor import extract_files
from tamis.ledger.fold import Fold
from tamis.ledger.outputs.extractor import extract_outputs
from tamis.ledger.speech.constraints import extract_constraints
from tamis.ledger.speech.corrections import extract_corrections
from tamis.ledger.speech.decisions import extract_decisions
from tamis.ledger.speech.facts import extract_facts
from tamis.ledger.speech.requests import extract_requests
from tamis.ledger.speech.sentence_acts import calls_tools
from tamis.ledger.state import Entry, ErrorState, FileState, State
from tamis.ledger.state_json import context_from_json, context_to_json, state_from_json, state_to_json
from tamis.ledger.tasks.extractor import extract_tasks
from tamis.ledger.tasks.next_steps import extract_next_steps
from tamis.messages import Message, ToolCall, part_text

EXTRACTORS: tuple[Extractor, ...] = (
    extract_requests,
    extract_constraints,
    extract_decisions,
    extract_facts,
    extract_corrections,
    extract_outputs,
    extract_files,
    extract_tasks,
    extract_next_steps,
)
"""Everything that is read off a message, in the order in which its events stand in the ledger."""

MAX_OPEN_CALLS = 256
"""Calls that wait for a result; the oldest are given up, so that logs without results do not pile up."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ledger:
    """What happened, and what holds after it."""

    events: tuple[Event, ...]
    state: State


class LedgerReader:
    """Reads messages in order and keeps the state up to date.

    >>> from tamis.messages import ToolResult
    >>> call = ToolCall(id="c", name="bash", arguments={"command": "make"})
    >>> reader = LedgerReader()
    >>> reader.read(Message(id="1", role="assistant", parts=(call,)))
    []
    >>> again = LedgerReader.restore(reader.snapshot())
    >>> result = ToolResult(call_id="c", text="done", exit_code=0)
    >>> [event.kind for event in again.read(Message(id="2", role="tool", parts=(result,)))]
    ['command']
    """

    def __init__(self, *, cwd: str | None = None, extractors: Sequence[Extractor] = EXTRACTORS) -> None:
        self._context = ReadContext(cwd=cwd)
        self._fold = Fold()
        self._events_read = 0
        self._extractors = extractors

    @property
    def state(self) -> State:
        """What holds after the messages read so far."""
        return self._fold.state()

    @property
    def talks(self) -> bool:
        """Whether nobody has worked so far: only words were said."""
        return not self._context.works

    def read(self, message: Message, *, extractors: Sequence[Extractor] | None = None) -> list[Event]:
        """The events of the next message, already folded into the state.

        `extractors` take the place of the reader's own, for a message of another kind.
        """
        context = self._context
        context.cwd = message.cwd or context.cwd
        context.works = context.works or calls_tools(message)
        answered = {result.call_id for result in message.results}
        own = _opened(message)
        context.calls |= {call: opened for call, opened in own.items() if call in answered}
        events = [
            self._record(draft)
            for extract in extractors or self._extractors
            for draft in extract(message, context)
        ]
        for call_id in answered:
            context.calls.pop(call_id, None)
        context.calls |= {call: opened for call, opened in own.items() if call not in answered}
        while len(context.calls) > MAX_OPEN_CALLS:
            del context.calls[next(iter(context.calls))]
        context.turn += 1
        self._fold.turns = context.turn
        return events

    def snapshot(self) -> dict[str, Any]:
        """What is needed to read on later, as plain JSON values; of a very long session, what matters."""
        return {
            "events": self._events_read,
            "context": copy.deepcopy(context_to_json(self._context)),
            "state": state_to_json(bounded(self.state)),
        }

    @classmethod
    def restore(
        cls, snapshot: Mapping[str, Any], *, extractors: Sequence[Extractor] = EXTRACTORS
    ) -> LedgerReader:
        """A reader that goes on where the one that wrote the snapshot stopped.

        Raises:
            InputError: not such a snapshot, or one of another version.
        """
        reader = cls(extractors=extractors)
        try:
            reader._events_read = int(snapshot["events"])
            reader._context = context_from_json(copy.deepcopy(snapshot["context"]))
            reader._fold = Fold(state_from_json(snapshot["state"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"not a ledger snapshot ({error!r}); compact from the start") from None
        return reader

    def _record(self, draft: EventDraft) -> Event:
        self._events_read += 1
        event = Event(
            id=f"e{self._events_read}",
            kind=draft.kind,
            subject=draft.subject,
            value=draft.value,
            source=draft.source,
            turn=self._context.turn,
            supersedes=self._fold.newest(draft.kind, draft.subject),
        )
        self._fold.apply(event)
        return event


def read_ledger(messages: Iterable[Message], start: Mapping[str, Any] | None = None) -> Ledger:
    """Read messages from the beginning, or from where a reader's snapshot stopped.

    `events` are those of these messages; `state` is what holds after them, `start` included.
    """
    reader = LedgerReader.restore(start) if start is not None else LedgerReader()
    events = tuple(event for message in messages for event in reader.read(message))
    return Ledger(events=events, state=reader.state)


def _opened(message: Message) -> dict[str, OpenCall]:
    return {
        part.id: OpenCall(
            call=part,
            source=Source(message_id=message.id, part=index, start=0, end=len(part_text(part))),
        )
        for index, part in enumerate(message.parts)
        if isinstance(part, ToolCall)
    }


MOST: Mapping[str, int] = {
    "requests": 300,
    "constraints": 300,
    "decisions": 300,
    "files": 1_000,
    "commands": 300,
    "tests": 100,
    "errors": 200,
    "tasks": 300,
    "facts": 500,
    "entities": 200,
    "corrections": 200,
}
"""How many entries of each kind are carried on, far above what sessions of some hundred messages reach.

Without a bound, each compaction of a live session would write down, and rank, everything that ever happened.
What is left out was settled or merely looked at, longest ago; the messages that say it lie in the archive.
"""

TURNS_PER_DOUBLING = 50
"""An entry that was said twice as often counts as if it had been said so many messages later."""


def bounded(state: State) -> State:
    """The state with no more than `MOST` entries of a kind; the same where it has no more.

    What still stands (the user's rules, changed files, open tasks and errors, failing tests) goes before what
    does not, then the newer and the more frequent before the rest. The first request always stays.
    """
    too_long = {name: table for name in MOST if len(table := getattr(state, name)) > MOST[name]}
    shorter: dict[str, Any] = {name: _best(table, MOST[name]) for name, table in too_long.items()}
    return replace(state, **shorter)


def _best(table: tuple[Entry[Any], ...], most: int) -> tuple[Entry[Any], ...]:
    ranked = sorted(table, key=_rank, reverse=True)[:most]
    kept = {entry.subject for entry in ranked}
    if isinstance(table[0].value, Request) and table[0].subject not in kept:
        kept.remove(ranked[-1].subject)
        kept.add(table[0].subject)
    return tuple(entry for entry in table if entry.subject in kept)


def _rank(entry: Entry[Any]) -> tuple[bool, float, str]:
    return _stands(entry.value), entry.last_turn + TURNS_PER_DOUBLING * math.log2(entry.count), entry.subject


def _stands(value: Any) -> bool:
    match value:
        case FileState():
            return value.status != "read"
        case Constraint():
            return value.by == "user"
        case Task():
            return value.status in ("open", "in_progress", "deferred")
        case ErrorState():
            return not value.resolved
        case TestRun():
            return value.is_red
        case _:
            return True
