"""What was replaced does not stand in a brief as if it held."""

from __future__ import annotations

from compactors.conversations import request, say
from tamis.compactors import get_method, run_compactor

FILLER = [
    say("assistant", f"I looked at part {i} of the report and found nothing wrong in it.") for i in range(60)
]


def brief(*turns: str, budget: int = 300) -> str:
    talk = [
        say("user", turns[0]),
        *FILLER,
        *(say("user", turn) for turn in turns[1:]),
        say("assistant", "Noted."),
    ]
    made = run_compactor(get_method("ledger"), request(talk, budget))
    assert made.outcome == "fits"
    return made.messages[0].text


def test_a_replaced_amount_is_gone_and_the_new_one_stands() -> None:
    text = brief("The budget cap is $800.", "Actually, keep it under $500 instead.")
    assert "$500" in text
    assert "$800" not in text


def test_a_name_that_is_also_said_elsewhere_stays() -> None:
    text = brief("Never deploy to staging-eu1.", "It is fine to deploy to staging-eu1 now.")
    assert "staging-eu1" in text


def test_the_same_words_are_quoted_once() -> None:
    made = brief("Check the report.", budget=600)
    assert made.count("I looked at part 59") <= 1
