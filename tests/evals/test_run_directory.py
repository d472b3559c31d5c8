"""Run directories: what was measured comes back, and what is none is told with the next step."""

from __future__ import annotations

import json
import resource
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from evals.recorded import talk
from tamis.errors import InputError, NotComparable, OutputExists, UnreadableFile
from tamis.evals import (
    Failure,
    Result,
    RunWriter,
    SessionResults,
    Settings,
    SkippedInput,
    Texts,
    evaluate_session,
    read_run,
    write_run,
)

SETTINGS = Settings(methods=("index", "recorded"), budgets=("5%", "400"), at=("50%",))


def untimed(result: Result) -> Result:
    return replace(result, latency_ms=0.0)


@pytest.fixture(scope="module")
def part() -> SessionResults:
    made = evaluate_session(talk(20), SETTINGS, source="talk.jsonl", set_name="talks")
    failed = replace(made.results[0], score=Failure(reason="OSError: gone"), outcome="failed", context=None)
    skipped = SkippedInput(source="x.bin", what="x.bin", reason="binary")
    return replace(made, results=(*made.results, failed), skipped=(*made.skipped, skipped))


@pytest.fixture
def folder(tmp_path: Path, part: SessionResults) -> Iterator[Path]:
    path = tmp_path / "runs" / "one"
    with write_run(path, SETTINGS) as writer:
        writer.add(part)
    return path


def test_what_was_written_reads_back(folder: Path, part: SessionResults) -> None:
    run = read_run(folder)
    assert tuple(run.points) == part.points
    assert tuple(untimed(r) for r in run.results) == tuple(untimed(r) for r in part.results)
    assert [r.latency_ms for r in run.results] == pytest.approx(
        [r.latency_ms for r in part.results], abs=1e-3
    )
    assert tuple(run.skipped) == part.skipped
    assert (run.settings, run.sessions, run.messages) == (SETTINGS, 1, 20)
    assert run.exact_tokens


def test_a_failure_does_not_come_back_as_something_that_was_not_measured(folder: Path) -> None:
    assert [type(r.score).__name__ for r in read_run(folder).results] == [
        "Hindsight",
        "NotMeasured",
        "Hindsight",
        "NotMeasured",
        "Failure",
    ]


def test_every_text_comes_back_by_its_key(folder: Path, part: SessionResults) -> None:
    with closing(Texts(folder)) as texts:
        for key, text in part.texts.items():
            assert texts[key] == text
        with pytest.raises(KeyError):
            texts["0" * 24]


def test_a_cut_emoji_in_a_text_comes_back(tmp_path: Path) -> None:
    with write_run(tmp_path / "run", SETTINGS) as writer:
        writer.add(SessionResults(texts={"k": "a \ud83d b"}))
    with closing(Texts(tmp_path / "run")) as texts:
        assert texts["k"] == "a \ud83d b"


def test_results_of_several_files_add_up(tmp_path: Path, part: SessionResults) -> None:
    with write_run(tmp_path / "run", SETTINGS) as writer:
        writer.add(part)
        writer.add(part)
    run = read_run(tmp_path / "run")
    assert (run.sessions, run.messages, len(run.points)) == (2, 40, 2)


def test_a_run_that_broke_off_is_unfinished(tmp_path: Path, part: SessionResults) -> None:
    def interrupted() -> None:
        with write_run(tmp_path / "run", SETTINGS) as writer:
            writer.add(part)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with pytest.raises(UnreadableFile, match="unfinished run"):
        read_run(tmp_path / "run")


def test_what_is_no_run_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=f"not a run directory.*tamis eval PATH -o {tmp_path}"):
        read_run(tmp_path)


def test_a_run_of_another_version_is_not_compared(folder: Path) -> None:
    about = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**about, "format": "tamis-run/99"}))
    with pytest.raises(NotComparable, match="'tamis-run/99', this tamis reads 'tamis-run/2'"):
        read_run(folder)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("run.json", "{"),
        ("results.jsonl", '{"point": 1}\n'),
        ("points.jsonl", "nonsense\n"),
        ("run.json", "[]"),
    ],
)
def test_a_broken_run_says_so_in_one_line(folder: Path, name: str, content: str) -> None:
    (folder / name).write_text(content)
    with pytest.raises(UnreadableFile, match="broken run directory") as raised:
        read_run(folder)
    assert "\n" not in str(raised.value)


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(OutputExists, match="name a new folder"), write_run(tmp_path, SETTINGS):
        pass
    with pytest.raises(OutputExists), write_run(tmp_path / "letter.txt", SETTINGS):
        pass
    assert [p.name for p in tmp_path.iterdir()] == ["letter.txt"]


def test_a_full_disk_is_one_line_and_the_run_goes_on_with_room(tmp_path: Path, part: SessionResults) -> None:
    path = tmp_path / "run"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    said = pytest.raises(InputError, match="make room and give the same command again")
    with said, write_run(path, SETTINGS) as writer:
        resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, hard))
        try:
            _fill(writer, part)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    with write_run(path, SETTINGS) as writer:
        writer.add(part)
    assert part.points[0] in tuple(read_run(path).points)


def _fill(writer: RunWriter, part: SessionResults) -> None:
    for _ in range(100):
        writer.add(part)


def test_a_run_is_its_owners(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700
