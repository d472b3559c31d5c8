"""What the user told in a talk has a place of its own; where an agent works, it stands with the work."""

from __future__ import annotations

from compactors.brief.talk import brief, use
from compactors.conversations import say
from tamis.compactors.brief.writing.parser import parse_brief
from tamis.messages import Message

CHAT = "I see. There is more to be said about that, but it can wait until the rest is settled."
TOLD = (
    "How do tides work, roughly?",
    "Our harbour office is in Rostock.",
    "Nice, thanks.",
    "The ferry carries 180 cars.",
    "Correction: the ferry carries 210 cars.",
    "What would you look at next?",
)


def talk(*texts: str) -> list[Message]:
    return [
        say(role, text, id=f"{role}-{at}")
        for at, asked in enumerate(texts)
        for role, text in (("user", asked), ("assistant", CHAT))
    ]


def facts(text: str) -> list[str]:
    return [line.text for line in parse_brief(text) or () if line.section == "facts"]


def test_the_facts_of_a_talk_stand_in_their_newest_form() -> None:
    assert facts(brief(talk(*TOLD), 400)) == [
        "Our harbour office is in Rostock.",
        "Correction: the ferry carries 210 cars.",
    ]


def test_where_an_agent_works_facts_stand_with_the_work() -> None:
    span = [*talk(*TOLD), *use("read", "Read", "x = 1", file_path="a.py")]
    assert facts(brief(span, 400)) == []


def test_an_earlier_brief_hands_its_facts_on() -> None:
    first = brief(talk(*TOLD), 400)
    again = brief([say("user", first), *talk("And why is that?", "Fine.", "What else is there?")], 400)
    assert "Our harbour office is in Rostock." in again
