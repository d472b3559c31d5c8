"""Running the command line in this process, and files to run it on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tamis.cli import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "sessions"


@dataclass(frozen=True)
class Ran:
    """What a command left: its exit status and what it printed."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def tamis(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `tamis ARGUMENTS` and catch what it prints."""

    def run(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        status = stopped.value.code
        assert isinstance(status, int)
        return Ran(status, printed.out, printed.err)

    return run


@pytest.fixture
def till() -> Path:
    """A recorded Claude Code session."""
    return EXAMPLES / "till.claude-code.jsonl"


@pytest.fixture
def chat() -> Path:
    """A recorded session as OpenAI chat messages."""
    return EXAMPLES / "logmerge.openai-chat.json"
