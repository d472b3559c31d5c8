"""Telling which errors are gone: what they come from later went well.

That is a run of the command that printed them or of the same tests, or, where a tool refused to work on a
file, anything that was done to that file. What comes from neither (a failed request) is never called
resolved.
"""

from collections.abc import Container
from itertools import islice

from tamis.ledger.events import CommandRun, ErrorMessage, TestRun
from tamis.ledger.outputs.commands import covers

TOOL = "tool"
"""The type of an error by which a tool refuses to do what it was asked; its place is the file."""

MAX_COMPARED_COMMANDS = 64
"""How many origins of open errors, newest first, a green test run is compared with."""


def subject_of_tests(runner: str, command: str) -> str:
    """The subject of a test run: one per command and runner."""
    return f"{runner}: {command}"


class OpenErrors:
    """The open errors by what they come from, a command or a file; what failed last comes last.

    Within a turn, what a command printed is told before that it ran.
    """

    def __init__(self) -> None:
        self._by_origin: dict[str, dict[str, None]] = {}
        self._origin_of: dict[str, str] = {}
        self._bad_turn = -1
        self._bad: set[str] = set()

    def add(self, error: ErrorMessage, subject: str, turn: int) -> None:
        """An error was seen; what it came from last is what can clear it."""
        self._forget(subject)
        origin = error.command or (error.place if error.type == TOOL else None)
        if origin is None:
            return
        subjects = self._by_origin.pop(origin, {})
        subjects[subject] = None
        self._by_origin[origin] = subjects
        self._origin_of[subject] = origin
        self.note_failure(origin, turn)

    def note_failure(self, origin: str, turn: int) -> None:
        """Something went badly, whatever its exit status will say (`pytest | tail` exits with 0)."""
        if turn != self._bad_turn:
            self._bad_turn, self._bad = turn, set()
        self._bad.add(origin)

    def cleared_by_command(self, run: CommandRun, command: str, turn: int) -> list[str]:
        """The errors that a run of their own command shows gone."""
        return [] if run.ok is False else self._cleared(command, turn)

    def cleared_by_file(self, path: str, turn: int) -> list[str]:
        """The errors of tools that something done to their file shows gone."""
        return self._cleared(path, turn)

    def cleared_by_tests(self, run: TestRun, known: Container[str]) -> list[str]:
        """The errors that a green test run shows gone: those of all runs of the same tests, or of fewer.

        `known` holds the subjects of the test runs so far.
        """
        if run.command is None or not run.is_green:
            return []
        covered = [
            command
            for command in islice(reversed(self._by_origin), MAX_COMPARED_COMMANDS)
            if subject_of_tests(run.runner, command) in known and covers(run.command, command)
        ]
        return [subject for command in covered for subject in self._clear(command)]

    def _cleared(self, origin: str, turn: int) -> list[str]:
        failed_now = turn == self._bad_turn and origin in self._bad
        return [] if failed_now else self._clear(origin)

    def _clear(self, origin: str) -> list[str]:
        subjects = list(self._by_origin.pop(origin, ()))
        for subject in subjects:
            del self._origin_of[subject]
        return subjects

    def _forget(self, subject: str) -> None:
        origin = self._origin_of.pop(subject, None)
        if origin is not None:
            del self._by_origin[origin][subject]
            if not self._by_origin[origin]:
                del self._by_origin[origin]
