"""Rules, facts and updates in the words of many people, each said in a talk of its own between idle talk.

`other_words.tsv` holds them: those by which the reading was mended (`tuned`), what is missed of these
(`missed`), and those that were kept aside, of which only a share has to hold. A row is its part, its kind,
the sentence, and for two sentences the second one and the value of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.conversation import said
from tamis.ledger import State, read_ledger

IDLE = (
    "I had another look at the pipeline and it felt slower than I remember.",
    "Nobody should have to look at a spreadsheet that early in the morning.",
    "There was a long thread about the backlog and nobody could agree on anything.",
    "I can never remember whether it is the form or the other one.",
    "What do you think about the way the sidebar is laid out?",
)
LEAST_ASIDE = {"rule": 0.8, "fact": 0.55, "update": 0.8, "neighbours": 0.8}
"""Of each kind the share of what was kept aside that has to hold."""


class Row(NamedTuple):
    part: str
    kind: str
    old: str
    new: str = ""
    was: str = ""
    value: str = ""


def rows() -> Iterator[Row]:
    for line in Path(__file__).with_name("other_words.tsv").read_text(encoding="utf-8").splitlines():
        yield Row(*line.split("\t"))


def known(state: State) -> list[str]:
    """The sentences that the state says to hold, and what was chosen."""
    tables = (state.constraints, state.facts, state.entities)
    texts = [entry.value.text for table in tables for entry in table]
    return texts + [entry.value.choice for entry in state.decisions]


def holds(row: Row) -> bool:
    sentences = [f"{IDLE[0]} {row.old} {IDLE[1]}", IDLE[2]]
    if row.new:
        sentences.append(f"{IDLE[3]} {row.new} {IDLE[4]}")
    talk = [said("user", text, f"m{at}") for at, text in enumerate(sentences)]
    state = read_ledger([part for message in talk for part in (message, said("assistant", "I see."))]).state
    texts = known(state)
    if row.kind == "rule":
        return row.old in [entry.value.text for entry in state.constraints]
    if row.kind == "fact":
        return row.old in texts
    if row.kind == "neighbours":
        return row.old in texts and row.new in texts
    return row.old not in texts and any(row.value in text for text in texts)


@pytest.mark.parametrize("row", [row for row in rows() if row.part == "tuned"], ids=lambda row: row.old)
def test_other_words_say_the_same(row: Row) -> None:
    assert holds(row)


@pytest.mark.parametrize("row", [row for row in rows() if row.part == "missed"], ids=lambda row: row.old)
@pytest.mark.xfail(reason="missed", strict=True)
def test_what_is_missed_is_known(row: Row) -> None:
    assert holds(row)


@pytest.mark.parametrize("kind", LEAST_ASIDE)
def test_most_of_what_was_kept_aside_holds(kind: str) -> None:
    aside = [holds(row) for row in rows() if row.part == "aside" and row.kind == kind]
    assert sum(aside) >= LEAST_ASIDE[kind] * len(aside)
