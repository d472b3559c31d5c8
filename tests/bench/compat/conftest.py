"""The published package, where there is one: the folder that `COMPACTBENCH` names, or as it is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder that `pip install --target FOLDER compactbench` filled, or the one of installed packages."""
    named, installed = os.environ.get("COMPACTBENCH"), find_spec("compactbench")
    if named is None and (installed is None or installed.origin is None):
        pytest.skip("needs the published package: pip install compactbench")
    place = Path(named) if named else Path(str(installed and installed.origin)).parents[1]
    assert (place / "compactbench" / "cli.py").is_file(), f"COMPACTBENCH: no compactbench in {place}"
    return place


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
