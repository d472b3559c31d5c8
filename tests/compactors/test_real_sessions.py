"""The hard guarantees on recorded sessions: one small file of each set, read in each set's own format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from compactors.conversations import COUNTER
from tamis.compactors import METHODS, Budget, get_method
from tamis.compactors.check import check_method
from tamis.errors import TamisError
from tamis.messages import Session
from tamis.sessions import read_all

MOST_BYTES = 100_000
BUDGETS = [Budget(share=0.02), Budget(share=0.2)]


def _one_of_each_set(folder: Path) -> Iterator[Session]:
    for raw in sorted(folder.glob("*/raw")):
        small = sorted(f for f in raw.rglob("*") if f.is_file() and 2_000 < f.stat().st_size < MOST_BYTES)
        for file in small:
            try:
                session = next(iter(read_all(file)), None)
            except TamisError:
                continue  # a licence, an index: not a session
            if session is not None and len(session.messages) > 5:
                yield session
                break


@pytest.fixture(scope="module")
def some_sessions(real_sessions: Path) -> list[Session]:
    found = list(_one_of_each_set(real_sessions))
    assert len(found) >= 5
    return found


@pytest.mark.parametrize("method", METHODS)
def test_hard_guarantees_hold_on_recorded_sessions(method: str, some_sessions: list[Session]) -> None:
    report = check_method(get_method(method), some_sessions, COUNTER, budgets=BUDGETS)
    assert [f for f in report.findings if f.violation.hard] == []
    assert report.compactions >= 2 * len(some_sessions)
