"""Records of services in lines: what stands by itself without its name, newest payments, what is empty."""

from __future__ import annotations

from tamis.compactors.brief.reading.deeds.records import (
    outcome_of,
    record_key,
    record_lines,
    record_text,
    value_of,
)


def test_items_of_a_list_stand_behind_one_name_and_a_bare_number_keeps_its_own() -> None:
    order = {"order_id": "A-7", "items": [{"name": "Lamp", "price": 9}, {"name": "Rug", "price": 12}]}
    assert record_text(order, 200) == "order_id: A-7; items: Lamp, price 9 | Rug, price 12"


def test_what_is_empty_or_said_already_is_left_out() -> None:
    cards = {"card_12": {"id": "card_12", "source": "card", "last": "44", "note": None}}
    assert record_lines({"cards": cards, "tags": []}) == ["cards: card_12 (last 44)"]


def test_a_first_line_that_is_too_long_is_cut() -> None:
    assert record_text({"note": "x" * 90}, 20) == "note: " + "x" * 13 + "…"


def test_of_a_deed_the_state_and_the_newest_payment_are_its_outcome() -> None:
    value = {
        "order_id": "A-7",
        "user_id": "ann",
        "status": "sent",
        "payment_history": [{"paid": 5}, {"paid": -5}],
    }
    assert outcome_of(value, "order_id: A-7") == {"status": "sent", "payment_history": {"paid": -5}}


def test_a_record_without_a_name_of_its_own_has_no_key() -> None:
    assert record_key({"status": "open"}) == record_key([1]) == ""


def test_nesting_without_end_is_no_record() -> None:
    assert value_of("[" * 100_000) is None
