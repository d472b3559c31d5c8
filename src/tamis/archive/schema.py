"""The tables of an archive, making sure that a file is one, and SQLite's errors in words."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tamis.errors import BadArchive

APPLICATION_ID = 0x74616D69
"""`tami` in ASCII, at the place in the header where SQLite files say whose they are."""

VERSION = 1

_TABLES = """
CREATE TABLE message (
    number INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, role TEXT NOT NULL, record BLOB NOT NULL);
CREATE TABLE place (
    number INTEGER PRIMARY KEY, session TEXT NOT NULL, digest TEXT NOT NULL, message_id TEXT NOT NULL,
    put_at REAL NOT NULL, UNIQUE (session, digest));
CREATE INDEX place_by_digest ON place (digest, session);
CREATE VIRTUAL TABLE words USING fts5 (text, content='', tokenize='unicode61 remove_diacritics 2');
CREATE TABLE snapshot (session TEXT PRIMARY KEY, record BLOB NOT NULL);
CREATE TABLE secret (placeholder TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (placeholder, value));
"""
"""`words` holds no text of its own (`content=''`): the messages have it."""


def prepare(connection: sqlite3.Connection, path: Path, *, read_only: bool, patience_s: float) -> None:
    """Check that the file is an archive of this version, or empty; then make it one.

    Raises:
        BadArchive: it is something else, or of another version.
    """
    fresh = _is_fresh(connection, path)
    if read_only:
        if fresh:
            raise BadArchive(f"{path} is empty; name an archive")
        return
    _use_write_ahead_log(connection, patience_s)
    connection.execute("PRAGMA synchronous=FULL")  # a commit is on the disk when it returns
    if not fresh:
        return
    with connection:  # all of it, or nothing
        connection.execute("BEGIN IMMEDIATE")
        if _is_fresh(connection, path):  # another process may have been quicker
            for statement in filter(str.strip, _TABLES.split(";\n")):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version={VERSION}")


def _is_fresh(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file is empty; what is neither empty nor an archive is refused before it is touched."""
    # The tables first: whoever makes them at this moment has set the owner by the time that it is read.
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if owner == APPLICATION_ID:
        if version != VERSION:
            raise BadArchive(
                f"{path} is an archive of version {version}, this tamis reads version {VERSION}; "
                "use the tamis that wrote it, or name a new archive"
            )
        return False
    if owner or tables:
        raise BadArchive(f"{path} is not an archive of tamis; name another file")
    return True


def _use_write_ahead_log(connection: sqlite3.Connection, patience_s: float) -> None:
    """Switch the log over once; SQLite does not wait for others here, so this does."""
    deadline = time.monotonic() + patience_s
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


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
        code = getattr(error, "sqlite_errorcode", 0)
        remedy = _REMEDIES.get(code & 0xFF)  # extended codes carry the primary one below
        raise BadArchive(
            f"{path} {remedy}" if remedy else f"{path} cannot be used as an archive: {error}"
        ) from error
