"""Coding agents that may be on this machine, wrapped in a folder of their own; tests without one are skipped.

They are looked for on the path; nothing is installed. `npm install opencode-ai @mariozechner/pi-coding-agent`
and a path with their programs in front run them all.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tamis.integrations.agents.known import AGENTS
from tamis.integrations.agents.wrap import plan_wrap, put

REPOSITORY = Path(__file__).resolve().parents[2]
RULE = "Never change b.txt, another program writes it."
LONG = "It reads the ledger of the shop line by line and writes what it found into the log. " * 60


def needs(program: str) -> pytest.MarkDecorator:
    """Skip where the program is not on the path."""
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not on the path")


def variables(home: Path, **more: str) -> dict[str, str]:
    """An environment in which an agent finds nothing of this machine's user."""
    homes = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    source = str(REPOSITORY / "src")
    return {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": source, **homes, **more}


def wrap(name: str, place: Path) -> Path:
    """Wrap the agent whose folder this is; gives the first of its files."""
    agent = AGENTS[name]
    plan = plan_wrap(agent, place, agent.archive(place))
    assert plan is not None
    put(plan)
    return plan.changes[0].path


def broken(plugin: Path) -> None:
    """Let the plugin look for a tamis that is not there."""
    text = plugin.read_text(encoding="utf-8")
    plugin.write_text(text.replace("const COMMAND = [", 'const COMMAND = ["/gone", '), encoding="utf-8")
