"""Talks without work on files: what the agent told last, what it refused, what only keeps it going."""

from __future__ import annotations

import json

from compactors.brief.talk import brief, told, use
from compactors.conversations import say
from tamis.text.cues.courtesy import is_courtesy, refuses

ASKED = say("user", "I want to move my table of Friday to Sunday, and to cancel table QF77AB.", id="asked")
OFFER = say("assistant", "Table KX42PD at 19:30 costs $85 for four guests.", id="offer")


def test_what_was_told_last_has_room_before_a_long_older_talk() -> None:
    older = [
        say(
            "user" if n % 2 else "assistant",
            f"Word {n} of the harbour, the boats and the weather.",
            id=f"{n}",
        )
        for n in range(12)
    ]
    more = say("user", "Is there a table for us on Sunday evening?", id="more")
    look = use("l", "get_tables", json.dumps({"table_id": "KX42PD", "seats": 4}), day="Sunday")
    text = brief([ASKED, *older, more, OFFER, *look], room=110)
    assert OFFER.text in text


def test_a_refusal_counts_as_what_was_told_last() -> None:
    refusal = "I'm sorry, table QF77AB cannot be cancelled on the same day."
    talk = [ASKED, say("assistant", refusal, id="no"), say("user", "And the other one?", id="and"), OFFER]
    assert {"last", "value"} <= {*next(s for s in told(talk) if s.text == refusal).flags}


def test_to_suppose_a_refusal_is_not_to_refuse() -> None:
    assert not refuses("I'll look whether it cannot be moved.")
    assert not refuses("Is it not possible to move it?")
    assert refuses("We are not able to move it.")


def test_a_question_that_was_answered_is_stale() -> None:
    question = "Shall I take table KX42PD at 19:30?"
    talk = [ASKED, say("assistant", question, id="ask"), say("user", "Rather at eight, please.", id="eight")]
    assert all("stale" in s.flags for s in told([*talk, OFFER]) if s.text == question)
    assert all("stale" not in s.flags for s in told(talk[:2]) if s.text == question)


def test_to_have_looked_something_up_is_courtesy_and_what_was_found_is_not() -> None:
    assert is_courtesy("I've reviewed the details for both orders QF77AB and KX42PD.")
    assert is_courtesy("I found your account, Ann.")
    assert not is_courtesy("I found your order KX42PD.")
    assert not is_courtesy("I checked the details and the table is free.")


def test_the_answer_is_told_though_it_repeats_the_question() -> None:
    known = "known for its old mill, its market in May and its bridge of stone"
    answer = f"The town at the river Enz {known} is Mühlau."
    checks = "All sources name the same place. Nothing else was found that speaks against it."
    talk = [say("user", f"Which town at the river Enz is {known}?"), say("assistant", f"{answer} {checks}")]
    assert answer in brief(talk, room=95)
