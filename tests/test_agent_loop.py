"""The example of an agent loop with a local model, played with a model that follows a script."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import tamis
from proxy.upstream import running
from tamis.proxy import ProxySettings
from tamis.proxy.server import make_app

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "agent_loop"
WINDOW = 2_800
Json = dict[str, Any]


class Reader:
    """Does what the last message says, and reads codes off what it is shown: nothing else does it know."""

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.offered: list[list[str]] = []

    def __call__(self, asked: Json) -> Json:
        shown = "\n".join(message["content"] for message in asked["messages"])
        last = asked["messages"][-1]["content"]
        self.prompts.append(shown)
        schema = asked["response_format"]["json_schema"]["schema"]
        self.offered.append([call["properties"]["name"]["const"] for call in schema["anyOf"]])
        name, arguments = self.choose(shown, last)
        said = json.dumps({"name": name, "arguments": arguments})
        message = {"role": "assistant", "content": said}
        usage = {"prompt_tokens": len(shown) // 3, "completion_tokens": 20, "total_tokens": 0}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "usage": usage} | {
            "choices": [choice]
        }

    def choose(self, shown: str, last: str) -> tuple[str, Json]:
        if report := re.search(r"Report (\d+) of \d+. Service: (\w+)(?s:.*)Verdict: (\w+)", last):
            number, service, verdict = report.groups()
            return "file_report", {"number": int(number), "service": service, "verdict": verdict}
        questions = re.findall(r"What is the rollback code of (\w+)\?", shown)
        if not questions:
            return "next_report", {}
        if seen := re.search(rf"rollback code of {questions[-1]} is (\w+-\d+)", shown):
            return "answer", {"text": seen[1]}
        if "recall" in self.offered[-1] and "Nothing" not in last:
            return "recall", {"words": f"rollback code {questions[-1]}"}
        return "answer", {"text": "I do not know."}


@pytest.fixture(scope="module")
def model_server() -> Iterator[Any]:
    sys.path.insert(0, str(EXAMPLE))
    try:
        import model_server

        yield model_server
    finally:
        sys.path.remove(str(EXAMPLE))


def agent(url: str, tmp_path: Path) -> Json:
    log = tmp_path / "night.json"
    run = subprocess.run(
        [sys.executable, EXAMPLE / "agent.py", "--log", log],
        env={**os.environ, "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "none"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert log.exists(), run.stderr
    told: Json = json.loads(run.stdout)
    return told | {"status": run.returncode}


def test_the_agent_answers_from_what_was_taken_out_long_ago(model_server: Any, tmp_path: Path) -> None:
    reader = Reader()
    with running(model_server.make_app(reader)) as upstream:
        settings = ProxySettings(
            upstream=upstream, window=WINDOW, budget="8%", archive=tmp_path / "night.tamis"
        )
        with running(make_app(settings)) as proxy:
            told = agent(proxy, tmp_path)
            metrics = httpx.get(f"{proxy}/metrics").text
    assert told == {
        "filed": 24,
        "filed_right": 24,
        "answered_right": 3,
        "asked": 3,
        "trouble": "",
        "status": 0,
    }
    assert _counted("requests", metrics, 'api="openai-chat",decision="compacted"') >= 3
    assert _counted("recalls", metrics) >= 3
    assert _counted("requests", metrics, 'api="openai-chat",decision="fallback"') == 0


def _counted(name: str, metrics: str, labels: str = "") -> float:
    within = "{" + labels + "}" if labels else ""
    found = re.search(rf"^tamis_proxy_{name}_total{re.escape(within)} (\S+)$", metrics, re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_the_log_is_read_as_a_session(model_server: Any, tmp_path: Path) -> None:
    with running(model_server.make_app(Reader())) as upstream:
        assert agent(upstream, tmp_path)["status"] == 0
    session = tamis.read(tmp_path / "night.json")
    assert session.format == "openai-chat"
    assert len(session.messages) == 2 + 2 * (1 + 24 + 3) + 3
