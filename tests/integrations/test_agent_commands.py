"""The commands around coding agents, as the shell and the agents run them."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sessions" / "till.claude-code.jsonl"


def tamis(folder: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tamis.cli", *arguments],
        cwd=folder,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


def call(event: str, **fields: Any) -> str:
    known = {"session_id": "s-1", "transcript_path": str(EXAMPLE), "hook_event_name": event}
    return json.dumps(known | fields)


def test_wrap_asks_shows_the_change_and_writes_nothing_when_told_no(tmp_path: Path) -> None:
    done = tamis(tmp_path, "wrap", "claude-code", given="n\n")
    assert "PreCompact" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / ".claude").exists()


def test_wrap_without_somebody_to_ask_says_how_to_go_on(tmp_path: Path) -> None:
    done = tamis(tmp_path, "wrap", "claude-code")
    assert done.returncode == 2
    assert "--yes" in done.stderr
    assert not (tmp_path / ".claude").exists()


def test_the_command_that_was_put_in_is_one_that_runs(tmp_path: Path) -> None:
    assert tamis(tmp_path, "wrap", "claude-code", "--yes").returncode == 0
    hooks = tmp_path / ".claude" / "skills" / "tamis" / "hooks" / "hooks.json"
    after = run_hook(hooks, "SessionStart", call("SessionStart", source="compact"))
    context = json.loads(after.stdout)["hookSpecificOutput"]["additionalContext"]
    assert "never change prices.csv" in context
    assert tamis(tmp_path, "unwrap", "claude-code", "--yes").returncode == 0
    assert not hooks.exists()


def run_hook(settings: Path, event: str, given: str) -> subprocess.CompletedProcess[str]:
    hooks = json.loads(settings.read_text(encoding="utf-8"))["hooks"]
    command = shlex.split(hooks[event][0]["hooks"][0]["command"])
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True)


def test_codex_is_told_what_it_compacted(tmp_path: Path) -> None:
    assert tamis(tmp_path, "wrap", "codex", "--yes").returncode == 0
    settings = tmp_path / ".codex" / "hooks.json"
    rollout = str(EXAMPLE.with_name("rota.codex.jsonl"))
    before = run_hook(settings, "PreCompact", call("PreCompact", transcript_path=rollout))
    assert (before.stdout, before.stderr) == ("", "")
    after = call("SessionStart", transcript_path=rollout, source="compact")
    context = json.loads(run_hook(settings, "SessionStart", after).stdout)["hookSpecificOutput"]
    assert "不要修改 team.json" in context["additionalContext"]
    assert "team.json" in tamis(tmp_path, "recall", ".codex/tamis.archive", "team.json").stdout
    assert tamis(tmp_path, "unwrap", "codex", "--yes").returncode == 0
    assert not settings.exists()


def test_a_session_that_codex_does_not_keep_is_said(tmp_path: Path) -> None:
    done = tamis(
        tmp_path, "hook", "codex", "--archive", "a.tamis", given=call("PreCompact", transcript_path=None)
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert "transcript_path" in done.stderr


def test_what_gemini_compresses_can_be_recalled(tmp_path: Path) -> None:
    chat = tmp_path / "session-1.json"
    asked = {
        "id": "1",
        "timestamp": "2026-01-01T00:00:01Z",
        "type": "user",
        "content": "Keep port 8417 open.",
    }
    header = {"sessionId": "g-1", "projectHash": "abc", "startTime": "2026-01-01T00:00:00Z"}
    chat.write_text(json.dumps({**header, "messages": [asked]}), encoding="utf-8")
    assert tamis(tmp_path, "wrap", "gemini-cli", "--yes").returncode == 0
    settings = tmp_path / ".gemini" / "settings.json"
    done = run_hook(settings, "PreCompress", call("PreCompress", transcript_path=str(chat), trigger="auto"))
    assert (done.stdout, done.stderr) == ("", "")
    server = json.loads(settings.read_text(encoding="utf-8"))["mcpServers"]["tamis"]
    assert "8417" in tamis(tmp_path, "recall", server["args"][-1], "port").stdout


def test_before_a_compaction_nothing_is_printed_and_recall_finds_it_after(tmp_path: Path) -> None:
    done = tamis(tmp_path, "hook", "claude-code", "--archive", "a.tamis", given=call("PreCompact"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "prices.csv" in tamis(tmp_path, "recall", "a.tamis", "prices.csv").stdout


@pytest.mark.parametrize(
    "given",
    ["", "not json", call("PreCompact", transcript_path="/no/such/file"), call("PreCompact", session_id=7)],
)
def test_trouble_never_stops_the_agent_and_is_said(tmp_path: Path, given: str) -> None:
    done = tamis(tmp_path, "hook", "claude-code", "--archive", "a.tamis", given=given)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("tamis hook: ")
    assert done.stderr.strip() in (tmp_path / "a.tamis.log").read_text(encoding="utf-8")


def test_an_archive_that_is_none_never_stops_the_agent(tmp_path: Path) -> None:
    (tmp_path / "a.tamis").write_text("not an archive, but something else entirely", encoding="utf-8")
    done = tamis(tmp_path, "hook", "claude-code", "--archive", "a.tamis", given=call("PreCompact"))
    assert done.returncode == 0
    assert "a.tamis" in done.stderr


def test_unwrapping_what_was_changed_says_what_to_do(tmp_path: Path) -> None:
    tamis(tmp_path, "wrap", "codex", "--yes")
    settings = tmp_path / ".codex" / "hooks.json"
    settings.write_text(settings.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    refused = tamis(tmp_path, "unwrap", "codex", "--yes")
    assert refused.returncode == 2
    assert "--only-ours" in refused.stderr
    assert tamis(tmp_path, "unwrap", "codex", "--only-ours", "--yes").returncode == 0
    assert json.loads(settings.read_text(encoding="utf-8")) == {}


def test_a_home_that_names_another_folder_is_wrapped_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    assert tamis(tmp_path, "wrap", "claude-code", "--user", "--yes").returncode == 0
    assert (tmp_path / "elsewhere" / "skills" / "tamis" / "hooks" / "register.js").exists()
