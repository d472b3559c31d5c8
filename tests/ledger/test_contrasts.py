"""What tells of another thing replaces nothing, however alike the words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.ledger.speech.claims import Claim, read_claim
from tamis.ledger.speech.contrasts import is_tale, tells_of_another
from tamis.ledger.speech.supersession import replacement_strength


def claim(text: str) -> Claim:
    found = read_claim(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The ferry to Naxos leaves at 8:02.", "The ferry to Paros leaves at 9:15 now."),
        ("Olga trains rowing on Monday.", "Olga trains boxing on Friday."),
        ("Test accounts lapse after 10 days.", "Live accounts lapse after 40 days from now on."),
        ("The deposit for the hall is $956.", "The deposit for the band is $845."),
        ("The lease is 700 euros.", "My brother's lease is 820 euros."),
        ("Entry costs 9 euros.", "The zoo charges 14 euros."),
        ("The stall opens at 8:00.", "The other stall opens at 9:00."),
        ("The lease is 700 euros.", "Two years ago the lease was 610 euros."),
        ("The fair is on 3 May.", "I wish the fair was on 9 May."),
        ("The fair begins on 3 May.", "The fair ends on 9 May now."),
    ],
)
def test_another_thing_is_told_by_how_the_sentence_is_built(old: str, new: str) -> None:
    assert tells_of_another(claim(new), claim(old))
    assert not replacement_strength(claim(new), claim(old), in_talk=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The read timeout is 30 seconds.", "The new read timeout is 45 seconds."),
        ("The bill for Brandt is 300 euros.", "Brandt's bill was corrected and comes to 350 euros."),
        ("The lease is 700 euros.", "The lease was raised to 750 euros."),
        ("Reports go to Olga.", "Reports go to Bruno now."),
    ],
)
def test_an_update_tells_of_the_same_thing(old: str, new: str) -> None:
    assert not tells_of_another(claim(new), claim(old))
    assert replacement_strength(claim(new), claim(old), in_talk=True)


@given(st.sampled_from(("hall", "band", "tent", "stage")), st.integers(10, 99), st.integers(10, 99))
def test_nothing_tells_of_another_thing_than_its_own(noun: str, old: int, new: int) -> None:
    one, other = (claim(f"The deposit for the {noun} is ${amount}.") for amount in (old, new))
    assert not tells_of_another(one, other)


def test_what_was_changed_is_no_tale() -> None:
    assert not is_tale("The fair was moved to 9 May.")
    assert is_tale("We used to have only one cache.")
