"""Whether somebody is served in a talk, as against work, research and plain conversation."""

from __future__ import annotations

import json

from compactors.brief.talk import edit, reading_of, use
from compactors.conversations import run, say
from tamis.compactors.brief.reading.talks import serves

ASKED = say("user", "I want to move my table of Friday to Sunday.", id="asked")
AGAIN = say("user", "At eight, please.", id="again")
LOOK = use("l", "get_table", json.dumps({"table_id": "KX42PD", "seats": 4}), day="Sunday")


def test_an_agent_that_calls_services_between_requests_serves() -> None:
    assert serves(reading_of([ASKED, *LOOK, AGAIN]))


def test_one_who_asks_once_is_not_served_in_a_talk() -> None:
    assert not serves(reading_of([ASKED, *LOOK]))


def test_a_talk_without_calls_serves_nobody() -> None:
    assert not serves(reading_of([ASKED, say("assistant", "At what time?"), AGAIN]))


def test_an_edit_or_a_command_makes_it_work() -> None:
    talk = [ASKED, *LOOK, AGAIN]
    assert not serves(reading_of([*talk, *edit("e", "/work/tables.py", "one", "two")]))
    assert not serves(reading_of([*talk, *run("r", "ls tables", "friday.txt", 0)]))
