"""Reading a decision log, from its oldest file to its newest line, and then what is added."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO

from pydantic import Field, TypeAdapter, ValidationError

from tamis.errors import InputError
from tamis.monitoring.decision_log import START, files_aside
from tamis.monitoring.entries import LogEntry

_ENTRY: TypeAdapter[LogEntry] = TypeAdapter(Annotated[LogEntry, Field(discriminator="event")])


@dataclass(frozen=True, kw_only=True, slots=True)
class LogLine:
    """An entry, when it was written (as the writer's clock had it), and by which process."""

    at: str
    pid: int
    entry: LogEntry


class LogReader:
    """Reads a log and goes on where it stopped. A line that is cut is left out and counted in `unread`.

    Raises:
        InputError: there is no such file, or it is not a decision log.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unread = 0
        self._file: BinaryIO | None = None
        self._rest = b""
        self._check()

    def read(self) -> Iterator[LogLine]:
        """The lines that are new since the last call."""
        if self._file is None:
            for aside in files_aside(self.path):
                yield from self._lines(aside.read_bytes() + b"\n")
        while True:
            if self._file is not None:
                yield from self._added(self._file)
                if self._is_newest(self._file):
                    return
                yield from self._lines(self._rest + b"\n")  # put aside with a line cut: no more will come
                self._file.close()
            try:
                self._file, self._rest = self.path.open("rb"), b""
            except FileNotFoundError:  # between two files
                self._file = None
                return

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()

    def _added(self, file: BinaryIO) -> Iterator[LogLine]:
        whole, end, self._rest = (self._rest + file.read()).rpartition(b"\n")
        if end:
            yield from self._lines(whole)

    def _is_newest(self, file: BinaryIO) -> bool:
        try:
            return os.path.samestat(self.path.stat(), os.fstat(file.fileno()))
        except FileNotFoundError:
            return True

    def _lines(self, data: bytes) -> Iterator[LogLine]:
        for raw in data.split(b"\n"):
            if not raw.strip():
                continue
            line = read_line(raw)
            if line is None:
                self.unread += 1
            else:
                yield line

    def _check(self) -> None:
        try:
            with self.path.open("rb") as file:
                beginning = file.read(64 * 1024)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error.strerror}); give a decision log") from None
        if beginning and START not in beginning and not START.startswith(beginning):
            raise InputError(
                f"{self.path} is not a decision log; give one that tamis wrote (tamis proxy --log FILE, "
                "DecisionLog), or the URL of a running proxy"
            )


def read_line(raw: bytes) -> LogLine | None:
    """What a line says; None where it is no entry. Of a cut line with a whole one behind it, that one.

    >>> read_line(b'{"tam{"tamis":1,"at":"now","pid":7,"event":"lost","lines":2}').entry.lines
    2
    """
    start = raw.rfind(START)
    if start < 0:
        return None
    try:
        data = json.loads(raw[start:])
        entry = _ENTRY.validate_python(data)
        return LogLine(at=str(data["at"]), pid=int(data["pid"]), entry=entry)
    except (ValueError, KeyError, ValidationError):
        return None


def find_logs(path: Path) -> list[Path]:
    """The log that is meant: a file, or every log in a folder, those put aside with their own.

    Raises:
        InputError: nothing is there, or no log in the folder.
    """
    if not path.is_dir():
        return [path]
    aside = {old for log in path.glob("*.jsonl") for old in files_aside(log)}
    logs = [log for log in sorted(path.glob("*.jsonl")) if log not in aside and _begins(log)]
    if not logs:
        raise InputError(f"{path} holds no decision log; give a file that tamis proxy --log wrote")
    return logs


def _begins(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(START)) == START
