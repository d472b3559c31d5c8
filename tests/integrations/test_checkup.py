"""What `tamis doctor` finds of an agent, and what it says to do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tamis.integrations.agents.checkup import CommandOutput, check
from tamis.integrations.agents.known import AGENTS
from tamis.integrations.agents.wrap import plan_wrap, put


def wrapped(name: str, place: Path) -> None:
    plan = plan_wrap(AGENTS[name], place, AGENTS[name].archive(place))
    assert plan is not None
    put(plan)


@pytest.mark.parametrize("name", AGENTS)
def test_what_was_put_in_is_tried_and_works(name: str, tmp_path: Path) -> None:
    wrapped(name, tmp_path)
    found = check(AGENTS[name], tmp_path)
    assert (found.standing, found.works, found.finding, found.remedy) == ("wrapped", True, "works", "")


@pytest.mark.parametrize("name", ["opencode", "codex"])
def test_a_python_that_is_gone_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as older:
        older.setattr("tamis.integrations.agents.known.sys.executable", "/gone/python")
        wrapped(name, tmp_path)
    found = check(AGENTS[name], tmp_path)
    assert found.works is False
    assert found.finding == "/gone/python is gone"
    assert found.remedy.startswith(f"tamis wrap {name}")


def test_a_compaction_that_loses_a_rule_does_not_work(tmp_path: Path) -> None:
    wrapped("opencode", tmp_path)

    def run(command: Sequence[str], given: str) -> CommandOutput:
        return CommandOutput(output='{"summary": "A brief."}')

    assert check(AGENTS["opencode"], tmp_path, run=run).finding == "the compaction that was tried lost a rule"


def test_an_agent_that_is_not_wrapped_is_said_to_be_so(tmp_path: Path) -> None:
    found = check(AGENTS["pi"], tmp_path)
    assert (found.standing, found.works, found.finding) == ("absent", None, "not wrapped")


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "hooks.json").write_text("{", encoding="utf-8")
    found = check(AGENTS["codex"], tmp_path)
    assert found.works is False
    assert "is not JSON" in found.finding


def tamis(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tamis.cli", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_doctor_exits_with_1_where_something_does_not_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    wrapped("codex", tmp_path / ".codex")
    fine = tamis(tmp_path, "doctor", "--json")
    assert fine.returncode == 0
    (agent,) = [agent for agent in json.loads(fine.stdout)["agents"] if agent["agent"] == "codex"]
    assert agent["works"] is True
    (tmp_path / ".codex" / "hooks.json").write_text("{", encoding="utf-8")
    broken = tamis(tmp_path, "doctor")
    assert broken.returncode == 1
    assert "!! codex" in broken.stdout


def test_pins_are_kept_listed_and_let_go(tmp_path: Path) -> None:
    assert tamis(tmp_path, "pin", "a.archive", "Never push to main.").returncode == 0
    (pin,) = json.loads(tamis(tmp_path, "pin", "a.archive", "--json").stdout)
    assert pin["text"] == "Never push to main."
    assert "Never push" in tamis(tmp_path, "pin", "a.archive", "--remove", pin["id"]).stderr
    assert json.loads(tamis(tmp_path, "pin", "a.archive", "--json").stdout) == []
    assert tamis(tmp_path, "pin", "no.archive").returncode == 2


def test_the_logs_of_wrapped_agents_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    line = {
        "tamis": 1, "at": "2026-01-01T00:00:00.000Z", "pid": 1, "source": "context", "decision": "compacted",
        "mode": "active", "session": "s", "trigger": "demand", "method": "ledger", "version": "2",
        "outcome": "fits", "tokens_before": 9_000, "tokens_after": 1_000, "latency_ms": 5.0, "warnings": 0,
        "event": "decision",
    }  # fmt: skip
    log = tmp_path / ".claude" / "tamis.archive.decisions.jsonl"
    log.parent.mkdir()
    log.write_text(json.dumps(line, separators=(",", ":")) + "\n", encoding="utf-8")
    (found,) = json.loads(tamis(tmp_path, "monitor", "--json").stdout)["sources"]
    assert found["name"] == ".claude/tamis.archive.decisions.jsonl"
    assert "8,000" in tamis(tmp_path, "monitor").stdout


def test_without_a_log_of_a_wrapped_agent_it_is_said_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    done = tamis(tmp_path, "monitor")
    assert done.returncode == 2
    assert "tamis doctor" in done.stderr


@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_another_archive_is_no_other_version(name: str, tmp_path: Path) -> None:
    archive = tmp_path / "my own.archive"
    plan = plan_wrap(AGENTS[name], tmp_path / "agent", archive)
    assert plan is not None
    put(plan)
    found = check(AGENTS[name], tmp_path / "agent")
    assert (found.standing, found.finding) == ("wrapped", "works")
    nothing = CommandOutput(trouble="it is gone")
    again = check(AGENTS[name], tmp_path / "agent", run=lambda *_: nothing).remedy
    assert again.endswith(f" --archive '{archive}'")


def test_a_recall_tool_without_its_library_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrapped("gemini-cli", tmp_path)
    monkeypatch.setattr("tamis.integrations.agents.checkup.find_spec", lambda _: None)
    found = check(AGENTS["gemini-cli"], tmp_path)
    assert (found.works, found.remedy) == (True, "pip install 'tamis[mcp]'")
