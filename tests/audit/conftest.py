"""A made-up home, and looking at what is in it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tamis.audit import AuditFigures, Machine, add_up, conduct, discover_sessions
from tamis.audit.discovery import StoredSession
from tamis.audit.inspection import Inspection, InspectionJob, inspect_session


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def machine(home: Path) -> Machine:
    return Machine(home=home, cwd=home)


Look = Callable[[], list[Inspection]]
Audit = Callable[..., AuditFigures]


@pytest.fixture
def look(machine: Machine) -> Look:
    """Find everything in the home and read it."""
    return lambda: [inspect_session(whole(stored)) for stored in discover_sessions(machine).sessions]


@pytest.fixture
def audit(machine: Machine) -> Audit:
    """The figures of the home."""

    def run(seconds: float = math.inf) -> AuditFigures:
        found = discover_sessions(machine)
        return add_up(conduct(found, jobs=1, seconds=seconds, watch=lambda *told: None))

    return run


def whole(stored: StoredSession) -> InspectionJob:
    """The job to read it to its end."""
    return InspectionJob(stored=stored, until=math.inf, most_seconds=math.inf)
