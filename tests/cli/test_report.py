"""`tamis report` and `tamis view` as they are called."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.conftest import Run
from reports import runs


@pytest.fixture(scope="module")
def run_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return runs.write(tmp_path_factory.mktemp("reported"), jobs=2)


def test_the_page_is_written_beside_the_run_unless_told(tamis: Run, run_dir: Path) -> None:
    ran = tamis("report", run_dir, "--force")
    assert (ran.status, ran.out) == (0, f"report: {run_dir / 'report.html'}\n")
    assert "The six dimensions" in (run_dir / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "holds"), [("a.md", "**Six dimensions**"), ("a.json", '"conclusions"')])
def test_the_ending_says_which_form(tamis: Run, run_dir: Path, tmp_path: Path, name: str, holds: str) -> None:
    assert tamis("report", run_dir, "-o", tmp_path / name).status == 0
    assert holds in (tmp_path / name).read_text(encoding="utf-8")


def test_so_many_of_the_worst_answers_are_shown(tamis: Run, run_dir: Path, tmp_path: Path) -> None:
    shown = {}
    for answers in (0, 1):
        target = tmp_path / f"{answers}.html"
        assert tamis("report", run_dir, "-o", target, "--answers", answers).status == 0
        shown[answers] = target.read_text(encoding="utf-8").count('class="worst answer"')
    assert shown[0] == 0
    assert 0 < shown[1] <= 6


def test_a_report_is_not_overwritten_unasked(tamis: Run, run_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("mine", encoding="utf-8")
    assert tamis("report", run_dir, "-o", tmp_path / "a.html").status == 2
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == "mine"


_MAIN = "from tamis.cli import main; main()"


@contextmanager
def viewing(*arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    """`tamis view` in a process of its own, which is ended behind the block."""
    command = [sys.executable, "-c", _MAIN, "view", "--port", "0", *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


def test_view_says_where_it_serves_and_serves_there(run_dir: Path) -> None:
    with viewing(run_dir, "--json") as process:
        assert process.stdout
        told = process.stdout.readline()
        while not told.endswith("}\n"):
            line = process.stdout.readline()
            assert line, f"it ended after {told!r}"
            told += line
        ready = json.loads(told)
        assert ready["runs"] == [str(run_dir)]
        with urllib.request.urlopen(f"{ready['url']}api/runs") as reply:
            (run,) = json.load(reply)
        assert run["points"] == 3


def test_view_refuses_what_is_no_run(tamis: Run, tmp_path: Path) -> None:
    ran = tamis("view", tmp_path, "--port", "0")
    assert (ran.status, ran.out) == (2, "")
    assert "not a run directory" in ran.err


def test_view_needs_a_run(tamis: Run) -> None:
    assert tamis("view").status == 2


_SERVING = """
import signal, sys, tempfile
from tamis.cli import main
tempfile.tempdir = sys.argv.pop(1)
main(sys.argv[1:])
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_viewer_that_is_told_to_stop_leaves_no_index(
    number: signal.Signals, tmp_path: Path, run_dir: Path
) -> None:
    path = os.pathsep.join(filter(None, sys.path))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", _SERVING, str(temporary), "view", str(run_dir), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        assert process.stdout is not None
        assert b"serving at" in process.stdout.readline()
        assert list(temporary.iterdir())
        process.send_signal(number)
        process.wait(30)
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()
    assert not list(temporary.iterdir())
