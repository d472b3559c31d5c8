"""The plugin in the real Claude Code, against a scripted API: its compactions are tamis's."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from integrations.anthropic_endpoint import Endpoint, anthropic_endpoint
from integrations.real_agents import LONG, REPOSITORY, RULE, broken, variables, wrap


def _binary() -> Path | None:
    found = importlib.util.find_spec("claude_agent_sdk")
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / "_bundled" / "claude"
    return path if os.access(path, os.X_OK) else None


BINARY = _binary()
pytestmark = pytest.mark.skipif(
    BINARY is None, reason="the claude-agent-sdk wheel here bundles no Claude Code"
)


class Session:
    """One run of Claude Code without a terminal, in a home and a project of its own."""

    def __init__(self, folder: Path, endpoint: Endpoint, *options: str) -> None:
        self._options = options
        self.endpoint = endpoint
        self.folder = folder
        self.place = folder / "home" / ".claude"
        self.place.mkdir(parents=True, exist_ok=True)
        (folder / "project").mkdir(exist_ok=True)
        self.said: list[dict[str, Any]] = []
        self.variables = variables(
            folder / "home",
            CLAUDE_CONFIG_DIR=str(self.place),
            ANTHROPIC_BASE_URL=endpoint.url,
            ANTHROPIC_API_KEY="sk-scripted",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        )

    def __enter__(self) -> Session:
        command = [str(BINARY), "-p", "--input-format", "stream-json", "--output-format", "stream-json"]
        self._process = subprocess.Popen(
            [*command, "--verbose", *self._options],
            cwd=self.folder / "project",
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def say(self, text: str) -> list[dict[str, Any]]:
        """Say something, and give what Claude Code printed until it was done with it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        message = {"type": "user", "message": {"role": "user", "content": text}}
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        printed = []
        for line in self._process.stdout:
            printed.append(json.loads(line))
            if printed[-1].get("type") == "result":
                break
        self.said += printed
        return printed

    def work(self, name: str, turns: int = 26) -> None:
        """Turns that fill the window: more than stays word for word."""
        for n in range(turns):
            self.say(f"Tell what src/{name}{n}.py does. {LONG}")

    def sent(self) -> str:
        """All the text of the newest request's conversation."""
        return json.dumps(self.endpoint.requests[-1]["messages"], ensure_ascii=False)


def logged(printed: list[dict[str, Any]]) -> str:
    return " ".join(line["text"] for line in printed if line.get("subtype") == "ui_log")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """One session with two compactions, the second taken back; what was asked of the API at each place."""
    seen: dict[str, Any] = {}
    with anthropic_endpoint() as endpoint:
        session = Session(tmp_path_factory.mktemp("claude"), endpoint)
        wrap("claude-code", session.place)
        with session:
            session.say(f"Make rows.py skip empty rows. {RULE}")
            session.work("till")
            asked = len(endpoint.requests)
            seen["full"] = session.sent()
            seen["log"] = logged(session.say("/compact"))
            seen["asked for it"] = len(endpoint.requests) - asked
            session.say("Go on.")
            seen["first"] = session.sent()
            session.work("stock")
            session.say("/compact")
            session.say("Go on again.")
            seen["second"] = session.sent()
            seen["undone"] = logged(session.say("/compact undo"))
            session.say("And now?")
            seen["back"] = session.sent()
        seen["place"] = session.place
        yield seen


def test_no_model_is_asked_for_the_compaction(ran: dict[str, Any]) -> None:
    assert ran["asked for it"] == 0
    assert "with no model call" in ran["log"]


def test_claude_goes_on_with_the_brief(ran: dict[str, Any]) -> None:
    assert RULE in ran["first"]
    assert "Brief of the work so far" in ran["first"]
    assert "src/till0.py" in ran["first"]
    assert len(ran["first"]) < 0.8 * len(ran["full"])


def test_the_newest_turns_stay_word_for_word(ran: dict[str, Any]) -> None:
    assert f"Tell what src/till25.py does. {LONG}".strip() in ran["first"]


def test_the_next_compaction_goes_on_from_the_first(ran: dict[str, Any]) -> None:
    assert RULE in ran["second"]
    assert "src/till0.py" in ran["second"]
    assert "src/stock0.py" in ran["second"]
    assert ran["second"].count("Brief of the work so far") == 1


def test_nothing_is_told_twice_by_a_hook(ran: dict[str, Any]) -> None:
    assert "read off the session" not in ran["first"]


def test_a_compaction_can_be_taken_back(ran: dict[str, Any]) -> None:
    assert "tamis compacted" in ran["undone"]
    assert f"Tell what src/stock0.py does. {LONG}".strip() in ran["back"]
    assert "Go on again." in ran["back"]


def test_it_says_how_what_is_gone_can_be_had_back(ran: dict[str, Any]) -> None:
    assert f"tamis recall {ran['place'].resolve() / 'tamis.archive'} WORDS" in ran["first"]


def test_a_broken_tamis_leaves_claude_code_s_own_compaction_and_says_so(tmp_path: Path) -> None:
    with anthropic_endpoint() as endpoint:
        session = Session(tmp_path, endpoint)
        wrap("claude-code", session.place)
        broken(session.place / "skills" / "tamis" / "hooks" / "register.js")
        with session:
            session.say(f"Make rows.py skip empty rows. {RULE}")
            printed = session.say("/compact")
            session.say("Go on.")
    assert "tamis did not compact, Claude Code does" in logged(printed)
    assert "being continued from a previous conversation" in session.sent()


def test_a_conversation_that_is_small_enough_is_left_to_claude_code(tmp_path: Path) -> None:
    with anthropic_endpoint() as endpoint:
        session = Session(tmp_path, endpoint)
        wrap("claude-code", session.place)
        with session:
            session.say("Hello.")
            printed = session.say("/compact")
    assert "tamis did not compact" in logged(printed)
    assert any(line.get("compact_result") == "success" for line in printed)


def test_what_sets_claude_code_off_itself_is_made_by_tamis(tmp_path: Path) -> None:
    with anthropic_endpoint() as endpoint:
        session = Session(tmp_path, endpoint, "--autocompact", "100000")
        wrap("claude-code", session.place)
        with session:
            session.say(f"Make rows.py skip empty rows. {RULE}")
            session.work("till")
            endpoint.input_tokens = 99_000
            session.say("More.")
            endpoint.input_tokens = 1_000
            session.say("Go on.")
    assert "tamis compacted" in logged(session.said)
    assert "Brief of the work so far" in session.sent()
    assert RULE in session.sent()


def test_the_share_of_the_window_that_was_asked_for_sets_it_off_once(tmp_path: Path) -> None:
    """In Claude Code's own test bench: without a terminal, it lets nobody set a compaction off."""
    shutil.copytree(REPOSITORY / "src/tamis/integrations/plugins/claude-code", tmp_path / "plugin")
    shutil.copy(Path(__file__).with_name("threshold.test.ts"), tmp_path / "plugin")
    done = _run(tmp_path, "plugin", "test", str(tmp_path / "plugin"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 pass" in done.stdout + done.stderr


@pytest.mark.parametrize("path", [".", "src/tamis/integrations/plugins/claude-code"])
def test_claude_code_finds_nothing_wrong_with_the_plugin(path: str, tmp_path: Path) -> None:
    done = _run(tmp_path, "plugin", "validate", str(REPOSITORY / path))
    assert done.returncode == 0, done.stdout + done.stderr


def _run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = variables(home, CLAUDE_CONFIG_DIR=str(home / ".claude"))
    return subprocess.run(
        [str(BINARY), *arguments], env=environment, capture_output=True, text=True, check=False
    )
