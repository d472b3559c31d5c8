"""Facts and entities: labelled values and people with roles; not every number."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.ledger.events import Entity, Fact
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.speech.facts import MAX_PRINTED, MAX_STATED, extract_facts
from tamis.messages import Message, Text, ToolResult, part_text


def read(*texts: str, role: Any = "user") -> list[EventDraft]:
    context = ReadContext()
    found = []
    for turn, text in enumerate(texts):
        context.turn = turn
        found += extract_facts(Message(id=str(turn), role=role, parts=(Text(text=text),)), context)
    return found


def printed(text: str) -> list[EventDraft]:
    message = Message(id="t", role="tool", parts=(ToolResult(call_id="c", text=text),))
    found = list(extract_facts(message, ReadContext()))
    for draft in found:
        assert isinstance(draft.value, Fact)
        assert draft.value.value in part_text(message.parts[0])[draft.source.start : draft.source.end]
    return found


def values(drafts: list[EventDraft]) -> list[tuple[str, str]]:
    return [(d.value.name, d.value.value) for d in drafts if isinstance(d.value, Fact)]


def people(drafts: list[EventDraft]) -> list[tuple[str, str]]:
    return [(d.value.name, d.value.role) for d in drafts if isinstance(d.value, Entity)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The gateway runs on port 8443.", ("gateway port", "8443")),
        ("version: 1.2.3", ("version", "1.2.3")),
        ("My order number is #W12345.", ("order number", "#W12345")),
        ("Please look at order #W12345.", ("order", "#W12345")),
        ("My user id is ana_ruiz_12.", ("user id", "ana_ruiz_12")),
        ("The deadline is 2024-05-01.", ("deadline", "2024-05-01")),
        ("The total is $1,234.50", ("total", "$1,234.50")),
        (
            "Staging URL is https://staging.example.com/api.",
            ("Staging URL", "https://staging.example.com/api"),
        ),
        ("Our batch size is 64.", ("batch size", "64")),
        ("We run Python 3.11 here.", ("Python version", "3.11")),
        ("Set TAMIS_HOME=/opt/tamis first.", ("TAMIS_HOME", "/opt/tamis")),
        ("端口是8080", ("端口", "8080")),
        ("预算是800元", ("预算", "800元")),
        ("订单号：W123", ("订单号", "W123")),
    ],
)
def test_a_labelled_value_is_a_fact(text: str, expected: tuple[str, str]) -> None:
    assert expected in values(read(text))


@pytest.mark.parametrize(
    "text",
    [
        "There are 14 files.",
        "Step 3 took 20 seconds.",
        "Book it in this order: first the hotel, then the flight.",
        "Is the port 8443?",
        "For example, version: 1.2.3",
        "I fixed 3 of 7 tests.",
        "```\nversion: 1.2.3\n```",
        "Then booking 1 is done.",
    ],
)
def test_other_numbers_are_not(text: str) -> None:
    assert values(read(text)) == []


def test_a_price_list_is_no_fact() -> None:
    assert values(read("- economy price: $130\n- economy price: $164\n- economy price: $99")) == []


def test_output_is_read_where_a_line_is_a_label_and_a_value() -> None:
    text = 'starting\n"order_id": "W123",\nversion = 1.2.3\n  took 12 s\nx = 5\nport: 8080\n'
    assert values(printed(text)) == [("order id", "W123"), ("version", "1.2.3"), ("port", "8080")]


def test_what_is_printed_is_bounded() -> None:
    assert len(printed("\n".join(f"item{n} version: {n}.1" for n in range(100)))) == MAX_PRINTED
    assert printed("x\n" * 10_000 + "version: 1.2.3") == []


def test_what_every_run_prints_is_no_fact() -> None:
    assert printed("token count: 1399\nduration: 12s\nfile size: 3") == []


def test_what_is_stated_is_bounded() -> None:
    assert len(read("\n".join(f"- Order #W{n}00 is late." for n in range(100)))) <= MAX_STATED


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("The gateway runs on port 8443.", "The gateway port is 9000 now.", True),
        ("The deadline is 2024-05-01.", "The deadline is 2024-06-01.", True),
        ("The API version is 1.2.", "API version: 1.3", True),
        ("Look at order #W100.", "Look at order #W200.", False),
        ("The gateway port is 80.", "The database port is 90.", False),
        ("The total is $10.", "The total is $20.", False),
    ],
)
def test_a_newer_value_replaces_only_what_there_is_one_of(old: str, new: str, same: bool) -> None:
    first, second = read(old, new)
    assert (first.subject == second.subject) is same


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dana owns billing.", ("Dana", "owns billing")),
        ("Dana Smith is our lead engineer.", ("Dana Smith", "lead engineer")),
        ("Contact: Lee Wong", ("Lee Wong", "Contact")),
        ("Ask Lee Wong (CTO) about it.", ("Lee Wong", "CTO")),
        ("Priya Raman, the project manager, is away.", ("Priya Raman", "project manager")),
        ("The reviewer is Ana Ruiz.", ("Ana Ruiz", "reviewer")),
        ("负责人是小王", ("小王", "负责人")),
        ("小李负责部署。", ("小李", "负责部署")),
    ],
)
def test_somebody_with_a_role_is_an_entity(text: str, expected: tuple[str, str]) -> None:
    assert people(read(text)) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "This handles errors.",
        "The customer is happy.",
        "Which engineer is it?",
        "Claude is the assistant.",
        "It runs well.",
    ],
)
def test_things_are_no_people(text: str) -> None:
    assert people(read(text)) == []


def test_a_duty_that_changes_hands_replaces_its_holder() -> None:
    first, second = read("Dana owns billing.", "Lee owns billing now.")
    assert first.subject == second.subject


def test_another_duty_does_not() -> None:
    first, second = read("Dana owns billing.", "Lee owns shipping now.")
    assert first.subject != second.subject


@pytest.mark.parametrize(
    "text",
    ["Mira will water the beds, and Jon will mend the gate.", "Mira -> the beds."],
)
def test_who_does_what_is_a_fact(text: str) -> None:
    assert [draft.value.text for draft in read(text)] == [text]
