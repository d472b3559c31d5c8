"""The same input gives the same bytes in every process, whatever order its sets come in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SESSION = Path(__file__).resolve().parents[2] / "examples" / "sessions" / "till.claude-code.jsonl"
SCRIPT = """
import sys, tamis
made = tamis.compact(tamis.read(sys.argv[1]), budget=0.1, method=sys.argv[2])
sys.stdout.write(repr(made.compaction.messages))
"""


@pytest.mark.parametrize("method", ["ledger", "index", "extractive"])
def test_a_compaction_does_not_depend_on_the_seed_of_hashes(method: str) -> None:
    made = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(SESSION), method],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(made) == 1
