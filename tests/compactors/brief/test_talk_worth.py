"""What words are worth where somebody is served: the values that they tell, who gave them, and when."""

from __future__ import annotations

import json

from compactors.brief.talk import brief, use
from compactors.conversations import say
from tamis.compactors.brief.choice.talk_worth import talk_worths, values_in
from tamis.compactors.brief.reading.statement import Statement, StatementKind

HELLO = say("user", "Hello there, I want to move one of my tables to another day.", id="hello")
WHO = say("user", "My name is Ann Lee, and my guest number is ann_lee_4417.", id="who")
LOOK = use("l", "get_tables", json.dumps({"table_id": "KX42PD", "seats": 4}), guest="ann_lee_4417")
FOUND = say("assistant", "Your table KX42PD is booked for May 12 at 19:30.", id="found")
WHY = say("user", "My plans have changed and my friends are all away on that evening, I fear.", id="why")
FREE = say("assistant", "Table QF77AB is free on May 14 at 20:15 and costs $85.", id="free")
CALM = say("user", "That sounds good to me, and my friends will like it as well, I think.", id="calm")
TALK = [HELLO, say("assistant", "Gladly. Who are you?"), WHO, *LOOK, FOUND, WHY, FREE, CALM]


def worth_of(*said: tuple[StatementKind, str, int]) -> list[float]:
    """The worths of statements of ten tokens, each a kind, a text and a turn."""
    told = [Statement(kind=kind, text=text, turn=turn, place=(0, 0)) for kind, text, turn in said]
    return talk_worths(told, [10] * len(told), [1.0] * len(told))


def test_words_with_a_value_are_worth_more_than_words_without() -> None:
    told, bare = worth_of(("said", "Table KX42PD is free.", 1), ("said", "The other table is free.", 1))
    assert told > 2 * bare


def test_more_values_are_worth_more_but_not_each_as_much() -> None:
    one, four = worth_of(("said", "It is KX42PD.", 1), ("said", "KX42PD, May 12, 19:30, $85.", 1))
    assert one < four < 4 * one


def test_what_the_agent_told_is_soon_overtaken_and_what_the_user_gave_lasts() -> None:
    early, _, late = worth_of(("said", "KX42PD", 1), ("said", "QF77AB", 3), ("said", "ZZ90PL", 5))
    mine, _, newest = worth_of(("asked", "KX42PD", 0), ("asked", "QF77AB", 2), ("asked", "ZZ90PL", 4))
    assert early < late / 2
    assert mine > 0.8 * newest


def test_an_answer_without_a_value_overtakes_nothing() -> None:
    alone = worth_of(("said", "KX42PD", 1))
    assert worth_of(("said", "KX42PD", 1), ("said", "One moment, please.", 3))[0] == alone[0]


def test_what_was_done_keeps_its_worth() -> None:
    assert worth_of(("posted", "book_table KX42PD → done", 1)) == [1.0]


def test_a_name_is_a_value_and_the_capital_of_a_sentence_is_none() -> None:
    assert values_in("Good Morning to you all.") == set()
    assert values_in("The guest is Ann Lee, from New York.") == {"Ann Lee", "New York"}


def test_in_little_room_what_the_user_gave_and_was_told_last_stands() -> None:
    text = brief(TALK, room=110)
    assert WHO.text in text
    assert FREE.text in text


def test_in_little_room_a_brief_of_a_served_talk_has_no_next_and_a_short_frame() -> None:
    little, more = brief(TALK, room=200), brief(TALK, room=300)
    assert "## Next" not in little
    assert "## Next" in more
    assert len(little.partition("\n")[0]) < len(more.partition("\n")[0])


def test_a_question_that_was_answered_gives_its_room_to_the_answer() -> None:
    which, mine = "Is it table KX42PD, QF77AB or ZZ90PL?", "Please confirm table KX42PD for Friday."
    asked = Statement(kind="said", text=which, turn=1, place=(0, 0), flags=("stale",))
    told = Statement(kind="said", text=mine, turn=1, place=(0, 1))
    old, new = talk_worths([asked, told], [10, 10], [1.0, 1.0])
    assert old < new
