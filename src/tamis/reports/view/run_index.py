"""An index over runs: what is needed to list, filter and find, in SQLite; where the rest stands, in bytes.

The index is a temporary file. It holds no text of a session: questions, scores and keys only. Whatever is
opened is read from the run directory then, so that runs of any size take the memory of one page.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from tamis.errors import UnreadableFile
from tamis.evals.regression_gate import point_names
from tamis.evals.rundir.records import raw_records
from tamis.evals.rundir.results import Run, answer_key, result_key
from tamis.evals.rundir.run_directory import read_run

_SCHEMA = """
CREATE TABLE points (
    run INT, key TEXT, unit TEXT, set_name TEXT, session TEXT, label TEXT, tokens INT, needed INT, offset INT,
    PRIMARY KEY (run, key)
) WITHOUT ROWID;
CREATE TABLE results (
    run INT, key TEXT, unit TEXT, point TEXT, method TEXT, budget TEXT, cycle INT, recall REAL, reason TEXT,
    missing INT, tokens_after INT, outcome TEXT, offset INT, PRIMARY KEY (run, key)
) WITHOUT ROWID;
CREATE TABLE probes (
    run INT, point TEXT, id TEXT, kind TEXT, question TEXT, searched TEXT, offset INT,
    PRIMARY KEY (run, point, id)
) WITHOUT ROWID;
CREATE TABLE answers (
    run INT, key TEXT, unit TEXT, point TEXT, probe TEXT, result TEXT, method TEXT, budget TEXT, cycle INT,
    reader TEXT, score REAL, reason TEXT, held REAL, said TEXT, unsaid TEXT, prompt TEXT, reply TEXT,
    PRIMARY KEY (run, key)
) WITHOUT ROWID;
CREATE TABLE judgements (
    run INT, answer TEXT, judge TEXT, rubric TEXT, repeat INT, said TEXT, unsaid TEXT
);
"""
_INDEXES = """
CREATE INDEX results_by_arm ON results (run, method, budget, cycle, unit);
CREATE INDEX answers_by_arm ON answers (run, method, budget, cycle, reader, unit, probe);
CREATE INDEX judgements_by_answer ON judgements (run, answer);
"""


def build_index(path: Path, folders: Sequence[Path]) -> list[Run]:
    """Index finished runs, in order; a run is known by its place.

    Raises:
        UnreadableFile: a folder holds no finished run, or a broken one.
        NotComparable: a run is of another version of the format.
    """
    runs = [read_run(folder) for folder in folders]
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_SCHEMA}")
        connection.execute("BEGIN")
        for number, (folder, run) in enumerate(zip(folders, runs, strict=True)):
            try:
                _fill(connection, number, folder, run)
            except (KeyError, TypeError, ValueError) as error:
                raise UnreadableFile(f"{folder}: broken run directory ({error}); evaluate again") from None
        connection.execute("COMMIT")
        connection.executescript(_INDEXES)
    finally:
        connection.close()
    return runs


def line_at(folder: Path, name: str, offset: int) -> bytes:
    """The record that begins at a byte of a file of the run."""
    with (folder / f"{name}.jsonl").open("rb") as file:
        file.seek(offset)
        return file.readline()


def _fill(connection: sqlite3.Connection, number: int, folder: Path, run: Run) -> None:
    units = point_names(run)
    places: dict[str, tuple[str, str, str, int]] = {}

    def points() -> Iterator[Sequence[Any]]:
        for offset, p in _lines(folder, "points"):
            yield (
                number, p["key"], units[p["key"]], p["set"], p["session_id"], p["label"],
                p["span_tokens"], len(p["needs"]), offset,
            )  # fmt: skip

    def results() -> Iterator[Sequence[Any]]:
        for offset, r in _lines(folder, "results"):
            key = result_key(r["point"], r["method"], r["budget"], r["cycle"])
            places[key] = (r["point"], r["method"], r["budget"], r["cycle"])
            score = r["score"]
            yield (
                number, key, units[r["point"]], r["point"], r["method"], r["budget"], r["cycle"],
                score.get("recall"), score.get("reason"), len(score.get("missing", ())), r["tokens_after"],
                r["outcome"], offset,
            )  # fmt: skip

    def probes() -> Iterator[Sequence[Any]]:
        for offset, line in _lines(folder, "probes"):
            p = line["probe"]
            expected = " ".join(item["value"] for item in p["expected"])
            searched = f"{p['question']} {expected}".casefold()
            yield number, line["point"], p["id"], p["kind"], p["question"], searched, offset

    def answers() -> Iterator[Sequence[Any]]:
        for a in raw_records(folder, "answers"):
            place = places[a["result"]]
            said, exact = a["answer"], a["exact"]
            yield (
                number, answer_key(a["result"], a["probe"], a["reader"]), units[place[0]], place[0],
                a["probe"], a["result"], *place[1:], a["reader"], exact.get("value"), exact["reason"],
                a["held"], *_said(said), a["prompt"], a["reply"],
            )  # fmt: skip

    def judgements() -> Iterator[Sequence[Any]]:
        for j in raw_records(folder, "judgements"):
            yield number, j["answer"], j["judge"], j["rubric"], j["repeat"], *_said(j["judgement"])

    tables: Sequence[Callable[[], Iterable[Sequence[Any]]]] = (points, results, probes, answers, judgements)
    for table in tables:
        rows = iter(table())
        first = next(rows, None)
        if first is not None:
            insert = f"INSERT OR REPLACE INTO {table.__name__} VALUES ({', '.join('?' * len(first))})"
            connection.execute(insert, first)
            connection.executemany(insert, rows)


def _said(found: str | dict[str, Any]) -> tuple[str | None, str | None]:
    """The key of what was said, or the reason why nothing was."""
    return (found, None) if isinstance(found, str) else (None, found["reason"])


def _lines(folder: Path, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a file, each with the byte that it begins at."""
    offset = 0
    with (folder / f"{name}.jsonl").open("rb") as file:
        for line in file:
            yield offset, from_json(line)
            offset += len(line)
