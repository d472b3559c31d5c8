from __future__ import annotations

import random

import pytest

from tamis.evals.statements.coverage import Rarity, best_window, wanted, windows, with_order_of
from tamis.evals.statements.places import read_text

SAID = "The scan limit of fifty entries made hasAnyLiveSession return false, so locks were never removed."
SPAN = f"{SAID}\n\nThe tests of the parser run in two minutes.\n\nThe limit is read from a file of settings."


def share(key_point: str, text: str) -> float:
    """How far a text says a key point that the span says."""
    span = read_text([SPAN])
    what = wanted(key_point, Rarity([span]), among=span.at)
    for found in windows(what, span, least=0.5):
        what = with_order_of(what, span, found.window)
    return best_window(what, read_text([text])).share


def test_the_same_words_in_one_sentence_are_covered_whole() -> None:
    assert share(SAID, f"Before that.\n\n{SAID}\n\nAfter that.") == pytest.approx(1.0)


def test_an_identifier_and_its_words_in_prose_meet() -> None:
    assert (
        share("hasAnyLiveSession returned false at the scan limit", "any live session is false at the limit")
        > 0.4
    )


def test_another_statement_is_hardly_covered() -> None:
    assert share(SAID, "The tests of the parser run in two minutes.") < 0.2


def test_a_list_of_the_names_does_not_add_up() -> None:
    names = "scan limit fifty entries hasAnyLiveSession return false locks removed strategy prune parser"
    assert share(SAID, names) < 0.35 < 0.9 < share(SAID, SAID)


def test_the_words_one_to_a_line_do_not_add_up() -> None:
    assert share(SAID, "\n".join(SAID.split())) < 0.35


def test_items_of_a_list_do_not_add_up() -> None:
    items = [
        "a scan limit of fifty entries",
        "made hasAnyLiveSession",
        "return false so",
        "locks were removed",
    ]
    assert share(SAID, "\n".join(f"- {item}" for item in items)) < 0.7 < share(SAID, " and ".join(items))


def test_words_in_no_order_are_worth_less() -> None:
    rng = random.Random(1)
    words = SAID.split()
    shuffled = []
    for _ in range(20):
        rng.shuffle(words)
        shuffled.append(share(SAID, " ".join(words)))
    assert sum(shuffled) / len(shuffled) < 0.8


def test_words_further_apart_than_a_statement_is_long_do_not_add_up() -> None:
    first, second = SAID.split(" made ")
    apart = f"{first} {'and then it was so that they did it with him ' * 8} made {second}"
    assert share(SAID, apart) < 0.8


def test_rare_words_weigh_more_than_common_ones() -> None:
    rarity = Rarity([read_text(["The import stops.\n\nThe import goes on.\n\nThe import fails at row 544."])])
    assert rarity.weight("544") > rarity.weight("import")


def test_nothing_is_found_in_an_empty_text() -> None:
    assert share(SAID, "") == 0.0
