"""Sessions that agents keep in SQLite: OpenCode's `opencode.db` and Goose's `sessions.db`.

They are opened as if they could not change, so that nothing is written beside them, not even by SQLite. What
their agent holds back in its own log (`-wal`) at that moment is not read.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tamis.audit.stores import StoreKind
from tamis.errors import UnreadableFile
from tamis.messages import Session
from tamis.sessions import Document, Record
from tamis.sessions.formats.goose import Goose
from tamis.sessions.formats.opencode import OpenCode


@dataclass(frozen=True, kw_only=True, slots=True)
class DatabaseSession:
    """A session in a database: its id, about how large it is, and when it was last written to."""

    id: str
    bytes: int
    modified: float


class DatabaseDocument(Document):
    """A document whose value was put together from rows."""

    def __init__(self, path: Path, value: Any) -> None:
        """`path` is the database."""
        super().__init__(path)
        self._value = value

    @cached_property
    def data(self) -> Any:
        """The value."""
        return self._value

    def records(self) -> Iterator[Record]:
        """The value as if each of its items were a line."""
        yield from (Record(number, item, "") for number, item in enumerate(self._value, 1))


_LISTED = {
    "opencode-database": "SELECT s.id, coalesce(sum(length(p.data)), 0), s.time_updated / 1000.0 "
    "FROM session s LEFT JOIN part p ON p.session_id = s.id GROUP BY s.id ORDER BY s.id",
    "goose-database": "SELECT s.id, coalesce(sum(length(m.content_json)), 0), s.updated_at FROM sessions s "
    "LEFT JOIN messages m ON m.session_id = s.id GROUP BY s.id ORDER BY s.id",
}


def list_sessions(path: Path, kind: StoreKind) -> list[DatabaseSession]:
    """The sessions in a database.

    Raises:
        UnreadableFile: broken, or not laid out as tamis knows it.
    """
    with _opened(path) as database:
        rows = database.execute(_LISTED[kind])
        return [DatabaseSession(id=str(name), bytes=size, modified=_seconds(at)) for name, size, at in rows]


def read_session(path: Path, kind: StoreKind, session: str) -> Iterator[Session]:
    """One session of a database.

    Raises:
        UnreadableFile: broken, or not laid out as tamis knows it.
    """
    with _opened(path) as database:
        if kind == "opencode-database":
            return OpenCode().read(DatabaseDocument(path, _opencode(database, session)))
        return Goose().read(DatabaseDocument(path, _goose(database, session)))


def _opencode(database: sqlite3.Connection, session: str) -> dict[str, Any]:
    (found,) = database.execute("SELECT id, title, directory FROM session WHERE id = ?", [session])
    items: dict[str, dict[str, Any]] = {
        name: {"info": {**_object(data), "id": name}, "parts": []}
        for name, data in database.execute(
            "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id", [session]
        )
    }
    for message, data in database.execute(
        "SELECT message_id, data FROM part WHERE session_id = ? ORDER BY id", [session]
    ):
        if message in items:
            items[message]["parts"].append(_object(data))
    info = dict(zip(("id", "title", "directory"), found, strict=True))
    return {"info": info, "messages": list(items.values())}


def _goose(database: sqlite3.Connection, session: str) -> list[dict[str, Any]]:
    (found,) = database.execute("SELECT id, working_dir FROM sessions WHERE id = ?", [session])
    messages = database.execute(
        "SELECT role, created_timestamp, content_json FROM messages WHERE session_id = ? ORDER BY id",
        [session],
    )
    return [
        {"id": found[0], "working_dir": found[1]},
        *({"role": role, "created": at, "content": json.loads(said)} for role, at, said in messages),
    ]


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            yield connection
    except (sqlite3.Error, ValueError) as error:
        why = f"not a database that tamis knows ({error})"
        raise UnreadableFile(f"{path}: {why}; export its sessions and use --path") from None


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    return value if isinstance(value, dict) else {}


def _seconds(time: object) -> float:
    """SQLite's `CURRENT_TIMESTAMP`, which is UTC, or a number."""
    if isinstance(time, int | float):
        return float(time)
    try:
        return datetime.fromisoformat(f"{time}+00:00").timestamp()
    except ValueError:
        return 0.0
