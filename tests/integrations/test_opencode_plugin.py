"""The plugin in the real OpenCode, against a scripted API: the summary of its compactions is tamis's."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from integrations.anthropic_endpoint import SAYS, Endpoint, anthropic_endpoint
from integrations.real_agents import LONG, RULE, broken, needs, variables, wrap
from tamis.archive import Archive

pytestmark = needs("opencode")


class Server:
    """`opencode serve` in a project of its own, and one session."""

    def __init__(self, folder: Path, endpoint: Endpoint) -> None:
        self.folder = folder
        self.place = folder / "project" / ".opencode"
        self.place.mkdir(parents=True)
        model = {"name": "Scripted", "limit": {"context": 200_000, "output": 8_000}}
        provider = {
            "npm": "@ai-sdk/anthropic",
            "options": {"baseURL": f"{endpoint.url}/v1", "apiKey": "sk-scripted"},
            "models": {"scripted": model},
        }
        config = {
            "model": "scripted/scripted",
            "small_model": "scripted/scripted",
            "autoupdate": False,
            "share": "disabled",
            "provider": {"scripted": provider},
        }
        self._variables = variables(
            folder / "home",
            OPENCODE_CONFIG_CONTENT=json.dumps(config),
            OPENCODE_DISABLE_MODELS_FETCH="1",
            OPENCODE_DISABLE_AUTOUPDATE="1",
            OPENCODE_DISABLE_LSP_DOWNLOAD="1",
        )

    def __enter__(self) -> Server:
        program = str(shutil.which("opencode"))
        self._process = subprocess.Popen(
            [program, "serve", "--port", "0", "--hostname", "127.0.0.1", "--print-logs"],
            cwd=self.folder / "project",
            env=self._variables,
            stdout=subprocess.PIPE,
            stderr=(self.folder / "log").open("w"),
            text=True,
        )
        assert self._process.stdout is not None
        address = next(m[0] for line in self._process.stdout if (m := re.search(r"http://127\S+", line)))
        self._client = httpx.Client(base_url=address, timeout=120)
        self.session = self._client.post("/session", json={}).json()["id"]
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()
        self._process.terminate()
        self._process.wait(timeout=30)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def say(self, text: str) -> None:
        body = {"parts": [{"type": "text", "text": text}]}
        self._client.post(f"/session/{self.session}/message", json=body).raise_for_status()

    def compact(self) -> str:
        """Have it compact, and give the summary that stands then."""
        body = {"providerID": "scripted", "modelID": "scripted"}
        self._client.post(f"/session/{self.session}/summarize", json=body).raise_for_status()
        messages = self._client.get(f"/session/{self.session}/message").json()
        last = next(m for m in reversed(messages) if m["info"].get("summary") is True)
        return "".join(part["text"] for part in last["parts"] if part["type"] == "text")

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A session with two compactions: the summaries, and what was asked of the API for them."""
    seen: dict[str, Any] = {}
    with anthropic_endpoint() as endpoint:
        server = Server(tmp_path_factory.mktemp("opencode"), endpoint)
        wrap("opencode", server.place)
        with server:
            for n in range(4):
                server.say(f"{RULE if n == 0 else ''} Tell what src/till{n}.py does. {LONG}")
            seen["first"] = server.compact()
            seen["asked"] = json.dumps(endpoint.requests[-1]["messages"])
            for n in range(4):
                server.say(f"Tell what src/stock{n}.py does. {LONG}")
            seen["second"] = server.compact()
            server.say("Go on.")
            seen["sent"] = json.dumps(endpoint.requests[-1]["messages"])
        seen["archive"] = server.place / "tamis.archive"
        yield seen


def test_the_summary_is_tamis_s_brief(ran: dict[str, Any]) -> None:
    assert ran["first"].startswith("[Brief of the work so far")
    assert RULE in ran["first"]


def test_the_model_is_not_asked_to_read_the_conversation(ran: dict[str, Any]) -> None:
    assert "src/till0.py" not in ran["asked"]
    assert len(ran["asked"]) < 1_000


def test_the_next_summary_goes_on_from_the_first(ran: dict[str, Any]) -> None:
    assert RULE in ran["second"]
    assert "src/till0.py" in ran["second"]
    assert "src/stock0.py" in ran["second"]


def test_the_model_goes_on_with_the_brief(ran: dict[str, Any]) -> None:
    assert RULE in ran["sent"]
    assert LONG.strip() not in ran["sent"]


def test_what_was_taken_out_can_be_had_back(ran: dict[str, Any]) -> None:
    with Archive.open(ran["archive"], read_only=True) as archive:
        assert any("src/till2.py" in archive.get(hit.id).text for hit in archive.search("src/till2.py"))


def test_a_broken_tamis_leaves_opencode_s_own_summary_and_says_so(tmp_path: Path) -> None:
    with anthropic_endpoint() as endpoint:
        server = Server(tmp_path, endpoint)
        broken(wrap("opencode", server.place))
        with server:
            server.say(f"{RULE} {LONG}")
            server.say(LONG)
            assert server.compact() == SAYS
    assert "tamis did not compact, OpenCode does" in server.log
