"""Agents that talk with one another: pages, forms and crashes in their messages, and whose turn it is."""

from __future__ import annotations

from dataclasses import replace

from compactors.brief.talk import brief, section, texts
from compactors.conversations import say
from tamis.compactors.brief.reading.agent_text import parts_of
from tamis.messages import Message

ASKED = say("user", "Which year does the mill's sign show?", id="asked")
PAGE = (
    "Clicked.\n\nHere is a screenshot of [The Mill](https://mill.example). It is positioned 4% down\n"
    "Home\nVisit\nThe sign of the mill shows 1781.\nShop\n" + "Menu entry\n" * 60
)


def spoken(author: str, text: str) -> Message:
    return replace(say("assistant", text), author=author)


def test_a_page_is_told_by_its_address_and_by_what_was_said_of_it() -> None:
    talk = [
        ASKED,
        spoken("Surfer", PAGE),
        spoken("Lead", "Good, the sign of the mill seems to show the year."),
    ]
    assert "Surfer: looked at The Mill (https://mill.example), 4% down" in texts(talk, "ran")
    assert any(text.endswith("→ The sign of the mill shows 1781.") for text in texts(talk, "ran"))
    assert not any("Menu entry" in text for text in texts(talk))


def test_a_crash_is_told_with_its_error() -> None:
    crash = (
        'Looking.\nTraceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: no such page'
    )
    assert "Surfer: crashed: ValueError: no such page" in texts([ASKED, spoken("Surfer", crash)], "failed")


def test_a_traceback_that_is_quoted_is_no_crash() -> None:
    quoted = (
        "It printed:\nTraceback (most recent call last):\nValueError: x\n"
        + "The cause is the old page. " * 20
    )
    assert parts_of(quoted).crash == ""


def test_a_form_is_told_by_its_texts_and_not_by_its_ticked_boxes() -> None:
    form = 'Ledger:\n```json\n{"done": {"reason": "No year was read yet.", "answer": false}}\n```'
    assert parts_of(form).own.splitlines()[:2] == ["Ledger:", "done.reason: No year was read yet."]


def test_what_one_agent_says_to_another_is_no_answer() -> None:
    talk = [
        ASKED,
        spoken("Surfer", "I read 1781 on the sign."),
        spoken("Lead", "Does everyone agree with 1781?"),
    ]
    assert section(brief(talk), "Next") == ["- the newest request (#0) is not finished by #2"]


def test_agents_who_end_their_talk_have_answered() -> None:
    talk = [
        ASKED,
        spoken("Surfer", "I read 1781 on the sign."),
        spoken("Lead", "FINAL ANSWER: the sign shows 1781."),
    ]
    assert "has answered" in section(brief(talk), "Next")[0]
