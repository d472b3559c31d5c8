"""The quality check: what it looks for, on which sample, and that nobody waits for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

import pytest

from compactors.conversations import compact, lines, run, say
from tamis.errors import InputError
from tamis.messages import Message
from tamis.monitoring import QualityCheck
from tamis.monitoring.entries import QualityEntry
from tamis.monitoring.quality import ReplacedSpan, check_quality

SPAN = (
    say("user", "Make src/totals.py skip empty rows. Never change reports/2024.csv.", id="u"),
    *run("r", "cat src/totals.py", lines("row", 40), 0),
    *run("w", "echo fixed > src/totals.py", "", 0),
    *run("t", "pytest -q", "3 passed in 0.1s", 0),
)


def replaced(shown: Sequence[Message], span: Sequence[Message] = SPAN) -> ReplacedSpan:
    return ReplacedSpan(source="context", mode="active", span=tuple(span), shown=tuple(shown))


def test_what_is_all_there_scores_one_and_what_is_gone_zero() -> None:
    assert check_quality([replaced(SPAN)]).score == 1.0
    assert check_quality([replaced(())]).score == 0.0


def test_the_score_is_read_off_the_span_and_not_off_what_the_method_says() -> None:
    full, none = (check_quality([replaced(compact(name, SPAN, 60).messages)]) for name in ("full", "nothing"))
    assert full.demanded == none.demanded > 2
    assert full.asked == none.asked > 0
    assert (full.score or 0) > (none.score or 0)


def test_where_nothing_can_be_looked_for_there_is_no_score() -> None:
    assert check_quality([replaced((), span=[say("assistant", "Hm.", id="1")])]).score is None


def test_every_so_many_compactions_a_sample_is_checked() -> None:
    told: list[QualityEntry] = []
    check = QualityCheck(every=4, sample=3, beside=False)
    for _ in range(9):
        check.take(replaced(SPAN), told.append)
    assert [one.runs for one in told] == [3, 3]


def test_the_same_compactions_give_the_same_sample() -> None:
    def scores() -> list[float | None]:
        told: list[QualityEntry] = []
        check = QualityCheck(every=6, sample=2, beside=False, seed=3)
        for n in range(18):
            check.take(replaced(SPAN if n % 2 else ()), told.append)
        return [one.score for one in told]

    assert scores() == scores()
    assert len(set(scores())) > 0


def test_nobody_waits_for_it_and_one_runs_at_a_time() -> None:
    go, told = threading.Event(), []

    def slow(found: QualityEntry) -> None:
        go.wait(20)
        told.append(found)

    check = QualityCheck(every=1, sample=1)
    for _ in range(3):
        check.take(replaced(SPAN), slow)
    assert told == []
    go.set()
    check.close()
    assert len(told) == 1


def test_one_that_fails_is_logged_and_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def fails(found: QualityEntry) -> None:
        raise OSError("gone")

    check = QualityCheck(every=1, sample=1, beside=False)
    with caplog.at_level(logging.ERROR, "tamis.monitoring"):
        check.take(replaced(SPAN), fails)
    assert "a quality check failed" in caplog.text


@pytest.mark.parametrize(("every", "sample"), [(0, 1), (1, 0), (-1, 5)])
def test_numbers_that_cannot_be_are_refused(every: int, sample: int) -> None:
    with pytest.raises(InputError, match="give 1 or more of both"):
        QualityCheck(every=every, sample=sample)
