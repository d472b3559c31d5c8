"""Every adapter's example runs as its first lines say, offline."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "adapters"
NEEDS = {
    "claude_agent_sdk_hooks": "claude_agent_sdk",
    "compactbench_method": "compactbench",
    "inspect_ai_agent": "inspect_ai",
    "langchain_agent": "langchain",
    "llama_index_agent": "llama_index",
    "openai_agents_agent": "agents",
    "pydantic_ai_agent": "pydantic_ai",
}
"""Each example, and the package that it is about."""


@pytest.mark.parametrize(("name", "package"), NEEDS.items())
def test_it_runs_and_finds_what_it_asserts(name: str, package: str) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"needs {package}, which is not installed")
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_every_example_is_run_here() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.py")) == sorted([*NEEDS, "story"])
