"""Telling which errors are gone: the command that printed them, or the same tests, later ran well.

Errors that no command printed (a refused edit, a failed request) are never called resolved.
"""

from __future__ import annotations

from collections.abc import Container
from itertools import islice

from tamis.ledger.commands import covers
from tamis.ledger.events import CommandRun, ErrorSeen, TestRun

MAX_COMPARED_COMMANDS = 64
"""How many commands with open errors, newest first, a green test run is compared with."""


def subject_of_tests(runner: str, command: str) -> str:
    """The subject of a test run: one per command and runner."""
    return f"{runner}: {command}"


class OpenErrors:
    """The open errors, by the command that printed them; the command that failed last comes last.

    Within a turn, what a command printed is told before that it ran.
    """

    def __init__(self) -> None:
        self._by_command: dict[str, dict[str, None]] = {}
        self._command_of: dict[str, str] = {}
        self._bad_turn = -1
        self._bad_commands: set[str] = set()

    def add(self, error: ErrorSeen, subject: str, turn: int) -> None:
        """An error was seen; the command that printed it last is the one that can clear it."""
        self._forget(subject)
        if error.command is None:
            return
        subjects = self._by_command.pop(error.command, {})
        subjects[subject] = None
        self._by_command[error.command] = subjects
        self._command_of[subject] = error.command
        self.note_failure(error.command, turn)

    def note_failure(self, command: str, turn: int) -> None:
        """A command went badly, whatever its exit status will say (`pytest | tail` exits with 0)."""
        if turn != self._bad_turn:
            self._bad_turn, self._bad_commands = turn, set()
        self._bad_commands.add(command)

    def cleared_by_command(self, run: CommandRun, command: str, turn: int) -> list[str]:
        """The errors that a run of their own command shows gone."""
        bad = self._bad_commands if turn == self._bad_turn else ()
        if run.ok is False or command in bad:
            return []
        return self._clear(command)

    def cleared_by_tests(self, run: TestRun, known: Container[str]) -> list[str]:
        """The errors that a green test run shows gone: those of all runs of the same tests, or of fewer.

        `known` holds the subjects of the test runs so far.
        """
        if run.command is None or not run.is_green:
            return []
        covered = [
            command
            for command in islice(reversed(self._by_command), MAX_COMPARED_COMMANDS)
            if subject_of_tests(run.runner, command) in known and covers(run.command, command)
        ]
        return [subject for command in covered for subject in self._clear(command)]

    def _clear(self, command: str) -> list[str]:
        subjects = list(self._by_command.pop(command, ()))
        for subject in subjects:
            del self._command_of[subject]
        return subjects

    def _forget(self, subject: str) -> None:
        command = self._command_of.pop(subject, None)
        if command is not None:
            del self._by_command[command][subject]
            if not self._by_command[command]:
                del self._by_command[command]
