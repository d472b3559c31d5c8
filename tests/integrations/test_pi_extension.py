"""The extension in the real pi, against a scripted API: the summary of its compactions is tamis's."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from integrations.anthropic_endpoint import SAYS, Endpoint, anthropic_endpoint
from integrations.real_agents import LONG, RULE, broken, needs, variables, wrap

pytestmark = needs("pi")


class Session:
    """`pi --mode rpc` with a home of its own."""

    def __init__(self, folder: Path, endpoint: Endpoint) -> None:
        self.folder = folder
        self.place = folder / "agent"
        self.place.mkdir(parents=True)
        model = {"id": "scripted", "contextWindow": 200_000, "maxTokens": 8_000}
        provider = {"baseUrl": endpoint.url, "api": "anthropic-messages", "apiKey": "sk", "models": [model]}
        (self.place / "models.json").write_text(json.dumps({"providers": {"scripted": provider}}))
        (self.place / "settings.json").write_text(json.dumps({"compaction": {"keepRecentTokens": 1_500}}))
        self._variables = variables(
            folder / "home", PI_CODING_AGENT_DIR=str(self.place), PI_OFFLINE="1", PI_SKIP_VERSION_CHECK="1"
        )

    def __enter__(self) -> Session:
        self._process = subprocess.Popen(
            [str(shutil.which("pi")), "--mode", "rpc", "--model", "scripted/scripted"],
            cwd=self.folder,
            env=self._variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(self.folder / "errors").open("w"),
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.terminate()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    def ask(self, command: dict[str, Any], until: str) -> list[dict[str, Any]]:
        """Send a command, and give the events up to one of this type."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        events = []
        for line in self._process.stdout:
            events.append(json.loads(line))
            if events[-1].get("type") == until and events[-1].get("command") in (None, command["type"]):
                return events
        raise AssertionError((self.folder / "errors").read_text())

    def say(self, text: str) -> None:
        self.ask({"type": "prompt", "message": text}, "agent_end")

    def compact(self) -> tuple[str, list[dict[str, Any]]]:
        """Have it compact; the summary, and all events."""
        events = self.ask({"type": "compact"}, "response")
        assert events[-1]["success"], events[-1]
        return events[-1]["data"]["summary"], events


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A session with two compactions."""
    seen: dict[str, Any] = {}
    with anthropic_endpoint() as endpoint:
        session = Session(tmp_path_factory.mktemp("pi"), endpoint)
        wrap("pi", session.place)
        with session:
            for n in range(4):
                session.say(f"{RULE if n == 0 else ''} Tell what src/till{n}.py does. {LONG}")
            asked = len(endpoint.requests)
            seen["first"], _ = session.compact()
            seen["asked for it"] = len(endpoint.requests) - asked
            for n in range(4):
                session.say(f"Tell what src/stock{n}.py does. {LONG}")
            seen["second"], _ = session.compact()
            session.say("Go on.")
            seen["sent"] = json.dumps(endpoint.requests[-1]["messages"])
        yield seen


def test_the_summary_is_tamis_s_brief_and_no_model_is_asked(ran: dict[str, Any]) -> None:
    assert ran["first"].startswith("[Brief of the work so far")
    assert RULE in ran["first"]
    assert ran["asked for it"] == 0


def test_the_next_summary_goes_on_from_the_first(ran: dict[str, Any]) -> None:
    assert RULE in ran["second"]
    assert "src/till0.py" in ran["second"]
    assert "src/stock0.py" in ran["second"]


def test_the_model_goes_on_with_the_brief(ran: dict[str, Any]) -> None:
    assert RULE in ran["sent"]


def test_a_broken_tamis_leaves_pi_s_own_summary_and_says_so(tmp_path: Path) -> None:
    with anthropic_endpoint() as endpoint:
        session = Session(tmp_path, endpoint)
        broken(wrap("pi", session.place))
        with session:
            for _ in range(3):
                session.say(f"{RULE} {LONG}")
            summary, events = session.compact()
    assert SAYS in summary
    assert any("tamis did not compact, pi does" in str(event.get("message")) for event in events)
