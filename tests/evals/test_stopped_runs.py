"""A run that is killed goes on with the same command: nothing is lost, asked twice, or half there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evals.recorded import talk
from models.chat_server import Answer, ChatServer, chat_server, says
from tamis.errors import InputError, UnreadableFile
from tamis.evals import read_run, write_run
from tamis.evals.experiment.experiment_run import conduct
from tamis.evals.experiment.runner import SessionFile
from tamis.evals.rundir.results import Settings

SETTINGS = Settings(methods=("index", "truncate"), budgets=("5%",), readers=("lexical",), judges=("offline",))


def sessions(folder: Path, many: int = 4) -> list[SessionFile]:
    files = []
    for n in range(many):
        path = folder / f"{n}.json"
        path.write_text(
            json.dumps([{"role": m.role, "content": m.text} for m in talk(20 + 2 * n, id=f"t{n}").messages])
        )
        files.append(SessionFile(set="talks", path=path))
    return files


def lines(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if path.name not in ("timings.jsonl", "texts.sqlite", "journal.jsonl")
    }


@pytest.mark.parametrize("kept_bytes", [0.3, 0.6, 0.95])
def test_a_run_cut_anywhere_comes_out_as_if_it_had_not_been(tmp_path: Path, kept_bytes: float) -> None:
    """What a kill leaves: a journal whose last line is cut, and other files that are ahead of it."""
    files = sessions(tmp_path)
    conduct(files, SETTINGS, tmp_path / "whole")
    conduct(files, SETTINGS, tmp_path / "cut")
    journal = tmp_path / "cut" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[: int(journal.stat().st_size * kept_bytes)])
    with (tmp_path / "cut" / "answers.jsonl").open("ab") as file:
        file.write(b'{"result": "half a li')
    with pytest.raises(UnreadableFile, match="unfinished run"):
        read_run(tmp_path / "cut")
    conduct(files, SETTINGS, tmp_path / "cut")
    assert lines(tmp_path / "cut") == lines(tmp_path / "whole")
    assert journal.read_bytes() == (tmp_path / "whole" / "journal.jsonl").read_bytes()


def test_a_process_that_is_killed_loses_no_question_and_asks_none_twice(tmp_path: Path) -> None:
    """The first process is killed from within its 4th question; the second does the rest."""
    sessions(tmp_path / _made(tmp_path / "talks"), 3)
    victim: list[subprocess.Popen[bytes]] = []

    def answer(question: dict[str, Any]) -> Answer:
        if len(server.asked) == 4 and victim[0].poll() is None:
            os.kill(victim[0].pid, signal.SIGKILL)
            return Answer(hangs_up=True)
        return says("NOT IN CONTEXT")

    with chat_server(answer) as server:
        command = _command(tmp_path / "talks", tmp_path / "run", server)
        victim.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        said = victim[0].communicate(timeout=120)
        assert victim[0].returncode == -signal.SIGKILL, said
        second = subprocess.run(command, capture_output=True, timeout=120, check=False)
        assert second.returncode == 0, second.stderr
        asked = [json.dumps(question["messages"]) for question in server.asked]
        third = subprocess.run(command, capture_output=True, timeout=120, check=False)
        assert third.returncode == 0, third.stderr
        assert len(server.asked) == len(asked)  # all is there
    run = read_run(tmp_path / "run")
    assert len(run.answers) == len({a.key for a in run.answers}) > 4
    assert len(set(asked)) == len(asked) - 1  # only the question that was never answered came again


def test_two_processes_cannot_write_one_run(tmp_path: Path) -> None:
    with (
        write_run(tmp_path / "run", SETTINGS),
        pytest.raises(InputError, match="another process is writing this run"),
        write_run(tmp_path / "run", SETTINGS),
    ):
        pass


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _command(talks: Path, run: Path, server: ChatServer) -> Sequence[str]:
    options = ["-m", "index", "-m", "truncate", "-b", "5%", "--jobs", "1", "--concurrency", "1"]
    reader = ["--reader", f"{server.url}#small", "--judge", "offline"]
    return [sys.executable, "-m", "tamis.cli", "eval", str(talks), *options, *reader, "-o", str(run)]
