"""The texts of a run, by the digest of what they say: each kept once, compressed, in SQLite.

A prompt holds a whole context in a fence, and many prompts the same one; what stands in the first fence is
kept apart, so that it is there once.
"""

import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from functools import lru_cache
from pathlib import Path

from tamis.errors import InputError, UnreadableFile
from tamis.evals.experiment.model_cache import Exchange
from tamis.evals.rundir.results import digest

_SCHEMA = """
CREATE TABLE IF NOT EXISTS texts (key TEXT PRIMARY KEY, data BLOB, pieces TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS exchanges (
    key TEXT PRIMARY KEY, model TEXT, prompt TEXT, reply TEXT,
    input_tokens INTEGER, output_tokens INTEGER, cost_usd REAL
) WITHOUT ROWID;
"""
_FENCE = re.compile(r"^(`{3,})\n", re.MULTILINE)


class Texts:
    """The texts of a finished run, by key.

    Raises:
        UnreadableFile: the store is gone, or none.
    """

    def __init__(self, folder: Path) -> None:
        self._recent = lru_cache(maxsize=4_096)(lambda key: _text_of(self._connection, key))
        try:
            self._connection = sqlite3.connect(f"file:{folder / 'texts.sqlite'}?mode=ro", uri=True)
            self._connection.execute("SELECT 1 FROM texts LIMIT 1")
        except sqlite3.Error as error:
            raise broken_run(folder, f"texts.sqlite: {error}") from None

    def __getitem__(self, key: str) -> str:
        return self._recent(key)

    def close(self) -> None:
        """Close the store."""
        self._connection.close()


class TextStore:
    """The same for writing, and the exchanges with models.

    Raises:
        InputError: another process has it open, or the disk is full.
    """

    def __init__(self, path: Path) -> None:
        self._folder = path.parent
        self._connection = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            self._connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.executescript(_SCHEMA)
        except sqlite3.OperationalError as error:
            self._connection.close()
            is_taken = "locked" in str(error)
            why = "another process is writing this run" if is_taken else "this run cannot be written"
            then = "wait for it" if is_taken else "make room"
            raise InputError(
                f"{path.parent}: {why} ({error}); {then}, or name another folder with -o"
            ) from None
        except sqlite3.DatabaseError as error:
            self._connection.close()
            raise InputError(f"{path} is broken ({error}); name a new folder with -o") from None

    def __getitem__(self, key: str) -> str:
        return _text_of(self._connection, key)

    def put_all(self, packed: Mapping[str, bytes]) -> None:
        """Keep texts that `pack` has packed, by key."""
        with written(self._folder), self._connection:
            self._connection.execute("BEGIN")
            self._keep(packed.items())

    def get_exchange(self, key: str) -> Exchange | None:
        """The exchange of this key."""
        row = self._connection.execute("SELECT * FROM exchanges WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        kept = Exchange(**dict(zip((field.name for field in fields(Exchange)), row, strict=True)))
        return replace(kept, prompt=self[kept.prompt], reply=self[kept.reply])

    def put_exchange(self, exchange: Exchange) -> None:
        """Keep it for good."""
        prompt, reply = digest(exchange.prompt), digest(exchange.reply)
        with written(self._folder), self._connection:
            self._connection.execute("BEGIN")
            self._put_in_pieces(prompt, exchange.prompt)
            self._keep([(reply, pack(exchange.reply))])
            self._connection.execute(
                "INSERT OR IGNORE INTO exchanges VALUES (:key, :model, :prompt, :reply, :input_tokens,"
                " :output_tokens, :cost_usd)",
                asdict(replace(exchange, prompt=prompt, reply=reply)),
            )

    def spent_usd(self) -> float:
        """What all exchanges cost, as far as prices are known."""
        spent = self._connection.execute("SELECT COALESCE(SUM(cost_usd), 0) FROM exchanges").fetchone()[0]
        return float(spent)

    def close(self) -> None:
        """Close the store, in one file."""
        try:
            with written(self._folder):
                self._connection.execute("PRAGMA journal_mode=DELETE")
        finally:
            self._connection.close()

    def _keep(self, packed: Iterable[tuple[str, bytes]]) -> None:
        self._connection.executemany("INSERT OR IGNORE INTO texts (key, data) VALUES (?, ?)", packed)

    def _put_in_pieces(self, key: str, text: str) -> None:
        pieces = _pieces(text)
        if len(pieces) == 1:
            self._keep([(key, pack(text))])
            return
        keys = [digest(piece) for piece in pieces]
        self._keep(zip(keys, map(pack, pieces), strict=True))
        self._connection.execute(
            "INSERT OR IGNORE INTO texts (key, pieces) VALUES (?, ?)", (key, " ".join(keys))
        )


@contextmanager
def written(folder: Path) -> Iterator[None]:
    """Within it, a disk that takes no more is said in one line.

    Raises:
        InputError: something could not be written.
    """
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"{folder}: cannot be written ({reason}); make room and give the same command again, it goes on "
            "where it was"
        ) from None


def broken_run(folder: Path, what: str) -> UnreadableFile:
    """What is told of a run directory that cannot be read."""
    return UnreadableFile(f"{folder}: broken run directory ({what}); evaluate again into a new folder")


def pack(text: str) -> bytes:
    """A text as it is kept."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def _pieces(text: str) -> tuple[str, ...]:
    opened = _FENCE.search(text)
    end = text.find(f"\n{opened[1]}\n", opened.end()) if opened else -1
    if opened is None or end < 0:
        return (text,)
    return text[: opened.end()], text[opened.end() : end], text[end:]


def _text_of(connection: sqlite3.Connection, key: str) -> str:
    row = connection.execute("SELECT data, pieces FROM texts WHERE key = ?", (key,)).fetchone()
    if row is None:
        raise KeyError(key)
    if row[0] is None:
        return "".join(_text_of(connection, piece) for piece in row[1].split())
    return zlib.decompress(row[0]).decode("utf-8", "surrogatepass")
