"""What can happen in a session: events, each with the place that it was read from.

An event is a fact of the log, never changed afterwards. What holds now is the fold over them (`state.py`).
"""

from dataclasses import dataclass
from typing import Literal

EventKind = Literal[
    "request",
    "constraint",
    "decision",
    "file",
    "command",
    "test",
    "error",
    "task",
    "fact",
    "entity",
    "next_step",
    "correction",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Where something was read: a message, a part of it, and the character range in that part's text.

    `part` counts from 0 over `Message.parts`; `start` and `end` index into `messages.part_text(part)`, end
    exclusive.
    """

    message_id: str
    part: int
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """Something that the user asked for, in the user's words."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Constraint:
    """A rule that holds until it is replaced, in the words it was given in.

    `polarity`: `must` (always, only, keep to) or `must_not` (never, do not). `by` is who set it.
    """

    text: str
    polarity: Literal["must", "must_not"]
    by: Literal["user", "system", "assistant"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """What was chosen, why, and what was turned down."""

    choice: str
    reason: str | None = None
    rejected: tuple[str, ...] = ()


FileAction = Literal["created", "modified", "read", "deleted", "renamed", "reverted"]
"""`reverted`: put back to what version control or a backup holds; what was changed before no longer
stands."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FileChange:
    """One thing done to one file. `path` is resolved against the working directory where that is known.

    `touched` names the functions, classes or sections changed. Line counts are None where the call does not
    tell (a shell redirection). `renamed_from` is set for `renamed` only. `certain` is False where the call
    does not prove that it happened (its result says it failed is not an event at all; a result that is
    missing or a pattern that could not be expanded is).
    """

    path: str
    action: FileAction
    lines_added: int | None = None
    lines_removed: int | None = None
    touched: tuple[str, ...] = ()
    renamed_from: str | None = None
    certain: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class CommandRun:
    """A command that ran. `exit_code` is None where the session does not tell; `ok` likewise."""

    command: str
    exit_code: int | None = None
    ok: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class TestRun:
    """The totals that a test runner printed; a count that it did not print is None."""

    __test__ = False  # not a test class, whatever pytest thinks

    runner: str
    command: str | None = None
    passed: int | None = None
    failed: int | None = None
    errors: int | None = None
    skipped: int | None = None
    failing: tuple[str, ...] = ()

    @property
    def is_red(self) -> bool:
        """Whether something failed, as far as the runner said."""
        return bool(self.failed or self.errors or self.failing)

    @property
    def is_green(self) -> bool:
        """Whether tests passed and none failed; some runners say so without counting (`ok`)."""
        counted = (self.passed, self.failed, self.errors, self.skipped) != (None,) * 4
        return not self.is_red and (bool(self.passed) or not counted)


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorMessage:
    """An error message, exactly as it was printed (colours left out).

    `place` is `path:line` where one is given, the path where a tool refused to work on a file; `command` the
    subject of the command that printed it.
    """

    message: str
    type: str | None = None
    place: str | None = None
    command: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """A piece of work and where it stands."""

    text: str
    status: Literal["open", "in_progress", "done", "deferred", "dropped"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """A value that was stated or printed: a version, a port, an amount, a date, an id, somebody's role.

    `text` is the whole sentence that states it, as it stands at the source; empty where a program printed it.
    A sentence that states something without a label of its own ("I like short answers.") has what it is about
    for a name and its values, if it has any, for a value.
    """

    name: str
    value: str
    text: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    """Somebody or something with a role: `Dana`, `owner of the billing service`; `text` is the sentence."""

    name: str
    role: str
    text: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class NextStep:
    """What the agent said it would do next."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Correction:
    """A sentence of the user's and the later one that replaces it; `old_source` is where the older stands.

    The older words no longer hold, wherever they are quoted; they may be told as what was. Where they are
    taken back and nothing stands in their place, `new` is empty.
    """

    old: str
    new: str
    old_source: Source


EventValue = (
    Request
    | Constraint
    | Decision
    | FileChange
    | CommandRun
    | TestRun
    | ErrorMessage
    | Task
    | Fact
    | Entity
    | NextStep
    | Correction
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """One entry of the ledger.

    `subject` is what the event is about, normalised so that a later event on the same subject replaces the
    earlier (`supersedes` holds that one's id): a path, a command line, an error's signature, a fact's name.
    `id` is `e` and the running number in its ledger. `turn` is the position of the message in the session, so
    that first, last and age can be told without the messages.
    """

    id: str
    kind: EventKind
    subject: str
    value: EventValue
    source: Source
    turn: int
    supersedes: str | None = None
