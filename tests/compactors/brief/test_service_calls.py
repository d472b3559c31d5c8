"""Calls to services: what was changed, refused, looked up and found."""

from __future__ import annotations

import json

from compactors.brief.talk import brief, section, texts, told, use
from compactors.conversations import say

ASKED = say("user", "Please move my table at the harbour inn to Friday.", id="asked")
TABLE = {"booking_id": "B-71", "guest_id": "ann_3", "day": "Friday", "status": "moved", "seats": 4}


def test_what_was_changed_is_told_with_its_arguments_and_its_outcome() -> None:
    moved = use("m", "change_booking", json.dumps(TABLE), booking_id="B-71", day="Friday")
    assert "change_booking booking_id: B-71; day: Friday → status: moved" in texts([ASKED, *moved], "posted")


def test_a_refusal_is_told_with_its_reason() -> None:
    refused = use("p", "pay_deposit", "Error: not enough balance", card="card_12", amount=40)
    found = [s for s in told([ASKED, *refused]) if s.kind == "failed"]
    assert next(s.text for s in found) == "pay_deposit card: card_12 failed: Error: not enough balance"
    assert "Error: not enough balance" in brief([ASKED, *refused], room=120)


def test_a_newer_version_of_a_record_takes_the_place_of_the_older() -> None:
    looked = use("a", "get_booking", json.dumps(TABLE | {"status": "open"}), booking_id="B-71")
    again = use("b", "get_booking", json.dumps(TABLE), booking_id="B-71")
    records = [text for text in texts([ASKED, *looked, *again], "ran") if "B-71" in text]
    assert records
    assert not any("status: open" in text for text in records)


def test_a_lookup_that_gives_nothing_says_so() -> None:
    looked = use("f", "search_tables", "[]", day="Friday")
    assert texts([ASKED, *looked], "ran") == ["search_tables day: Friday → nothing found"]


def test_a_record_of_nothing_but_empty_fields_is_not_told() -> None:
    looked = use("f", "get_status", json.dumps({"statuses": [], "note": None}), booking_id="B-71")
    assert not any(text.endswith("→ ") for text in texts([ASKED, *looked], "ran"))


def test_what_a_search_says_again_of_its_query_is_not_told_as_found() -> None:
    page = 'Web search results for query: "empty rows"\n\nNo page tells why rows are empty in the till.'
    looked = use("f", "WebSearch", page, query="empty rows")
    assert not any("results for query" in text for text in texts([ASKED, *looked], "ran"))


def test_a_search_is_told_by_its_hits_and_a_hit_by_its_address() -> None:
    page = (
        "1. [Harbour Inn](https://inn.example/menu?x=1)\n\nOpen on Friday.\n\n2. [Other](https://o.example)\n"
    )
    found = texts([ASKED, *use("s", "web_search", page, query=["harbour inn", "friday"])], "ran")
    assert found[0] == "web_search query: harbour inn, friday → hits"
    assert found[1:] == [
        "hit: Harbour Inn (https://inn.example/menu): Open on Friday.",
        "hit: Other (https://o.example)",
    ]


def test_a_page_with_a_summary_is_told_by_it() -> None:
    page = "Evidence in page:\n" + "a line\n" * 80 + "\nSummary:\nThe inn is closed on Mondays.\n"
    found = texts([ASKED, *use("v", "visit", page, url="https://inn.example")], "ran")
    assert "visit url: https://inn.example → The inn is closed on Mondays." in found


def test_courtesy_is_not_told() -> None:
    talk = [
        ASKED,
        say("assistant", "I'd be happy to help! Could you please provide your booking number?"),
        say("user", "B-71"),
    ]
    assert texts(talk, "said", "found", "concluded") == []


def test_in_little_room_a_story_has_no_heading() -> None:
    talk = [ASKED, say("assistant", "It stands under B-71 for 4 guests."), say("user", "Yes, B-71, move it.")]
    headings = [line for line in section(brief(talk, room=150), "Story") if line.startswith("### ")]
    assert headings == []
