from __future__ import annotations

import pytest

from tamis.ledger.speech.claims import Claim, read_claim
from tamis.ledger.speech.supersession import replacement_strength
from tamis.ledger.speech.value_clauses import stand_apart, value_clause


def claim(text: str) -> Claim:
    found = read_claim(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("Talked to the bank: the credit line is 40,000 euros.", "the credit line is 40,000 euros."),
        ("They overruled me, so the ferry leaves at 7:15.", "so the ferry leaves at 7:15."),
        ("The lease runs out on 3 May.", "The lease runs out on 3 May."),
    ],
)
def test_the_clause_with_the_value_is_found(text: str, clause: str) -> None:
    assert value_clause(claim(text)).text == clause


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("The inner door is 90 cm wide.", "The outer door is 110 cm wide.", True),
        ("Lot 7 costs 300 euros.", "Lot 8 costs 500 euros.", True),
        ("The lease of the kiosk is 300 euros.", "The lease of the kiosk is 350 euros.", False),
    ],
)
def test_what_says_which_one_keeps_two_apart(one: str, other: str, apart: bool) -> None:
    new, old = claim(one), claim(other)
    assert stand_apart(new, old, new.about & old.about) is apart


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("For the record, the crew size is 14 people.", "Word from the captain: the crew size is 17 people."),
        ("We settled on 30 days for the notice period.", "Change of plan: the notice period is 45 days."),
        ("At the moment the reading is on 4 June.", "Scratch that, the reading is on 11 June now."),
    ],
)
def test_other_words_around_the_same_thing_do_not_hide_it(old: str, new: str) -> None:
    assert replacement_strength(claim(new), claim(old), in_talk=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The hotel in Lyon costs 90 euros.", "The train to Lyon costs 60 euros."),
        ("My member number is KX-4410.", "We have about 30 members in Ghent."),
        ("Marek has two boats.", "Iris has three boats."),
        ("The north gate opens at 8:00.", "The south gate opens at 9:30."),
    ],
)
def test_two_things_stay_two_in_a_talk(old: str, new: str) -> None:
    assert not replacement_strength(claim(new), claim(old), in_talk=True)
