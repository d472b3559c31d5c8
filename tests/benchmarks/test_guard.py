from __future__ import annotations

import sys

import pytest
from guard import Measure, compare

TABLE = """### all

| method | 5% | 10% |
|---|---|---|
| mask | 0.13 (0.07-0.25) | 0.37 |
| ledger | 0.30 (0.19-0.45) | 0.41 (0.28-0.55) |
"""


def printing(text: str, **options: object) -> Measure:
    command = (sys.executable, "-c", f"print({text!r})")
    return Measure(command=command, rows={"chats": "ledger"}, columns=("5%", "10%"), **options)  # type: ignore[arg-type]


def test_reads_the_figures_of_a_row_and_not_the_intervals() -> None:
    assert printing(TABLE).measured() == {"chats, 5%": 0.3, "chats, 10%": 0.41}


def test_brings_percents_to_shares() -> None:
    assert printing("ledger  62.5  100.0", scale=0.01).measured() == {"chats, 5%": 0.625, "chats, 10%": 1.0}


@pytest.mark.parametrize("text", ["| mask | 0.13 | 0.37 |", "| ledger | 0.30 | - |"])
def test_a_row_that_is_not_printed_is_an_error_and_no_zero(text: str) -> None:
    with pytest.raises(ValueError, match="no row 'ledger' with 2 figures"):
        printing(text).measured()


def test_a_command_that_fails_is_an_error_with_its_own_words() -> None:
    broken = Measure(
        command=(sys.executable, "-c", "raise SystemExit('no such folder')"), rows={}, columns=()
    )
    with pytest.raises(ValueError, match="no such folder"):
        broken.measured()


@pytest.mark.parametrize(
    ("now", "mark", "fell"),
    [(0.3, "rose", False), (0.195, "less", False), (0.18, "fell", True), (None, "gone", True)],
)
def test_tells_what_moved_and_whether_a_figure_fell(now: float | None, mark: str, fell: bool) -> None:
    lines, has_fallen = compare({"chats": 0.2}, {} if now is None else {"chats": now})
    assert (lines[0].split()[0], has_fallen) == (mark, fell)


def test_says_nothing_of_what_stayed() -> None:
    assert compare({"chats": 0.2}, {"chats": 0.2}) == ([], False)
