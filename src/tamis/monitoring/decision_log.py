"""The decision log: a line of JSON for each entry, bounded, never in the agent's way.

A line is one write to a file that is opened for appending, so that several processes may write to the same
log. A file that is full is renamed, under a name that no other process takes, and a new one begun; the
others notice and follow. Nothing is locked and nothing waits. What cannot be written is counted, and the
count is the first thing that is written when there is room again. Order is the order of the lines: no time
is compared, so a clock that jumps changes nothing but what the lines say.
"""

import errno
import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, BinaryIO

from pydantic import Field, TypeAdapter, ValidationError

from tamis.errors import InputError
from tamis.monitoring.entries import LogEntry, LostLinesEntry

VERSION = 1
START = f'{{"tamis":{VERSION},'.encode()
"""How every line begins. A line that was cut and has another behind it is told apart by that."""

MAX_BYTES = 10 * 1024 * 1024
KEPT = 5
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EMFILE, errno.ENFILE)
"""Troubles that may pass; with any other a log cannot be begun."""


class DecisionLog:
    """Writes entries to a file. Safe for several threads and several processes.

    Args:
        path: the log; made where it is missing, gone on with where it is there.
        max_bytes: a file that would grow beyond it is put aside.
        kept: how many of those are kept; the oldest goes.
        clock: seconds since 1970, for what the lines say.

    Raises:
        InputError: nothing can be written there, or the file is something else.

    >>> import tempfile
    >>> from tamis.monitoring.entries import TurnsEntry
    >>> log = DecisionLog(Path(tempfile.mkdtemp()) / "decisions.jsonl", clock=lambda: 0)
    >>> log.write(TurnsEntry(source="context"))
    True
    >>> log.path.read_text().split(',"pid"')[0]
    '{"tamis":1,"at":"1970-01-01T00:00:00.000Z"'
    """

    def __init__(
        self,
        path: str | Path,
        *,
        max_bytes: int = MAX_BYTES,
        kept: int = KEPT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = Path(path)
        self.lost = 0
        self.trouble: str | None = None
        self._untold = 0
        self._max_bytes = max_bytes
        self._kept = kept
        self._clock = clock
        self._file: int | None = None
        self._is_cut = False
        self._lock = threading.Lock()
        try:
            self._file = self._open()
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise InputError(_cannot(self.path, error)) from None
            self.trouble = _cannot(self.path, error)
        # An empty file is a log too, and so is one whose first line was cut.
        if self._file is not None and not START.startswith(_beginning(self.path)):
            self.close()
            raise InputError(f"{self.path} is there and is not a decision log; name another file")

    def write(self, entry: LogEntry) -> bool:
        """Append an entry, and say whether it is there. Never raises for what the disk does."""
        with self._lock:
            lines = self._line(LostLinesEntry(lines=self._untold)) if self._untold else b""
            try:
                self._append(lines + self._line(entry))
            except OSError as error:
                self.trouble = _cannot(self.path, error)
                self.lost += 1
                self._untold += 1
                return False
            self._untold, self.trouble = 0, None
            return True

    def close(self) -> None:
        """Let go of the file; a later write opens it again."""
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _append(self, data: bytes) -> None:
        file = self._current(len(data))
        if self._is_cut:
            data = b"\n" + data
        written = os.write(file, data)
        self._is_cut = written < len(data)
        if self._is_cut:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _current(self, more: int) -> int:
        """The file to write to: the one that has the name now, with room for so many bytes."""
        if self._file is not None and not _is_at(self.path, self._file):  # another process put it aside
            self._let_go()
        if self._file is None:
            self._file = self._open()
        if (size := os.fstat(self._file).st_size) and size + more > self._max_bytes:
            self._put_aside()
            self._let_go()
            self._file = self._open()
        return self._file

    def _put_aside(self) -> None:
        aside = list(files_aside(self.path))
        number = 1 + (_number_of(aside[-1]) if aside else 0)
        named = f"{self.path.stem}.{number:06d}-{os.getpid()}{self.path.suffix}"
        with suppress(FileNotFoundError):  # another process was quicker, and begins the new one
            self.path.rename(self.path.with_name(named))
        for old in aside[: max(0, len(aside) + 1 - self._kept)]:
            old.unlink(missing_ok=True)

    def _open(self) -> int:
        file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        size = os.fstat(file).st_size
        self._is_cut = size > 0 and os.pread(file, 1, size - 1) != b"\n"
        return file

    def _line(self, entry: LogEntry) -> bytes:
        said = {key: value for key, value in asdict(entry).items() if value not in (None, "")}
        at = datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds")
        stamp = {"tamis": VERSION, "at": at.replace("+00:00", "Z"), "pid": os.getpid()}
        return json.dumps(stamp | said, separators=(",", ":")).encode() + b"\n"


def files_aside(path: Path) -> Iterator[Path]:
    """The files of a log that were full and put aside, the oldest first."""
    named = re.compile(rf"{re.escape(path.stem)}\.(\d{{6,}})-\d+{re.escape(path.suffix)}")
    yield from sorted((p for p in path.parent.iterdir() if named.fullmatch(p.name)), key=_number_of)


def _number_of(path: Path) -> int:
    return int(path.stem.rpartition(".")[2].partition("-")[0])


def _is_at(path: Path, file: int) -> bool | None:
    """Whether an open file is the one at the path; None where none is there."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except FileNotFoundError:
        return None


def _beginning(path: Path) -> bytes:
    """As much of a file as the beginning of a log is long."""
    with path.open("rb") as file:
        return file.read(len(START))


def _cannot(path: Path, error: OSError) -> str:
    why = error.strerror or error
    return f"{path}: the decision log cannot be written ({why}); name another file, or make room"


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
        try:
            with path.open("rb") as file:
                beginning = file.read(64 * 1024)
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror}); give a decision log") from None
        if beginning and START not in beginning and not START.startswith(beginning):
            raise InputError(
                f"{path} is not a decision log; give one that tamis wrote (tamis proxy --log FILE, "
                "DecisionLog)"
            )

    def read(self) -> Iterator[LogLine]:
        """The lines that are new since the last call."""
        if self._file is None:
            for aside in files_aside(self.path):
                yield from self._lines(aside.read_bytes() + b"\n")
        while True:
            if self._file is not None:
                whole, end, self._rest = (self._rest + self._file.read()).rpartition(b"\n")
                yield from self._lines(whole + end)
                if _is_at(self.path, self._file.fileno()) is not False:
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

    def _lines(self, data: bytes) -> Iterator[LogLine]:
        for raw in data.split(b"\n"):
            if (line := read_line(raw)) is not None:
                yield line
            elif raw.strip():
                self.unread += 1


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
    logs = [log for log in sorted(path.glob("*.jsonl")) if log not in aside and _beginning(log) == START]
    if not logs:
        raise InputError(f"{path} holds no decision log; give a file that tamis proxy --log wrote")
    return logs
