"""SQLite's errors in words: the one place where they are translated."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tamis.errors import BadArchive

_REMEDIES: dict[int, str] = {
    sqlite3.SQLITE_BUSY: "is locked by another program; try again when that has finished",
    sqlite3.SQLITE_LOCKED: "is locked by another program; try again when that has finished",
    sqlite3.SQLITE_FULL: "cannot grow, the disk is full; make room, or name an archive on another disk",
    sqlite3.SQLITE_READONLY: "is read-only; make it writable, or name another archive",
    sqlite3.SQLITE_PERM: "may not be opened; check its permissions, or name another archive",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; check that its folder is there and may be written to",
    sqlite3.SQLITE_NOTADB: "is not an archive of tamis; name another file",
    sqlite3.SQLITE_CORRUPT: "is damaged; `sqlite3 FILE .recover` saves what can be read",
    sqlite3.SQLITE_IOERR: "cannot be used, the disk fails or a quota is used up; name an archive elsewhere",
}


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Within it, what SQLite raises becomes one line that names the file and what to do.

    Raises:
        BadArchive: the archive could not be used.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        primary = code & 0xFF if code is not None else None  # extended codes carry the primary one below
        remedy = _REMEDIES.get(primary) if primary is not None else None
        raise BadArchive(
            f"{path} {remedy}" if remedy else f"{path} cannot be used as an archive: {error}"
        ) from error
