"""Going on from an earlier brief: what stands again, and what does not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from compactors.brief.test_selection import WORDS, candidate
from compactors.conversations import lines, request, run, say
from tamis.compactors import get_method, run_compactor
from tamis.compactors.brief.choice.selection import KEPT, Candidate
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.prefix_reuse import place_of, with_beginning
from tamis.errors import InputError


def stock(*worths: float) -> list[Candidate]:
    return [
        candidate(Statement(kind="said", text=WORDS[at], turn=at, place=(0, 0)), worth=worth)
        for at, worth in enumerate(worths)
    ]


def test_what_costs_little_stands_again() -> None:
    old = stock(10, 10, 10)
    kept = with_beginning(old, [place_of(c.statement) for c in old], 100)
    assert [c.required for c in kept] == [KEPT] * 3


def test_what_is_worth_far_less_than_what_is_new_does_not() -> None:
    both = stock(0.1, 0.1, 50, 50)
    kept = with_beginning(both, [place_of(c.statement) for c in both[:2]], 30)
    assert [c.required for c in kept] == [0] * 4


def test_what_is_gone_from_the_reading_is_not_kept() -> None:
    fresh = stock(10)
    assert with_beginning(fresh, [(7, 0, 0, "said")], 100) == fresh


def test_a_brief_begins_as_the_one_before() -> None:
    asked = say("user", "Please make the importer in src/rows.py skip empty rows.", id="asked")
    newer = say("user", "Now count the rows of the warehouse.", id="newer")
    one = (asked, *(m for n in (0, 1) for m in run(f"c{n}", f"cat part_{n}.py", lines(f"part_{n}", 60), 0)))
    two = (newer, *run("c2", "cat part_2.py", lines("part_2", 90), 0))
    first = run_compactor(get_method("ledger"), request(one, 300))
    carried = replace(first, carry=json.loads(json.dumps(dict(first.carry))))
    second = run_compactor(get_method("ledger"), request(two, 300, carried))
    before = first.messages[0].text
    end = before.index(asked.text) + len(asked.text)
    assert second.messages[0].text[:end] == before[:end]


def test_a_carry_of_another_version_says_what_to_do() -> None:
    with pytest.raises(InputError, match="compact from the original session"):
        StatementReader.resume({"format": "tamis-ledger/7"})


def test_reading_on_is_reading_at_once() -> None:
    span = [
        say("user", "Skip empty rows."),
        *run("a", "pytest -q", "1 failed in 0.1s", 1),
        say("assistant", "The reader in `rows.py` fails because the header is empty."),
        *run("b", "git commit -m 'Skip'", "[main 0a1b2c3] Skip", 0),
    ]
    whole, first = StatementReader(), StatementReader()
    whole.read(span)
    for cut in range(len(span)):
        first = StatementReader()
        first.read(span[:cut])
        resumed = StatementReader.resume(json.loads(json.dumps(first.carry())))
        resumed.read(span[cut:])
        assert [(s.kind, s.text, s.turn) for s in resumed.statements] == [
            (s.kind, s.text, s.turn) for s in whole.statements
        ]
        assert resumed.branch == "main"
        assert resumed.state == whole.state


def test_an_episode_that_goes_on_behind_a_brief_keeps_its_heading() -> None:
    asked = say("user", "Please make the importer in src/rows.py skip empty rows.", id="asked")
    one = (asked, *run("c0", "cat part_0.py", lines("part_0", 200), 0))
    two = (*run("c1", "cat part_1.py", lines("part_1", 200), 0), say("assistant", "It reads rows twice."))
    first = run_compactor(get_method("ledger"), request(one, 500))
    carried = replace(first, carry=json.loads(json.dumps(dict(first.carry))))
    second = run_compactor(get_method("ledger"), request(two, 500, carried))
    assert "### #0-2\n" in first.messages[0].text
    assert "### #0-2\n" in second.messages[0].text
