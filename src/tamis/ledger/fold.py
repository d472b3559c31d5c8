"""Folding events into what holds now: on each subject, the last word wins.

The fold keeps one entry per subject and touches only those that an event is about. It can be taken up again
from a `State`: everything that it must know stands there.
"""

from dataclasses import replace
from typing import Any

from tamis.ledger.events import CommandRun, Correction, ErrorMessage, Event, EventKind, FileChange, TestRun
from tamis.ledger.files.trail import fold_change, subjects_of_ends
from tamis.ledger.outputs.resolution import OpenErrors
from tamis.ledger.speech.correction_fold import EntriesByMessage
from tamis.ledger.state import Entry, ErrorState, State

MAX_SUPERSEDED = 8
"""How many replaced values an entry remembers; the ledger holds them all."""

NEXT_STEP = "next step"
"""There is one next step at a time, so all that is said about it has one subject."""

_TABLES: dict[EventKind, str] = {
    "request": "requests",
    "constraint": "constraints",
    "decision": "decisions",
    "file": "files",
    "command": "commands",
    "test": "tests",
    "error": "errors",
    "task": "tasks",
    "fact": "facts",
    "entity": "entities",
    "correction": "corrections",
}

_SUMS: frozenset[EventKind] = frozenset({"file", "command", "error"})
"""Kinds whose entries do not list what they replaced: their value is a sum, or one run of very many."""


class Fold:
    """The running state of a ledger.

    `turns` is how many messages were read; the reader moves it on, as events alone only say at least how
    many.
    """

    def __init__(self, start: State | None = None) -> None:
        start = start or State()
        self.turns = start.turns
        self._entries: dict[EventKind, dict[str, Entry[Any]]] = {
            kind: {entry.subject: entry for entry in getattr(start, table)} for kind, table in _TABLES.items()
        }
        self._entries["next_step"] = {NEXT_STEP: start.next_step} if start.next_step else {}
        self._changed_at = -1
        self._said = EntriesByMessage(self._entries)
        self._open_errors = OpenErrors()
        for entry in sorted(start.errors, key=lambda entry: (entry.last_turn, len(entry.event), entry.event)):
            if not entry.value.resolved:
                self._open_errors.add(entry.value.error, entry.subject, entry.last_turn)

    def newest(self, kind: EventKind, subject: str) -> str | None:
        """The id of the newest event on a subject: what the next one replaces."""
        entry = self._entries[kind].get(_key(kind, subject))
        return entry.event if entry else None

    def apply(self, event: Event) -> None:
        """Fold one event in. Events come in the order of their ids."""
        self.turns = max(self.turns, event.turn + 1)
        entries = self._entries[event.kind]
        key = _key(event.kind, event.subject)
        before = entries.get(key)
        if before is None and event.kind == "file":
            before = self._known_by_an_end(key)
        announced = self._entries["next_step"].get(NEXT_STEP)
        if announced and event.kind in ("command", "file", "test") and announced.last_turn < event.turn:
            del self._entries["next_step"][NEXT_STEP]  # what was done was that, or something else
        value: Any = event.value
        match value:
            case FileChange(action="renamed", renamed_from=str(old)):
                moved = entries.pop(old, None)
                value = fold_change(moved.value if moved else None, value)
            case FileChange():
                self._resolve(self._open_errors.cleared_by_file(key, event.turn))
                if value.action in ("created", "modified", "reverted", "deleted"):
                    self._changed_at = event.turn
                value = fold_change(before.value if before else None, value)
            case ErrorMessage():
                self._open_errors.add(value, key, event.turn)
                value = ErrorState(error=value, resolved=False)
            case CommandRun():
                self._resolve(self._open_errors.cleared_by_command(value, key, event.turn))
            case TestRun(command=str(command)) if value.is_red:
                self._open_errors.note_failure(command, event.turn)
            case TestRun():
                self._resolve(self._open_errors.cleared_by_tests(value, entries))
            case Correction():
                self._said.correct(event, value)
        if before and event.kind == "constraint" and before.value != value:
            self._said.retire(before.source, but=(event.kind, key))
        entries[key] = _newer(before, event, key, value)
        self._said.note(event.kind, key, event.source)

    def _known_by_an_end(self, path: str) -> Entry[Any] | None:
        """The entry of a file of which an earlier brief gave the end of the path; it gets its full one."""
        files = self._entries["file"]
        return next((files.pop(end) for end in subjects_of_ends(path) if end in files), None)

    def state(self) -> State:
        """What holds now. Entries stand in the order in which their subjects came up."""
        tables = {table: tuple(self._entries[kind].values()) for kind, table in _TABLES.items()}
        tables["errors"] = tuple(self._as_known(entry) for entry in tables["errors"])
        return State(**tables, next_step=self._entries["next_step"].get(NEXT_STEP), turns=self.turns)

    def _as_known(self, entry: Entry[ErrorState]) -> Entry[ErrorState]:
        """The error; where files were changed since, it may be gone without anybody having looked."""
        if entry.value.resolved is not False or self._changed_at <= entry.last_turn:
            return entry
        return replace(entry, value=replace(entry.value, resolved=None))

    def _resolve(self, subjects: list[str]) -> None:
        errors = self._entries["error"]
        for subject in subjects:
            entry = errors[subject]
            errors[subject] = replace(entry, value=replace(entry.value, resolved=True))


def _key(kind: EventKind, subject: str) -> str:
    return NEXT_STEP if kind == "next_step" else subject


def _newer(before: Entry[Any] | None, event: Event, key: str, value: Any) -> Entry[Any]:
    superseded: tuple[Any, ...] = ()
    if before and event.kind not in _SUMS:
        replaced = (*before.superseded, before.value)
        superseded = tuple(old for old in replaced if old != value)[-MAX_SUPERSEDED:]
    return Entry(
        subject=key,
        value=value,
        source=event.source,
        first_turn=before.first_turn if before else event.turn,
        last_turn=event.turn,
        count=before.count + 1 if before else 1,
        superseded=superseded,
        event=event.id,
    )
