from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from statement_grades import GRADES, Graded, learn, reached, read

from tamis.compactors.brief.choice.signals import NUMBERS, Signals


def span(number: int, told: dict[str, float]) -> Graded:
    """A span of statements with what their grades count."""
    signals = [Signals("said", (9.0, *[0.0] * (len(NUMBERS) - 1)), frozenset(), text) for text in told]
    return Graded(
        file=f"{'abc'[number % 3]}/{number}",
        signals=signals,
        tokens=np.full(len(told), 9.0),
        worth=np.ones(len(told)),
        values=np.array([*told.values()]),
    )


def test_grades_are_a_line_for_each_span_and_hold_no_text() -> None:
    lines = [line for line in GRADES.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) >= 90
    for line in lines:
        _, first, end, graded = line.split("\t")
        assert int(first) < int(end)
        places, grades = zip(*(item.split("=") for item in graded.split()), strict=True)
        assert {*grades} <= {*"01234"}
        assert all(len(place.split(".")) == 3 for place in places)


def test_what_readers_want_is_learned() -> None:
    spans = [span(n, {"The lock was missing.": 2.5, "Let me look.": 0.0}) for n in range(12)]
    model = learn(spans)
    wanted, idle = spans[0].signals
    assert model(wanted) > 3 * model(idle)
    assert learn(spans) == model


def test_what_is_reached_is_a_share_of_the_best() -> None:
    one = span(0, {"a": 5.0, "b": 1.0, "c": 0.0, "d": 0.0})
    assert reached(one, np.array([4.0, 3.0, 2.0, 1.0]), 0.5) == 1.0
    assert reached(one, np.array([1.0, 4.0, 3.0, 2.0]), 0.5) == pytest.approx(1 / 6)
    assert reached(span(0, {"a": 0.0}), np.ones(1), 1.0) is None


def test_graded_statements_are_found_again(real_sessions: Path) -> None:
    found = next(read(real_sessions))
    assert len(found.values) >= 10
    assert found.values.max() > found.values.min()
