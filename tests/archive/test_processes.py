from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from archive.writer import message
from tamis.archive import Archive

WRITER = Path(__file__).with_name("writer.py")


def start(path: Path, session: str, many: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WRITER), str(path), session, str(many)], stdout=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("acknowledged", [1, 2, 17, 60])
def test_killed_at_any_moment_every_finished_write_is_there(tmp_path: Path, acknowledged: int) -> None:
    path = tmp_path / "a"
    writer = start(path, "s", 1_000_000)
    assert writer.stdout is not None
    said = [int(writer.stdout.readline()) for _ in range(acknowledged)]
    writer.kill()  # SIGKILL: somewhere in the next write
    said += [int(line) for line in writer.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    writer.wait()
    with Archive.open(path) as archive:
        there = list(archive.messages("s"))
        assert there[: len(said)] == [message("s", n) for n in said]
        assert len(there) <= len(said) + 1
        assert archive._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert archive.search(f"said {said[-1]}")
        archive.put("s", [message("s", 999_999)])


def test_killed_again_and_again_it_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a"
    promised = {}
    for round_, acknowledged in enumerate((3, 1, 8, 5)):
        writer = start(path, f"s{round_}", 1_000_000)
        assert writer.stdout is not None
        promised[f"s{round_}"] = [int(writer.stdout.readline()) for _ in range(acknowledged)]
        writer.kill()
        writer.communicate()
    with Archive.open(path) as archive:
        for session, numbers in promised.items():
            assert list(archive.messages(session))[: len(numbers)] == [message(session, n) for n in numbers]


def test_several_processes_write_and_read_at_once(tmp_path: Path) -> None:
    path, many = tmp_path / "a", 25
    writers = [start(path, name, many) for name in ("one", "two", "three")]
    with Archive.open(path) as reader:
        seen = 0
        while any(w.poll() is None for w in writers):
            stats = reader.stats()
            assert stats.messages >= seen
            seen = stats.messages
        assert [w.wait() for w in writers] == [0, 0, 0]
        for name in ("one", "two", "three"):
            assert list(reader.messages(name)) == [message(name, n) for n in range(many)]
        assert len(reader.search("said", limit=200)) == 3 * many
    for w in writers:
        w.communicate()
