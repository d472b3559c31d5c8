"""A run directory: everything that an evaluation measured, and every text that it measured on.

run.json        settings, versions, counts; written last, so a directory without it is unfinished
points.jsonl    one compaction point a line
results.jsonl   one result a line
skipped.jsonl   what was not measured, and why
texts.sqlite    spans and contexts, compressed, by the digest that points and results name
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pydantic import TypeAdapter, ValidationError

from tamis._version import __version__
from tamis.errors import NotComparable, OutputExists, UnreadableFile
from tamis.evals.results import RUN_FORMAT, PointRecord, Result, Run, SessionResults, Settings, Skipped
from tamis.messages import get_counter

_POINT, _RESULT, _SKIPPED = TypeAdapter(PointRecord), TypeAdapter(Result), TypeAdapter(Skipped)
_SETTINGS = TypeAdapter(Settings)


class RunWriter:
    """Writes a run directory as results come in; use it through `write_run`."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        """Starts in an empty or new folder."""
        self.folder = folder
        self.settings = settings
        self.sessions = self.messages = 0
        self._files: dict[str, IO[str]] = {
            name: (folder / f"{name}.jsonl").open("w", encoding="utf-8")
            for name in ("points", "results", "skipped")
        }
        self._texts = sqlite3.connect(folder / "texts.sqlite")
        self._texts.execute("CREATE TABLE texts (key TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID")

    def add(self, part: SessionResults) -> None:
        """Append the results of a session or a file."""
        self.sessions += part.sessions
        self.messages += part.messages
        self._files["points"].writelines(_POINT.dump_json(p).decode() + "\n" for p in part.points)
        self._files["results"].writelines(_RESULT.dump_json(r).decode() + "\n" for r in part.results)
        self._files["skipped"].writelines(_SKIPPED.dump_json(s).decode() + "\n" for s in part.skipped)
        compressed = ((k, zlib.compress(t.encode("utf-8", "surrogatepass"))) for k, t in part.texts.items())
        self._texts.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", compressed)
        self._texts.commit()

    def close(self, *, finished: bool) -> None:
        """Close all files; `run.json` is written only for a finished run."""
        for file in self._files.values():
            file.close()
        self._texts.close()
        if finished:
            about = {
                "format": RUN_FORMAT,
                "tamis": __version__,
                "settings": _SETTINGS.dump_python(self.settings, mode="json"),
                "exact_tokens": get_counter(self.settings.tokenizer).exact,
                "sessions": self.sessions,
                "messages": self.messages,
            }
            (self.folder / "run.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


@contextmanager
def write_run(folder: Path, settings: Settings) -> Iterator[RunWriter]:
    """Open a new run directory for writing.

    Raises:
        OutputExists: the folder has something in it.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputExists(f"{folder} exists and is not empty; name a new folder with -o")
    folder.mkdir(parents=True, exist_ok=True)
    writer = RunWriter(folder, settings)
    try:
        yield writer
    except BaseException:
        writer.close(finished=False)
        raise
    writer.close(finished=True)


def read_run(folder: Path) -> Run:
    """Read a finished run.

    Raises:
        UnreadableFile: not a run directory, unfinished, or broken.
        NotComparable: written by another version of the run format.
    """
    about_path = folder / "run.json"
    if not about_path.is_file():
        what = "an unfinished run" if (folder / "results.jsonl").exists() else "not a run directory"
        raise UnreadableFile(f"{folder} is {what} (no run.json); make one with: tamis eval PATH -o {folder}")
    try:
        about = json.loads(about_path.read_text(encoding="utf-8"))
        if not isinstance(about, dict):
            raise ValueError("run.json is no JSON object")
        if about.get("format") != RUN_FORMAT:
            raise NotComparable(
                f"{folder} holds {about.get('format')!r}, this tamis reads {RUN_FORMAT!r}; evaluate again"
            )
        about["settings"] = _SETTINGS.validate_python(about["settings"])
        about["points"] = tuple(_POINT.validate_json(line) for line in _lines(folder / "points.jsonl"))
        about["results"] = tuple(_RESULT.validate_json(line) for line in _lines(folder / "results.jsonl"))
        about["skipped"] = tuple(_SKIPPED.validate_json(line) for line in _lines(folder / "skipped.jsonl"))
        return Run(**about)
    except (OSError, KeyError, TypeError, ValueError, ValidationError) as error:
        first = str(error).splitlines()[0]
        raise UnreadableFile(f"{folder}: broken run directory ({first}); evaluate again") from None


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


class Texts:
    """The texts of a run, by key."""

    def __init__(self, folder: Path) -> None:
        """Opens the store for reading only."""
        self._connection = sqlite3.connect(f"file:{folder / 'texts.sqlite'}?mode=ro", uri=True)

    def __getitem__(self, key: str) -> str:
        row = self._connection.execute("SELECT data FROM texts WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise KeyError(key)
        return zlib.decompress(row[0]).decode("utf-8", "surrogatepass")

    def close(self) -> None:
        """Close the store."""
        self._connection.close()
