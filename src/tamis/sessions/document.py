"""Opening a session file: decompression, text, lines, and honest errors.

A `Document` hides whether the file is plain, gzip or xz, and whether it is one JSON value, JSON lines or
plain text. It is opened for reading only and reads no more than it is asked for.
"""

import codecs
import gzip
import io
import json
import lzma
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Literal

from pydantic_core import from_json

from tamis.errors import UnreadableFile
from tamis.sessions.decompression import BoundedSource, default_limit, limit_set

HEAD_BYTES = 64 * 1024
"""How much of a file a format may look at before it is chosen."""

MAX_LINE_BYTES = 64 * 1024 * 1024
"""A longer line is not a message; it is skipped and counted, not loaded."""

MAX_HEAD_BYTES = 8 * 1024 * 1024
"""How long one of the first lines may be for a file to be recognised by it."""

FEW_LINES = 5
"""A head of fewer lines than this may have been cut before it says anything."""

_ESCAPE = re.compile(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4})?')

_GZIP, _XZ, _ZSTD = b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its 1-based number and its text, or None where it could not be taken (`reason`)."""

    number: int
    text: str | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object of a file of JSON lines.

    `line` is 1-based. `value` is None where there is no object, and `reason` says why. `raw` is its text, for
    handing it on unchanged. A value with a `reason` was repaired.
    """

    line: int
    value: dict[str, Any] | None
    raw: str
    reason: str = ""


class Document:
    r"""A file that may hold sessions.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.jsonl"
    >>> _ = path.write_text('{"role": "user", "content": "hi"}\n')
    >>> Document(path).kind
    'jsonl'
    """

    def __init__(
        self, path: str | Path, *, max_line_bytes: int = MAX_LINE_BYTES, max_expanded_bytes: int | None = None
    ) -> None:
        """Nothing is read until something is asked for.

        Args:
            path: the file, plain, `.gz` or `.xz`.
            max_line_bytes: longer lines are passed over, and counted.
            max_expanded_bytes: how far a compressed file may expand; `TAMIS_MAX_EXPANDED_BYTES` in the
                environment where it is not given, else what is plausible for a session.
        """
        self.path = Path(path)
        self.max_line_bytes = max_line_bytes
        self._max_expanded_bytes = max_expanded_bytes

    @contextmanager
    def open(self, *, whole: bool = False) -> Iterator[IO[bytes]]:
        """The decompressed bytes, from the beginning; `whole` says that the caller will read all of them.

        Raises:
            UnreadableFile: missing, a folder, no permission, a broken archive, or one that expands too far;
                also while reading.
        """
        shown = printable(self.path)
        try:
            with self._raw() as raw:
                magic = raw.read(6)
                raw.seek(0)
                if magic.startswith(_ZSTD):
                    raise UnreadableFile(f"{shown} is compressed with zstd; unpack it first (zstd -d)")
                if magic.startswith((_GZIP, _XZ)):
                    unpack: Any = gzip.open if magic.startswith(_GZIP) else lzma.open
                    with unpack(raw) as stream:
                        yield self._bounded(stream, whole=whole)
                else:
                    yield raw
        except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
            raise UnreadableFile(
                f"{shown}: the compressed file is broken or cut short ({error}); copy it again"
            ) from None
        except FileNotFoundError:
            raise UnreadableFile(f"{shown}: no such file; check the path") from None
        except IsADirectoryError:
            raise UnreadableFile(f"{shown} is a folder; name a session file in it") from None
        except PermissionError:
            raise UnreadableFile(f"{shown}: not allowed to read it; check its permissions") from None
        except OSError as error:
            why = error.strerror or str(error)
            raise UnreadableFile(f"{shown}: it cannot be read ({why}); check the file and its disk") from None

    def _raw(self) -> IO[bytes]:
        if "\0" in str(self.path):
            raise UnreadableFile(f"{printable(self.path)}: a path with a NUL character names no file")
        mode = self.path.stat().st_mode
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            raise UnreadableFile(f"{self.path} is a pipe or a socket; save what it gives to a file first")
        return self.path.open("rb")

    def _bounded(self, stream: IO[bytes], *, whole: bool) -> IO[bytes]:
        given = self._max_expanded_bytes or limit_set()
        limit = given or default_limit(self.path.stat().st_size, whole=whole)
        source = BoundedSource(stream, limit, printable(self.path))
        return io.BufferedReader(source, buffer_size=io.DEFAULT_BUFFER_SIZE * 16)

    @cached_property
    def head(self) -> str:
        """The beginning as text: 64 KiB, or to the end of the line (at most 8 MiB) where that is few lines.

        Raises:
            UnreadableFile: the file is empty, binary, or not UTF-8.
        """
        with self.open() as stream:
            data = stream.read(HEAD_BYTES)
            if data.count(b"\n") < FEW_LINES:
                data += stream.readline(MAX_HEAD_BYTES - HEAD_BYTES)
            complete = not stream.read(1)
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise UnreadableFile(f"{self.path} is UTF-16; convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)")
        if b"\0" in data:
            raise UnreadableFile(f"{self.path} is a binary file; tamis reads text, JSON, .gz and .xz")
        text = self._decode(data, final=complete)
        if not text.strip():
            raise UnreadableFile(f"{self.path} is empty; nothing to read")
        return text

    def _decode(self, data: bytes, *, final: bool = True) -> str:
        try:
            return codecs.getincrementaldecoder("utf-8-sig")().decode(data, final=final)
        except UnicodeDecodeError as error:
            raise UnreadableFile(
                f"{self.path} is not UTF-8 (byte {error.start} is 0x{data[error.start]:02x}); "
                "convert it first (iconv -f LATIN1 -t UTF-8)"
            ) from None

    @cached_property
    def kind(self) -> Literal["json", "jsonl", "text"]:
        """One JSON value, one JSON object a line, or neither; told from the head.

        A file of JSON lines may hold broken lines, first or last: half of the lines must be whole objects. A
        list that is laid out with an object a line is one value all the same.
        """
        lines = [line for line in self.head.split("\n")[:50] if line.strip()]
        if len(lines) == 1 and ".jsonl" not in self.path.name:
            return "json" if lines[0].lstrip().startswith(("{", "[")) else "text"
        objects = sum(line.startswith("{") and next(_parse_line(line)).value is not None for line in lines)
        if self.head.lstrip().startswith("[") and self._partial_value() is not None:
            return "json"
        if objects and objects * 2 >= len(lines):
            return "jsonl"
        return "json" if self.head.lstrip().startswith(("{", "[")) else "text"

    @cached_property
    def head_records(self) -> list[dict[str, Any]]:
        """The first JSON objects, up to 50, for formats to recognise; empty unless the kind is `jsonl`."""
        if self.kind != "jsonl":
            return []
        lines = self.head.split("\n")[:50]
        return [r.value for line in lines for r in _parse_line(line) if r.value is not None]

    @cached_property
    def head_value(self) -> Any:
        """As much of one JSON value as stands in the head, for formats to recognise; None for other kinds.

        The last list or object in it may be cut short.
        """
        return self._partial_value() if self.kind == "json" else None

    def _partial_value(self) -> Any:
        """What the head is from its first character on, cut short at most; None where it is no JSON."""
        try:
            return from_json(self.head, allow_partial=True)
        except ValueError:
            pass
        try:
            return json.loads(self.head)  # nested deeper than the lenient parser goes
        except ValueError:
            return None
        except RecursionError:
            raise UnreadableFile(f"{self.path}: JSON nested too deeply to be a session") from None

    def records(self) -> Iterator[Record]:
        r"""The objects of a file of JSON lines, one at a time; a line without one comes as a broken `Record`.

        Lines that lost their line break, so that two objects stand on one, are told apart. An escape that is
        not JSON (`\user`) is taken literally, and `reason` says so. Blank lines are passed over.
        """
        for line in self.lines():
            if line.text is None:
                yield Record(line.number, None, "", line.reason)
            elif line.text.strip():
                yield from _parse_line(line.text, line.number)

    def lines(self) -> Iterator[Line]:
        """The lines, one at a time; one that is too long or not UTF-8 comes as a `Line` without text."""
        limit = self.max_line_bytes
        with self.open() as stream:
            number = 0
            while raw := stream.readline(limit):
                number += 1
                if len(raw) == limit and not raw.endswith(b"\n"):
                    while (more := stream.readline(limit)) and not more.endswith(b"\n"):
                        pass
                    yield Line(number, None, f"a line longer than {limit:,} bytes")
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
        with self.open(whole=True) as stream:
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


def printable(path: Path) -> str:
    r"""A path as it can stand in a message: control characters escaped.

    >>> printable(Path("a\0b"))
    'a\\x00b'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(path))


def _parse_line(text: str, number: int = 1) -> Iterator[Record]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield from _parse_broken(text, number, getattr(error, "msg", None) or str(error))
        return
    is_object = isinstance(value, dict)
    reason = "" if is_object else f"a JSON {type(value).__name__} where an object was expected"
    yield Record(number, value if is_object else None, text, reason)


def _parse_broken(text: str, number: int, problem: str) -> Iterator[Record]:
    """Whole objects that share a line, then what is left of it."""
    if "escape" in problem:
        text = _ESCAPE.sub(lambda match: match[0] if match[1] else r"\\", text)
    decoder = json.JSONDecoder()
    position = 0
    while position < len(text):
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            yield Record(number, None, text[position:], f"broken JSON: {problem}")
            return
        repaired = f"broken JSON, repaired: {problem}" if "escape" in problem and position == 0 else ""
        yield Record(number, value, text[position:end], repaired)
        while end < len(text) and text[end].isspace():
            end += 1
        position = end
