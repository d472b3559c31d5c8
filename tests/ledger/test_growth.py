"""Work grows no faster than what is read, counted in calls and in what the costly parts are given."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from ledger.conversation import said
from tamis.ledger import read_ledger
from tamis.ledger.shell import bash_tree
from tamis.messages import Message


def calls_in(work: Callable[[], Any]) -> int:
    """How many Python and built-in functions a piece of work calls."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def rules(count: int) -> list[Message]:
    return [said("user", f"Never touch file_{n}.py again, says team {n}.", f"m{n}") for n in range(count)]


SHAPES: dict[str, Callable[[int], list[Message]]] = {
    "rules past the bound of what is compared": lambda n: rules(400 + 10 * n),
    "unclosed tags": lambda n: [said("user", "<system-reminder>\n" * 20 * n)],
    "closed tags": lambda n: [said("user", "<system-reminder>x</system-reminder> y " * 20 * n)],
    "sentences": lambda n: [said("user", "It was a fine day. " * 20 * n)],
    "ticks": lambda n: [said("user", "`a " * 40 * n)],
}


def work_on(messages: list[Message]) -> int:
    return calls_in(lambda: read_ledger(messages))


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_as_much_is_about_twice_the_work(shape: str) -> None:
    make = SHAPES[shape]
    for size in (1, 3, 9):
        read_ledger(make(size))  # compiles the patterns
    few, more, most = (work_on(make(size)) for size in (2, 4, 8))
    assert most <= 2.5 * more
    assert more <= 2.5 * few


@pytest.mark.parametrize(
    "script",
    ["a@" * 20_000, "a|" * 20_000, "<<'" * 14_000, "`a " * 14_000, "<<A\n" * 10_000, "<<<A\n" + "a@" * 9_000],
)
def test_the_shell_parser_is_not_given_what_it_cannot_read_in_time(script: str) -> None:
    assert bash_tree.parse_bash(bash_tree.to_source(script)).named_child_count == 0


def test_a_long_body_of_a_here_document_is_read_all_the_same() -> None:
    script = "cat > a.json <<'E'\n" + "x" * 5_000 + "|" * 500 + "\nE\nls"
    assert bash_tree.parse_bash(bash_tree.to_source(script)).named_child_count > 0
