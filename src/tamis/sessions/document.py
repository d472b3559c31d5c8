"""Opening a session file: decompression, text, lines, and honest errors.

A `Document` hides whether the file is plain, gzip or xz, and whether it is one JSON value, JSON lines or
plain text. It is opened for reading only and reads no more than it is asked for.
"""

from __future__ import annotations

import codecs
import gzip
import json
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Literal

from tamis.errors import UnreadableFile

HEAD_BYTES = 64 * 1024
"""How much of a file a format may look at before it is chosen."""

MAX_LINE_BYTES = 64 * 1024 * 1024
"""A longer line is not a message; it is skipped and counted, not loaded."""

_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its 1-based number and its text, or None where it could not be taken (`reason`)."""

    number: int
    text: str | None
    reason: str = ""


class Document:
    """A file that may hold sessions.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.jsonl"
    >>> _ = path.write_text('{"role": "user", "content": "hi"}\\n')
    >>> Document(path).kind
    'jsonl'
    """

    def __init__(self, path: str | Path) -> None:
        """Nothing is read until something is asked for."""
        self.path = Path(path)

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The decompressed bytes, from the beginning.

        Raises:
            UnreadableFile: missing, a folder, no permission, or a broken archive; also while reading.
        """
        try:
            with self.path.open("rb") as raw:
                magic = raw.read(6)
                raw.seek(0)
                if magic.startswith(_GZIP):
                    with gzip.open(raw) as stream:
                        yield stream
                elif magic.startswith(_XZ):
                    with lzma.open(raw) as stream:
                        yield stream
                else:
                    yield raw
        except FileNotFoundError:
            raise UnreadableFile(f"{self.path}: no such file; check the path") from None
        except IsADirectoryError:
            raise UnreadableFile(f"{self.path} is a folder; name a session file in it") from None
        except PermissionError:
            raise UnreadableFile(f"{self.path}: not allowed to read it; check its permissions") from None
        except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
            raise UnreadableFile(
                f"{self.path}: the compressed file is broken or cut short ({error}); decompress or copy it again"
            ) from None

    @cached_property
    def head(self) -> str:
        """The first 64 KiB as text, a last half character left off.

        Raises:
            UnreadableFile: the file is empty, binary, or not UTF-8.
        """
        with self.open() as stream:
            data = stream.read(HEAD_BYTES)
        if not data.strip():
            raise UnreadableFile(f"{self.path} is empty; nothing to read")
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise UnreadableFile(f"{self.path} is UTF-16; convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)")
        if b"\0" in data:
            raise UnreadableFile(f"{self.path} is a binary file; tamis reads text, JSON, .gz and .xz")
        return self._decode(data, final=len(data) < HEAD_BYTES)

    def _decode(self, data: bytes, *, final: bool = True) -> str:
        try:
            return codecs.getincrementaldecoder("utf-8-sig")().decode(data, final=final)
        except UnicodeDecodeError as error:
            raise UnreadableFile(
                f"{self.path} is not UTF-8 (byte {error.start} is 0x{data[error.start]:02x}); convert it first"
            ) from None

    @cached_property
    def kind(self) -> Literal["json", "jsonl", "text"]:
        """One JSON value, one JSON object a line, or neither; told from the head."""
        head = self.head.lstrip()
        if not head.startswith(("{", "[")):
            return "text"
        first, _, rest = head.partition("\n")
        if head.startswith("{") and _parses(first) and (rest.strip() or ".jsonl" in self.path.name):
            return "jsonl"
        return "json"

    @cached_property
    def head_records(self) -> list[dict[str, Any]]:
        """The first JSON objects, up to 50, for formats to recognise; empty unless the kind is `jsonl`."""
        records = []
        for line in self.head.split("\n")[:50]:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                records.append(record)
        return records

    def lines(self) -> Iterator[Line]:
        """The lines, one at a time; one that is too long or not UTF-8 comes as a `Line` without text."""
        with self.open() as stream:
            number = 0
            while raw := stream.readline(MAX_LINE_BYTES):
                number += 1
                if len(raw) == MAX_LINE_BYTES and not raw.endswith(b"\n"):
                    while (more := stream.readline(MAX_LINE_BYTES)) and not more.endswith(b"\n"):
                        pass
                    yield Line(number, None, f"longer than {MAX_LINE_BYTES // 2**20} MiB")
                    continue
                try:
                    text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    yield Line(number, None, f"not UTF-8 at byte {error.start}")
                    continue
                yield Line(number, text.rstrip("\r\n"))

    def text(self) -> str:
        """All of it as text.

        Raises:
            UnreadableFile: not UTF-8.
        """
        with self.open() as stream:
            return self._decode(stream.read())

    @cached_property
    def data(self) -> Any:
        """All of it as one JSON value.

        Raises:
            UnreadableFile: not JSON, or cut short; says where.
        """
        try:
            return json.loads(self.text())
        except json.JSONDecodeError as error:
            raise UnreadableFile(
                f"{self.path}: broken JSON at line {error.lineno}, column {error.colno} ({error.msg}); "
                "the file may be cut short"
            ) from None
        except RecursionError:
            raise UnreadableFile(f"{self.path}: JSON nested too deeply to be a session") from None


def _parses(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
