"""One SQLite file that holds what was taken out of sessions, byte for byte.

    archive = Archive.open("work.tamis")
    ids = archive.put("session-1", messages)
    archive.get(ids[0]) == messages[0]
    archive.search("port 8080")

A message is stored under the digest of its bytes, once, however often it is put. `put` returns when the write
is on the disk; whoever is killed after that loses nothing of it. Several processes may read and write at
once: SQLite's write-ahead log keeps readers going, and writers wait for each other. Nothing expires;
`purge` is the only way out.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from tamis.archive.schema import prepare, translated
from tamis.archive.search_terms import phrases, snippet, spread
from tamis.errors import BadArchive, InputError
from tamis.messages import Message, Role, part_text
from tamis.messages.codec import digest_of, from_record, to_record

BUSY_TIMEOUT_S = 10.0
SHORT_ID = 12
"""Hex digits of an id as it is shown; any beginning that only one id has will do."""

SessionIds = str | Sequence[str]
"""The name of a session, or of several."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A message that was found: its id, the session and the message's own id there, and where it says it."""

    id: str
    session_id: str
    message_id: str
    role: Role
    snippet: str
    score: float


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiveStats:
    """What an archive holds. `bytes` are those of the messages, `file_bytes` those of the file."""

    messages: int
    sessions: int
    bytes: int
    file_bytes: int


class Archive:
    """Text that was taken out, found again by id or by words. Open it with `Archive.open`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._connection = connection
        self._lock = threading.RLock()

    @classmethod
    def open(
        cls, path: str | Path, *, read_only: bool = False, busy_timeout_s: float = BUSY_TIMEOUT_S
    ) -> Archive:
        """Open an archive; unless `read_only`, make it where there is none.

        Args:
            path: the file.
            read_only: nothing will be put, and the file must be there.
            busy_timeout_s: how long to wait for another process's write.

        Raises:
            BadArchive: locked, read-only, damaged, not an archive, or of another version.
        """
        path = Path(path)
        if "\0" in str(path):
            raise BadArchive(f"{str(path)!r} is no path; name a file")
        if read_only and not path.is_file():
            raise BadArchive(f"{path}: there is no such archive; `tamis compact --archive {path}` makes one")
        if path.is_dir():
            raise BadArchive(f"{path} is a folder; name a file")
        with translated(path):
            if not read_only:
                _make_private(path)
            mode = "ro" if read_only else "rw"
            address = f"{path.absolute().as_uri()}?mode={mode}"
            connection = sqlite3.connect(
                address, uri=True, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False
            )
            try:
                prepare(connection, path, read_only=read_only, patience_s=busy_timeout_s)
            except BaseException:
                connection.close()
                raise
        return cls(path, connection, read_only=read_only)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def put(
        self, session_id: str, messages: Iterable[Message], *, secrets: Mapping[str, str] | None = None
    ) -> list[str]:
        """Store messages, all or none, and give the id of each; on return they are on the disk.

        Args:
            session_id: the session that they come from.
            messages: in order; one that is there already is not stored again.
            secrets: what placeholders stand for that were put in the place of secrets.

        Raises:
            BadArchive: it could not be written; nothing of this was stored.
        """
        messages = list(messages)
        records = [to_record(message) for message in messages]
        digests = [digest_of(record) for record in records]
        now = time.time()
        with self._writing() as cursor:
            for message, record, digest in zip(messages, records, digests, strict=True):
                insert = "INSERT OR IGNORE INTO message (digest, role, record) VALUES (?, ?, ?)"
                added = cursor.execute(insert, (digest, message.role, record))
                if added.rowcount:
                    found_by = (added.lastrowid, spread(text_of(message)))
                    cursor.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", found_by)
                cursor.execute(
                    "INSERT OR IGNORE INTO place (session, digest, message_id, put_at) VALUES (?, ?, ?, ?)",
                    (_storable(session_id), digest, _storable(message.id), now),
                )
            cursor.executemany("INSERT OR IGNORE INTO secret VALUES (?, ?)", list((secrets or {}).items()))
        return digests

    def get(self, id: str, session: SessionIds | None = None) -> Message:  # noqa: A002 - everybody's word
        """The message of this id, or of the only id that begins so; of these sessions, where they are named.

        `#29` is the message that a brief cites by this number, see `numbered`; `29` alone is refused, since
        nobody can tell a few decimal digits of an id from it.

        Raises:
            InputError: no such message, or several.
        """
        number = id.removeprefix("#")
        if number != id and number.isdecimal() and len(number) < 10:
            return self.numbered(int(number), session)
        if id.isdecimal() and len(id) < SHORT_ID:
            raise InputError(
                f"{id} may be a number or an id: say '#{id}' for the message that a brief cites as #{id},"
                f" or give {SHORT_ID} digits of an id, as a search shows it"
            )
        if not id or any(c not in "0123456789abcdef" for c in id.lower()):
            raise InputError(f"{id!r} is not an id; an id is hex digits, as a search shows them")
        found = self._read(
            "SELECT digest, record FROM message m WHERE digest >= ? AND digest < ? AND (? IS NULL OR EXISTS"
            " (SELECT 1 FROM place p WHERE p.digest = m.digest"
            "  AND session IN (SELECT value FROM json_each(?)))) LIMIT 2",
            (id.lower(), id.lower() + "g", *[_named(session)] * 2),
        )
        if not found:
            raise InputError(f"{self.path} holds no message {id}; search for words of it instead")
        if len(found) > 1:
            raise InputError(f"several messages have an id that begins with {id}; give more digits")
        return self._restored(*found[0])

    def search(self, words: str, limit: int = 10, session: SessionIds | None = None) -> list[Hit]:
        """The messages that say it best, best first (BM25).

        Those with all the words, else with any of them, else with words that begin so. Where `session` names
        one or several, only what was put under their names is looked through.

        Raises:
            InputError: no word to look for, or a limit below 1.
        """
        terms = phrases(words)
        if not terms:
            why = "give a word, a path, or a part of a message"
            raise InputError(f"{words!r} has no word to look for; {why}")
        if limit < 1:
            raise InputError(f"a limit of {limit} shows nothing; give 1 or more")
        query = (
            "SELECT m.digest, m.role, m.record, p.session, p.message_id, bm25(words) AS score"
            " FROM words JOIN message m ON m.number = words.rowid"
            " JOIN place p ON p.number ="
            " (SELECT min(number) FROM place WHERE digest = m.digest"
            "  AND (? IS NULL OR session IN (SELECT value FROM json_each(?))))"
            " WHERE words MATCH ? ORDER BY score, m.number LIMIT ?"
        )
        wanted = [_named(session)] * 2
        tries = (" AND ".join(terms), " OR ".join(terms), " OR ".join(f"{term}*" for term in terms))
        found = (self._read(query, (*wanted, match, limit)) for match in dict.fromkeys(tries))
        return [
            Hit(
                id=digest,
                session_id=session_id,
                message_id=message_id,
                role=role,
                snippet=snippet(text_of(self._restored(digest, record)), words),
                score=-score,
            )
            for digest, role, record, session_id, message_id, score in next(filter(None, found), ())
        ]

    def messages(self, session: str) -> Iterator[Message]:
        """All messages of a session, in the order in which they were first put."""
        tables = "place p JOIN message m USING (digest)"
        query = f"SELECT m.digest, m.record FROM {tables} WHERE session = ? ORDER BY p.number"
        for digest, record in self._read(query, (_storable(session),)):
            yield self._restored(digest, record)

    def numbered(self, number: int, session: SessionIds | None = None) -> Message:
        """The message that a brief cites as `#number`: they are counted as they were taken out, from 0.

        Raises:
            InputError: there is none, or the archive holds several sessions and none is named.
        """
        names = [session] if isinstance(session, str) else list(session or ())
        names = names or [name for (name,) in self._read("SELECT DISTINCT session FROM place")]
        if len(names) > 1:
            raise InputError(f"{self.path} holds {len(names)} sessions; say which with --session")
        found = next(islice(self.messages("".join(names)), number, None), None)
        if found is None:
            raise InputError(f"{self.path} holds no message #{number}; search for words of it instead")
        return found

    def reveal(self, placeholder: str) -> list[str]:
        """The secrets that a placeholder stands for: one, or more where two have the same digits."""
        found = self._read("SELECT value FROM secret WHERE placeholder = ?", (placeholder,))
        return [value for (value,) in found]

    def secrets(self) -> dict[str, str]:
        """All that placeholders stand for; of two secrets with the same digits, one."""
        return dict(self._read("SELECT placeholder, value FROM secret ORDER BY placeholder, value"))

    def save_snapshot(self, session: str, snapshot: Mapping[str, Any]) -> None:
        """Keep what is needed to go on with a session; the newest replaces the last."""
        text = json.dumps(snapshot, ensure_ascii=False).encode("utf-8", "surrogatepass")
        with self._writing() as cursor:
            cursor.execute("INSERT OR REPLACE INTO snapshot VALUES (?, ?)", (_storable(session), text))

    def load_snapshot(self, session: str) -> dict[str, Any] | None:
        """The newest snapshot of a session; None where there is none."""
        rows = self._read("SELECT record FROM snapshot WHERE session = ?", (_storable(session),))
        if not rows:
            return None
        loaded: dict[str, Any] = json.loads(rows[0][0].decode("utf-8", "surrogatepass"))
        return loaded

    def purge(self, *, before: float) -> int:
        """Forget what was put before a moment (seconds since 1970), and say how many messages that were.

        A message that another session put later stays.
        """
        with self._writing() as cursor:
            cursor.execute("DELETE FROM place WHERE put_at < ?", (before,))
            gone = cursor.execute(
                "SELECT number, digest, record FROM message m"
                " WHERE NOT EXISTS (SELECT 1 FROM place p WHERE p.digest = m.digest)"
            ).fetchall()
            for number, digest, record in gone:
                text = spread(text_of(self._restored(digest, record)))
                cursor.execute(
                    "INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", (number, text)
                )
                cursor.execute("DELETE FROM message WHERE number = ?", (number,))
        return len(gone)

    def stats(self) -> ArchiveStats:
        """How much there is."""
        ((messages, size),) = self._read("SELECT count(*), coalesce(sum(length(record)), 0) FROM message")
        ((sessions,),) = self._read("SELECT count(DISTINCT session) FROM place")
        ((pages, page_bytes),) = self._read("SELECT * FROM pragma_page_count, pragma_page_size")
        return ArchiveStats(messages=messages, sessions=sessions, bytes=size, file_bytes=pages * page_bytes)

    def _read(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._lock, translated(self.path):
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Cursor]:
        with self._lock, translated(self.path), self._connection:
            yield self._connection.execute("BEGIN IMMEDIATE")

    def _restored(self, digest: str, record: bytes) -> Message:
        try:
            return from_record(record)
        except ValueError as error:
            raise BadArchive(f"{self.path}: message {digest[:SHORT_ID]} is damaged ({error})") from None


def _make_private(path: Path) -> None:
    """Make the file, where there is none, so that only its owner can read it; SQLite's own are as it is."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        check = "check that its folder is there and writable"
        raise BadArchive(f"{path} cannot be opened ({error.strerror}); {check}") from None


def text_of(message: Message) -> str:
    """All that a message says: what was said and thought, calls and results."""
    return "\n".join(filter(None, map(part_text, message.parts)))


def _named(session: SessionIds | None) -> str | None:
    names = [session] if isinstance(session, str) else session
    return None if names is None else json.dumps([_storable(name) for name in names])


def _storable(text: str) -> str:
    """Text as SQLite takes it; half of a surrogate pair is written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
