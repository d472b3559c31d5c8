"""What holds now: the fold over the events.

`State` is a value: entries in a stable order, each pointing at its events. The folding itself is in
`fold.py`.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

from tamis.ledger.events import (
    CommandRun,
    Constraint,
    Correction,
    Decision,
    Entity,
    ErrorMessage,
    Fact,
    FileAction,
    NextStep,
    Request,
    Source,
    Task,
    TestRun,
)

V = TypeVar("V")


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry(Generic[V]):
    """A current value and where it comes from.

    `source` is the newest event's place and `event` its id; `first_turn` and `last_turn` are message
    positions; `count` is how many events said it; `superseded` holds the values that it replaced, oldest
    first (the last few, and none for files, commands and errors, whose state is a sum).
    """

    subject: str
    value: V
    source: Source
    first_turn: int
    last_turn: int
    count: int = 1
    superseded: tuple[V, ...] = ()
    event: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class FileState:
    """One file of the trail: what it is now, and the sum of what was done to it.

    `status` is the last state that matters: a file that was read and then edited is `modified`; one that was
    created and then edited is `created`; one that was created and removed again is `deleted`. `reads` and
    `writes` count events. `born` says that the session made the file: deleted and born, it leaves no trace.
    """

    path: str
    status: FileAction
    touched: tuple[str, ...] = ()
    lines_added: int | None = None
    lines_removed: int | None = None
    reads: int = 0
    writes: int = 0
    renamed_from: str | None = None
    born: bool = False
    certain: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorState:
    """An error and whether a later run of its command or test shows it gone.

    `resolved` is None where nobody can tell: files were changed since, and what printed the error was not run
    again.
    """

    error: ErrorMessage
    resolved: bool | None


@dataclass(frozen=True, kw_only=True, slots=True)
class State:
    """Everything that holds after the last event, oldest entry first within each list."""

    requests: tuple[Entry[Request], ...] = ()
    constraints: tuple[Entry[Constraint], ...] = ()
    decisions: tuple[Entry[Decision], ...] = ()
    files: tuple[Entry[FileState], ...] = ()
    commands: tuple[Entry[CommandRun], ...] = ()
    tests: tuple[Entry[TestRun], ...] = ()
    errors: tuple[Entry[ErrorState], ...] = ()
    tasks: tuple[Entry[Task], ...] = ()
    facts: tuple[Entry[Fact], ...] = ()
    entities: tuple[Entry[Entity], ...] = ()
    next_step: Entry[NextStep] | None = None
    corrections: tuple[Entry[Correction], ...] = ()
    turns: int = 0
