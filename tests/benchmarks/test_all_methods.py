from __future__ import annotations

import sys
from pathlib import Path

import pytest
from all_methods import HEADINGS, main
from click.testing import CliRunner

from tamis.cli import cli

TALK = Path(__file__).resolve().parents[2] / "examples" / "sessions" / "logmerge.openai-chat.json"


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    asked = ["-m", "nothing", "-m", "truncate", "-b", "30%", "--likelihood", "unigram", "--jobs", "1"]
    made = CliRunner().invoke(cli, ["eval", str(TALK), *asked, "-o", str(tmp_path / "run")])
    assert made.exit_code == 0, made.output
    return tmp_path / "run"


def cells_of(printed: str, method: str) -> dict[str, str]:
    row = next(line for line in printed.splitlines() if line.startswith(f"| {method} |"))
    return dict(zip(HEADINGS, (cell.strip() for cell in row.strip("| ").split(" | ")), strict=True))


def test_each_method_has_a_row_with_what_was_measured_of_it(
    run_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["all_methods.py", str(run_dir), "--budget", "30%"])
    main()
    printed = capsys.readouterr().out
    truncate = cells_of(printed, "truncate")
    assert truncate["bits saved"].endswith("(1)")
    assert truncate["next call: tool"] == truncate["tickets"] == "–"
    assert cells_of(printed, "nothing")["kept"] == "0.0%"
