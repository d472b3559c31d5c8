"""The published package, where there is one: named by `COMPACTBENCH`, or at `/tmp/compactbench`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PLACE = Path(os.environ.get("COMPACTBENCH", "/tmp/compactbench"))


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder that `pip install --target FOLDER compactbench` filled."""
    if not (PLACE / "compactbench" / "cli.py").is_file():
        pytest.skip(f"needs the published package: pip install --target {PLACE} compactbench")
    return PLACE


@pytest.fixture
def ask_published(published: Path) -> Callable[[str, str], str]:
    """Runs a program with the published package in a process of its own: text in, text out."""

    def ask(program: str, given: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=given,
            capture_output=True,
            text=True,
            check=False,
            env={"PYTHONPATH": str(published), "PATH": os.environ["PATH"]},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return ask
