"""What was said, through the whole reader: the newest words stand, and reading can be put away."""

from __future__ import annotations

from typing import Any

from tamis.ledger import LedgerReader
from tamis.messages import Message, Text

TALK: tuple[tuple[Any, str], ...] = (
    ("user", "Quick note before we start: never recommend any supplier that ships from outside the EU."),
    ("assistant", "Understood. Noted."),
    ("user", "The cap is $800. Deploy on Friday. Use Redis"),
    (
        "assistant",
        "I'll use httpx rather than requests since it supports async. Next, I'll write the client.",
    ),
    ("user", "Dana owns billing. The gateway runs on port 8443."),
    ("user", "Actually, go with Memcached instead. Keep it under five hundred dollars."),
    ("user", "Let's move the deploy to Monday."),
    ("user", "Lee owns billing now. The gateway port is 9000 now."),
    ("user", "预算改成三百美元。先别合并"),
    ("user", "可以合并了"),
)


def read(talk: tuple[tuple[Any, str], ...], *, put_away: bool = False) -> LedgerReader:
    reader = LedgerReader()
    for n, (role, text) in enumerate(talk):
        reader.read(Message(id=str(n), role=role, parts=(Text(text=text),)))
        if put_away:
            reader = LedgerReader.restore(reader.snapshot())
    return reader


def test_the_newest_words_stand_and_the_older_are_superseded() -> None:
    state = read(TALK).state
    rules = [entry.value.text for entry in state.constraints]
    assert TALK[0][1] in " ".join(rules)
    assert "预算改成三百美元。" in rules
    assert not {"The cap is $800.", "Keep it under five hundred dollars."} & set(rules)
    assert "Let's move the deploy to Monday." in rules
    assert "Deploy on Friday." not in rules
    assert "可以合并了" in rules
    assert "先别合并" not in rules


def test_choices_people_and_values_are_the_newest() -> None:
    state = read(TALK).state
    choices = [entry.value.choice for entry in state.decisions]
    assert "Memcached" in choices
    assert "Redis" not in choices
    assert [(entry.value.name, entry.value.role) for entry in state.entities] == [("Lee", "owns billing")]
    assert [entry.value.value for entry in state.facts if entry.value.name == "gateway port"] == ["9000"]


def test_what_was_replaced_is_remembered_beside_it() -> None:
    [cap] = [entry for entry in read(TALK).state.constraints if "三百" in entry.value.text]
    assert [old.text for old in cap.superseded] == ["The cap is $800.", "Keep it under five hundred dollars."]


def test_reading_can_be_put_away_after_every_message() -> None:
    assert read(TALK, put_away=True).state == read(TALK).state
