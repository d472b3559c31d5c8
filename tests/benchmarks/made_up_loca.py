"""A tiny environment of the shape of LOCA-bench: configurations, a runner, tools, a check by rule."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

REQUESTS = """
import json, urllib.error, urllib.request

class Answer:
    def __init__(self, status, content):
        self.status_code, self.content = status, content

    def json(self):
        return json.loads(self.content)

def post(url, json, timeout):
    request = urllib.request.Request(url, __import__("json").dumps(json).encode())
    request.add_header("content-type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return Answer(answer.status, answer.read())
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.read())
"""

MAIN = """
import json, os, requests, subprocess, sys
from pathlib import Path

def app():
    options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
    [task] = json.loads(Path(options["--config-file"]).read_bytes())["configurations"]
    state = Path(options["--output-dir"]) / "tasks" / task["env_class"].rpartition(".")[2] / "state0"
    play(task, state, options["--model"])

def play(task, state, model):
    desk = state / "agent_workspace"
    desk.mkdir(parents=True)
    (state / "logs").mkdir()
    (state / "logs" / "env.log").write_text(task["env_params"].get("log", ""))
    (state / "groundtruth_workspace").mkdir()
    (state / "groundtruth_workspace" / "total.txt").write_text("41 crates")
    entries = [{"crate": n, "note": f"crate {n} came on the {n}th morning"} for n in range(900)]
    (state / "deliveries.json").write_text(json.dumps(entries, indent=1))
    servers = [s for s in task["mcp_servers"] if s != task["env_params"].get("lost")]
    tools = [{"type": "function", "function": {"name": f"{s}_{s}", "parameters": {}}} for s in servers]
    messages, steps = [{"role": "user", "content": "Count the crates; write total.txt."}], 0
    while True:
        steps += 1
        said = ask({"model": model, "messages": messages, "tools": tools})
        messages.append(said)
        calls = said.get("tool_calls") or []
        if not calls or calls[0]["function"]["name"].startswith("claim_done"):
            break
        for call in calls:
            code = json.loads(call["function"]["arguments"]).get("code", "")
            ran = subprocess.run([sys.executable, "-c", code], cwd=desk, capture_output=True, text=True)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": ran.stdout or ran.stderr})
    total = desk / "total.txt"
    accuracy = float(total.exists() and total.read_text() == "41 crates")
    checked = {"status": "success", "accuracy": accuracy, "steps": steps, "feedback": ""}
    (state / "trajectory.json").write_text(json.dumps({"messages": messages}))
    (state / "eval.json").write_text(json.dumps(checked))

def ask(body):
    for _ in range(2):
        url = os.environ["LOCA_OPENAI_BASE_URL"] + "/chat/completions"
        answer = requests.post(url, json=body, timeout=60)
        if answer.status_code == 200:
            return answer.json()["choices"][0]["message"]
    return {"role": "assistant", "content": "Error: Failed to get response after multiple retries."}
"""


def task(kind: str, seed: int, **params: Any) -> dict[str, Any]:
    """A configuration of one state."""
    servers = {name: {"enabled": True} for name in ("desk", "python_execute", "claim_done")}
    return {
        "env_class": f"yard.{kind}",
        "env_params": {"seed": seed, **params},
        "mcp_servers": {**servers, "unused": {"enabled": False}},
    }


def lay_out(folder: Path, *tasks: dict[str, Any]) -> Path:
    """The environment, as if it had been installed in the folder."""
    files = {
        "task-configs/final_8k_set_config.json": json.dumps({"configurations": tasks}),
        "loca/__init__.py": "",
        "loca/cli/__init__.py": "",
        "loca/cli/main.py": MAIN,
        "requests.py": REQUESTS,
        ".venv/bin/python": f'#!/bin/sh\nexec {sys.executable} "$@"\n',
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / ".venv/bin/python").chmod(0o755)
    return folder
