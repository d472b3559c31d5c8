"""Shared by all tests: the folder of real sessions, the width of tables, property tests on slow machines."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "patient", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("patient"), max_examples=500)
settings.load_profile("patient")

os.environ.pop("COLUMNS", None)
"""Tables in the tests are as wide as they are, whatever the terminal that the tests were started from."""


@pytest.fixture(scope="session")
def real_sessions() -> Path:
    """The folder of recorded agent sessions; the test is skipped where it is missing."""
    default = Path(__file__).resolve().parents[2] / "shared" / "sessions"
    folder = Path(os.environ.get("TAMIS_SESSIONS", default))
    if not folder.is_dir():
        pytest.skip(f"no recorded sessions at {folder}; set TAMIS_SESSIONS to their folder")
    return folder
