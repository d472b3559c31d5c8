"""The decision log: appended, bounded, whole for whoever reads it, and never in the agent's way."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tamis.errors import InputError
from tamis.monitoring import DecisionLog
from tamis.monitoring.decision_log import LogReader, find_logs
from tamis.monitoring.entries import DecisionEntry, LostLinesEntry, QualityEntry, RegretEntry, TurnsEntry

COMPACTED = DecisionEntry(
    source="context",
    decision="compacted",
    session="s",
    tokens_before=9_000,
    tokens_after=900,
    latency_ms=12.5,
)
ENTRIES = (
    COMPACTED,
    TurnsEntry(source="proxy", mode="shadow", session="s"),
    RegretEntry(source="memory", kind="name", tokens=7, turn=2, new_turn=True, names=3),
    QualityEntry(source="context", runs=5, demanded=9, there=8, asked=4, found=4),
    LostLinesEntry(lines=2),
)


def read(path: Path) -> list[object]:
    return [line.entry for line in LogReader(path).read()]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "a.jsonl")
    assert [log.write(entry) for entry in ENTRIES] == [True] * len(ENTRIES)
    assert read(log.path) == list(ENTRIES)


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "a.jsonl")
    assert log.path.stat().st_mode & 0o777 == 0o600


def test_every_line_is_json_of_its_own(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "a.jsonl", clock=lambda: 86_400.5)
    log.write(COMPACTED)
    (line,) = log.path.read_text().splitlines()
    data = json.loads(line)
    assert (data["at"], data["pid"]) == ("1970-01-02T00:00:00.500Z", os.getpid())
    assert (data["event"], data["decision"], data["tokens_after"]) == ("decision", "compacted", 900)


def test_a_cut_last_line_spoils_neither_reading_nor_writing(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    DecisionLog(path).write(COMPACTED)
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: len(whole) // 2])
    assert read(path) == [COMPACTED]
    DecisionLog(path).write(LostLinesEntry(lines=1))
    reader = LogReader(path)
    assert [line.entry for line in reader.read()] == [COMPACTED, LostLinesEntry(lines=1)]
    assert reader.unread == 1


def test_a_line_behind_a_cut_one_is_found(tmp_path: Path) -> None:
    """Another process's line was cut, and ours stands right behind it."""
    path = tmp_path / "a.jsonl"
    log = DecisionLog(path)
    log.write(COMPACTED)
    with path.open("ab") as other:
        other.write(path.read_bytes()[:40])
    log.write(LostLinesEntry(lines=1))
    assert read(path) == [COMPACTED, LostLinesEntry(lines=1)]


def test_it_is_bounded_and_the_oldest_goes(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "a.jsonl", max_bytes=2_000, kept=2)
    for turn in range(200):
        log.write(RegretEntry(source="context", kind="name", tokens=1, turn=turn, new_turn=True))
    sizes = [file.stat().st_size for file in tmp_path.iterdir()]
    assert len(sizes) == 3
    assert max(sizes) <= 2_000
    turns = [entry.turn for entry in read(log.path) if isinstance(entry, RegretEntry)]
    assert turns == list(range(turns[0], 200))


def test_a_reader_follows_when_the_file_is_put_aside(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "a.jsonl", max_bytes=2_000, kept=3)
    reader = LogReader(log.path)
    seen: list[int] = []
    for turn in range(60):
        log.write(RegretEntry(source="context", kind="name", tokens=1, turn=turn, new_turn=True))
        if turn % 7 == 0:
            seen += [line.entry.turn for line in reader.read() if isinstance(line.entry, RegretEntry)]
    seen += [line.entry.turn for line in reader.read() if isinstance(line.entry, RegretEntry)]
    assert seen == list(range(60))


WRITER = """
import sys
from tamis.monitoring import DecisionLog
from tamis.monitoring.entries import RegretEntry
log = DecisionLog(sys.argv[1], max_bytes=20_000, kept=1_000)
for turn in range(300):
    log.write(RegretEntry(source="context", kind="name", tokens=1, turn=turn, new_turn=True))
"""


def test_two_processes_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    both = [subprocess.Popen([sys.executable, "-c", WRITER, str(path)]) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    reader = LogReader(path)
    turns: dict[int, list[int]] = {}
    for line in reader.read():
        assert isinstance(line.entry, RegretEntry)
        turns.setdefault(line.pid, []).append(line.entry.turn)
    assert reader.unread == 0
    assert {pid: sorted(own) for pid, own in turns.items()} == {p.pid: list(range(300)) for p in both}


def test_threads_share_one_log(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "a.jsonl", max_bytes=5_000, kept=1_000)
    threads = [threading.Thread(target=lambda: [log.write(COMPACTED) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read(log.path) == [COMPACTED] * 200


@contextmanager
def full_disk(path: Path, room: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("room", [0, 30])
def test_a_full_disk_stops_nobody_and_is_told_when_there_is_room(tmp_path: Path, room: int) -> None:
    log = DecisionLog(tmp_path / "a.jsonl")
    assert log.write(COMPACTED)
    with full_disk(log.path, room):
        assert [log.write(COMPACTED) for _ in range(3)] == [False] * 3
    assert (log.lost, "cannot be written" in (log.trouble or "")) == (3, True)
    assert log.write(COMPACTED)
    assert log.trouble is None
    assert read(log.path) == [COMPACTED, LostLinesEntry(lines=3), COMPACTED]


def test_a_log_that_somebody_deletes_begins_anew(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "a.jsonl")
    log.write(COMPACTED)
    log.path.unlink()
    assert log.write(LostLinesEntry(lines=1))
    assert read(log.path) == [LostLinesEntry(lines=1)]


def test_a_clock_that_jumps_changes_no_order(tmp_path: Path) -> None:
    times = iter([1_000_000.0, 5.0, 2_000_000.0])
    log = DecisionLog(tmp_path / "a.jsonl", clock=lambda: next(times))
    for turn in range(3):
        log.write(RegretEntry(source="context", kind="name", tokens=1, turn=turn, new_turn=True))
    assert [e.turn for e in read(log.path) if isinstance(e, RegretEntry)] == [0, 1, 2]


def test_another_file_is_never_written_to(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text('{"role": "user"}\n')
    with pytest.raises(InputError, match="is there and is not a decision log; name another file"):
        DecisionLog(path)
    assert path.read_text() == '{"role": "user"}\n'


@pytest.mark.parametrize("name", ["missing/a.jsonl", "."])
def test_a_place_that_cannot_be_is_said_at_once(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        DecisionLog(tmp_path / name)


def test_entries_of_a_later_version_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "a.jsonl")
    log.write(COMPACTED)
    line = log.path.read_text()
    log.path.write_text(
        line.replace('"event"', '"new_field":1,"event"') + line.replace("decision", "novelty")
    )
    reader = LogReader(log.path)
    assert ([entry.entry for entry in reader.read()], reader.unread) == ([COMPACTED], 1)


def test_a_folder_is_all_the_logs_in_it(tmp_path: Path) -> None:
    for name in ("a", "b"):
        log = DecisionLog(tmp_path / f"{name}.jsonl", max_bytes=500)
        for _ in range(5):
            log.write(COMPACTED)
    (tmp_path / "session.jsonl").write_text('{"role": "user"}\n')
    assert [path.name for path in find_logs(tmp_path)] == ["a.jsonl", "b.jsonl"]
