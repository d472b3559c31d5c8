"""When two errors, or two lines, say the same."""

from __future__ import annotations

import pytest

from tamis.ledger.events import ErrorMessage
from tamis.memory.patterns import Patterns, error_meaning, meaning_of

LONG = "could not apply the migration to the orders table of the production database because the column " * 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ValueError: row 7 is empty", "ValueError: row 1234 is empty"),
        ("FileNotFoundError: no /tmp/a1/conf.py", "FileNotFoundError: no /home/x/conf.py"),
        ("RuntimeError: object at 0x7f01 is gone", "RuntimeError: object at 0x55aa is gone"),
        ("- ValueError: bad port", "ValueError:   bad port"),
    ],
)
def test_sightings_of_one_error_mean_the_same(one, other):
    assert meaning_of(one) == meaning_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"RuntimeError: {LONG} phone exists", f"RuntimeError: {LONG} mobile is missing"),
        ("ValueError: bad port", "TypeError: bad port"),
        ("error TS2345: wrong argument", "error TS2322: wrong argument"),
        ("HTTPError: HTTP 404", "HTTPError: HTTP 500"),
        ("it was kept", "it was dropped"),
    ],
)
def test_errors_that_differ_do_not(one, other):
    assert meaning_of(one) != meaning_of(other)


def test_the_place_is_part_of_the_meaning_but_not_its_line():
    def at(place: str) -> str:
        return error_meaning(ErrorMessage(message="bad port", type="ValueError", place=place))

    assert at("/srv/a/conf.py:3") == at("/tmp/b/conf.py:99")
    assert at("conf.py:3") != at("main.py:3")


def test_an_error_seen_again_is_one_pattern_with_a_count():
    patterns = Patterns()
    for number in (1, 2, 5):
        patterns.see(ErrorMessage(message=f"row {number} is empty", type="ValueError"), number)
    (pattern,) = patterns.open()
    assert pattern.text == "row 5 is empty (3x, iterations 1-5)"


def test_patterns_read_back_are_the_same():
    patterns = Patterns()
    patterns.see(ErrorMessage(message="row 1 is empty", place="a.py:3"), 1)
    again = Patterns.from_json(patterns.to_json())
    assert again.open() == patterns.open()
