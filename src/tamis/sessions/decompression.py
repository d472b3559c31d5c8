"""Decompressing no further than was meant: a small archive can expand to gigabytes."""

import io
import os
from typing import IO, Any

from tamis.errors import InputError, UnreadableFile

VARIABLE = "TAMIS_MAX_EXPANDED_BYTES"
"""The environment variable that sets how far a compressed file may expand."""

MOST_STREAMED = 2 * 1024**3
"""Bytes that a file may expand to where it is read line by line."""

MOST_WHOLE = 256 * 1024**2
"""The same where all of it is wanted at once: parsing takes several times as much memory."""

PLAUSIBLE_RATIO = 200
"""Sessions shrink to a tenth, some to a hundredth; what shrinks further than this was made to expand."""


def limit_set() -> int | None:
    """The limit that the environment sets, in bytes; None where it sets none.

    Raises:
        InputError: the setting is no whole number above 0.
    """
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        return None
    if not given.isdecimal() or not int(given):
        raise InputError(f"{VARIABLE}={given!r} is no number of bytes; give one such as {4 * 1024**3}")
    return int(given)


def default_limit(compressed_bytes: int, *, whole: bool) -> int:
    """How far a file of this size may expand where nobody said otherwise, in bytes.

    >>> default_limit(100_000, whole=False) == MOST_WHOLE, default_limit(10**9, whole=False) == MOST_STREAMED
    (True, True)
    """
    plausible = max(MOST_WHOLE, compressed_bytes * PLAUSIBLE_RATIO)
    return min(MOST_WHOLE if whole else MOST_STREAMED, plausible)


class BoundedSource(io.RawIOBase):
    """The bytes of a stream, up to a limit; more than that is an error, never an end.

    >>> BoundedSource(io.BytesIO(b"abc"), 4, "a.gz").readall()
    b'abc'
    """

    def __init__(self, stream: IO[bytes], limit: int, shown: str) -> None:
        """Nothing is read yet; `shown` names the file in the message."""
        self._stream = stream
        self._limit = limit
        self._left = limit
        self._shown = shown

    def readable(self) -> bool:
        """Whether it can be read: yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as there are bytes; gives their number."""
        data = self._stream.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise UnreadableFile(
                f"{self._shown} expands to more than {self._limit:,} bytes; if that is meant, unpack it, or "
                f"set {VARIABLE} higher"
            )
        buffer[: len(data)] = data
        return len(data)
