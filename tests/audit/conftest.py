"""A made-up home, and looking at what is in it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tamis.audit import AuditFigures, Machine, add_up, conduct, find_stored
from tamis.audit.finding import Stored
from tamis.audit.reading import Job, Looked, look_at


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def machine(home: Path) -> Machine:
    return Machine(home=home, cwd=home)


Look = Callable[[], list[Looked]]
Audit = Callable[..., AuditFigures]


@pytest.fixture
def look(machine: Machine) -> Look:
    """Find everything in the home and read it."""
    return lambda: [look_at(whole(stored)) for stored in find_stored(machine).sessions]


@pytest.fixture
def audit(machine: Machine) -> Audit:
    """The figures of the home."""

    def run(seconds: float = math.inf) -> AuditFigures:
        found = find_stored(machine)
        return add_up(conduct(found, jobs=1, seconds=seconds, watch=lambda *told: None))

    return run


def whole(stored: Stored) -> Job:
    """The job to read it to its end."""
    return Job(stored=stored, until=math.inf, most_seconds=math.inf)
