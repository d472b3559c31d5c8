"""`tamis ab` as it is typed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tamis.cli import main

WRITES = (
    "import json, os, pathlib; "
    "m = [{'role': 'user', 'content': 'go'}, {'role': 'assistant', 'content': 'ok'}]; "
    "pathlib.Path(os.environ['TAMIS_AB_DIR'], 's.json').write_text(json.dumps({'messages': m}))"
)


def ab(*arguments: str) -> int:
    with pytest.raises(SystemExit) as exit_:
        main(["ab", *arguments])
    return int(exit_.value.code or 0)


def test_it_says_what_it_runs_and_what_came_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "--runs",
        "2",
        "-o",
        str(tmp_path),
        "--log",
        "{dir}/s.json",
        "--",
        sys.executable,
        "-c",
        WRITES,
    ]
    assert ab(*command) == 0
    shown = capsys.readouterr()
    assert shown.err.count("succeeded") == 4
    assert "2 of 2 pairs ran whole. No p value of so few can be below 0.5" in shown.out
    assert "| succeeded | 2 (0.342 to 1) | 2 (0.342 to 1) |" in (tmp_path / "report.md").read_text()


def test_what_is_kept_can_be_shown_again_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ab("--runs", "1", "-o", str(tmp_path), "--log", "{dir}/s.json", "--", sys.executable, "-c", WRITES)
    capsys.readouterr()
    assert ab("-o", str(tmp_path), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["pairs"], told["arms"][0]["iterations"], told["arms"][0]["input_tokens"]) == (1, 1.0, None)
    assert told["criteria"][0]["verdict"] == "not measured"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--log", "x", "--", "no-such-program-at-all"], "there is no program 'no-such-program-at-all'"),
        (["--", sys.executable], "give --upstream URL"),
        (["--upstream", "nowhere", "--", sys.executable], "the upstream 'nowhere' is no URL"),
        ([], "holds no comparison"),
    ],
)
def test_what_cannot_be_tried_is_said_at_once(
    arguments: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ab("-o", str(tmp_path / "record"), *arguments) == 2
    shown = capsys.readouterr()
    assert says in shown.err
    assert not (tmp_path / "record").exists()


def test_tickets_are_run_and_shown_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ab("--tickets", "1", "-m", "ledger", "-m", "nothing", "-o", str(tmp_path)) == 0
    first = capsys.readouterr()
    assert first.err.count("task 1, ") == 2
    assert "Score of ledger, less that of" in first.out
    assert ab("-o", str(tmp_path)) == 0
    assert capsys.readouterr().out == first.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--tickets", "1", "-m", "hybrid"], "the scripted agent is none; write hybrid@MODEL"),
        (["--tickets", "1", "--", sys.executable], "give it, or a command"),
        (["--tickets", "0"], "give 1 or more"),
        (["-m", "mask", "-m", "ledger", "--log", "x", "--", sys.executable], "a command is tried with one"),
    ],
)
def test_tickets_that_cannot_be_run_are_said_at_once(
    arguments: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ab("-o", str(tmp_path / "record"), *arguments) == 2
    assert says in capsys.readouterr().err
