"""Requests that point: what names the thing stands with them."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, brief, section, told
from compactors.conversations import run, say
from tamis.messages import Message

WAYS = say("assistant", "I found three stores.\n1. marten: small and old.\n2. otter: new.\n3. stoat: slow.")
TWO = say("user", "We have two queues, red-mail and blue-mail, and both are slow.")
SMALL_TALK = [
    message
    for at in range(40)
    for message in (
        say("user", f"How long does step {at} of the nightly import take these days, and is it stable?"),
        say("assistant", f"Step {at} of the import takes {at + 3} minutes, as it has since the spring."),
    )
]


def leads_of(span: list[Message], request: str) -> list[str]:
    asked = next(s for s in told(span) if s.kind == "asked" and s.text == request)
    return [lead.text for lead in asked.leads]


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        ("The second, please, for the cache.", "otter holds the cache from now on."),
        ("That one, and keep the log.", "The log is kept and otter is in."),
        ("Ada's suggestion is better, let us have it.", "Ada wanted stoat, so stoat is in."),
        ("用第二个。", "缓存现在用 otter。"),
    ],
)
def test_a_request_that_points_takes_along_the_words_that_take_it_up(request_: str, reply: str) -> None:
    assert leads_of([TASK, WAYS, say("user", request_), say("assistant", reply)], request_) == [reply]


def test_a_request_that_points_at_two_things_takes_along_both_names() -> None:
    request = "Pause the former, and drain the latter."
    span = [TASK, TWO, say("user", request), say("assistant", "red-mail is paused.\n\nblue-mail is drained.")]
    assert sorted(leads_of(span, request)) == ["blue-mail is drained.", "red-mail is paused."]


def test_without_a_reply_the_item_of_a_list_names_it() -> None:
    request = "The third one, please."
    assert "3. stoat: slow." in leads_of([TASK, WAYS, say("user", request)], request)[0]


WHERE = say(
    "assistant",
    "Where shall it be kept?\n\n| Option | Description |\n|---|---|\n| **A. On disk** | Slow. |\n"
    "| **B. In memory** | Quick. |\n\nI recommend Option A because:\n- the disk is large\n\nWhich one?",
)


def test_of_a_choice_by_its_letter_the_row_is_told_and_not_what_spoke_for_another() -> None:
    span = [TASK, WHERE, say("user", "B, please."), *run("a", "ls", "rows.py", 0)]
    assert leads_of(span, "B, please.") == ["| B. In memory | Quick. |"]
    words = ("because", "Description", "On disk", "the disk is large", "Which one?")
    assert not any(word in s.text for s in told(span) for word in words)


def test_what_stands_under_an_option_goes_with_it_and_a_number_beside_its_label_is_no_label() -> None:
    ways = "### Option 1: rails\n\nPros: no new parts.\n\n### Option 2: ropes\n\nPros: quick to hang.\n\n"
    request = "Leave room for up to 1 boat, in the style of option 2."
    span = [TASK, say("assistant", ways), say("user", request), *run("a", "ls", "rows.py", 0)]
    assert leads_of(span, request) == ["Option 2: ropes"]
    assert "Pros: no new parts." not in [s.text for s in told(span)]


def test_what_stands_under_an_option_that_was_not_chosen_goes_and_what_advises_the_chosen_stays() -> None:
    ways = "### Approach A: on disk\n- slow\n\n### Approach B: in memory\n- as A, but quick\n- lost at night"
    ways += "\n\nRecommendation: Approach A. The night is long."
    span = [TASK, say("assistant", ways), say("user", "Approach A"), *run("a", "ls", "rows.py", 0)]
    assert not any("lost at night" in s.text for s in told(span))
    assert any(s.text.startswith("Recommendation") for s in told(span))


def test_what_the_agent_only_announces_names_nothing() -> None:
    request = "Do that first."
    span = [TASK, say("user", request), say("assistant", "Let me look."), *run("a", "ls", "rows.py", 0)]
    assert leads_of(span, request) == []


@pytest.mark.parametrize(
    "request_", ["Run both at the same time.", "Mend the second test.", "Is there a log?"]
)
def test_a_request_that_names_its_thing_takes_nothing_along(request_: str) -> None:
    span = [TASK, WAYS, say("user", request_), say("assistant", "It is done in src/rows.py now.")]
    assert leads_of(span, request_) == []


def test_a_small_brief_tells_what_was_pointed_at() -> None:
    span = [
        TASK,
        WAYS,
        say("user", "The second, please, for the cache."),
        say("assistant", "otter holds it."),
    ]
    lines = brief([*span, *SMALL_TALK[:24]], 160).splitlines()
    assert lines[lines.index("> The second, please, for the cache.") + 1] == "= otter holds it."


def test_what_a_rule_points_at_is_told_beside_it() -> None:
    rule = "Never touch the one that Ada wrote."
    span = [TASK, say("user", rule), say("assistant", "Then src/ledger.py stays as it is.")]
    text = brief([*span, *SMALL_TALK], 300)
    assert section(text, "Rules") == [f"> {rule}"]
    assert "= Then src/ledger.py stays as it is." in text


OFFER = say("assistant", "The cache is in.\n\nIf you want, I can also add a log.")


def test_an_offer_that_the_user_passed_over_goes() -> None:
    assert not any("a log" in s.text for s in told([TASK, OFFER, say("user", "Now mend the writer.")]))


def test_an_offer_stands_where_an_answer_leans_on_it_and_where_none_was_given_yet() -> None:
    assert leads_of([TASK, OFFER, say("user", "yes please"), say("assistant", "It is in.")], "yes please")
    assert any("a log" in s.text for s in told([TASK, OFFER]))


def test_both_stands_with_what_was_asked() -> None:
    question = say("assistant", "Do you mean the reader, the writer or both of them?")
    assert leads_of([TASK, question, say("user", "both")], "both") == [question.text]


def test_to_say_no_more_than_go_on_counts_little_but_to_stop_does_not() -> None:
    span = [TASK, say("assistant", "Half of it is in."), say("user", "proceed"), say("assistant", "Done.")]
    flags = {s.text: s.flags for s in told([*span, say("user", "stop"), say("user", "Mend the writer.")])}
    assert "courtesy" in flags["proceed"]
    assert "courtesy" not in flags["stop"]


def test_where_some_of_several_are_chosen_what_is_left_undone_stands_with_the_choice() -> None:
    judged = "Take #1 and #3 now; decline #2 for this change."
    offer = say(
        "assistant",
        f"1. A lamp: cheap.\n2. A seam: needless.\n3. A note: fine.\n\n{judged}\n\nApply #1 and #3?",
    )
    asked = "yes, apply #1 and #3"
    assert judged in leads_of([TASK, offer, say("user", asked), say("assistant", "They are in.")], asked)


def test_an_option_that_is_named_later_stands_with_the_line_that_says_what_it_is() -> None:
    ways = say(
        "assistant", "**Option A — one marten.**\n\nIt is old.\n\n**Option B — two otters.**\n\nThey eat."
    )
    doubt = say("user", "how old is it, roughly, before I decide on this at all?")
    span = [TASK, ways, doubt, say("assistant", "It is nine."), say("user", "do Option A then, quickly")]
    assert leads_of(span, "do Option A then, quickly") == ["Option A — one marten."]
    assert not any(s.text.startswith("Option B") for s in told(span))


def test_an_answer_to_a_question_that_counts_on_a_list_leans_on_that_list_and_not_on_another() -> None:
    other = "The cache was mended twice:\n1. The key is whole.\n2. The size is bound."
    offer = (
        "Options:\n1. Read the herons once.\n2. Bound the sluice.\n\nWant me to do option 1, or both 1 and 2?"
    )
    leads = leads_of([TASK, say("assistant", f"{other}\n\n## Fix\n{offer}"), say("user", "both")], "both")
    assert leads[-1].endswith("2. Bound the sluice.")
    assert "cache" not in " ".join(leads)


def test_a_correction_leans_on_the_request_before_it() -> None:
    corrected = say("user", "How do I push the stoats?")
    span = [TASK, corrected, say("assistant", "With the marten."), say("user", "i meant for the heron barn")]
    assert leads_of(span, "i meant for the heron barn") == [corrected.text]


def test_a_bare_number_leans_on_the_list_that_it_answers() -> None:
    ways = (
        "The bell is cracked:\n1. at the rim\n2. at the crown\n\nOptions:\n1. Weld it.\n2. Cast it anew.\n\n"
    )
    asks = say("assistant", f"{ways}What would you prefer?")
    leads = leads_of([TASK, asks, say("user", "1"), *run("a", "ls", "rows.py", 0)], "1")
    assert leads == ["What would you prefer?", "Options:\n1. Weld it.\n2. Cast it anew."]


def test_a_question_that_names_nothing_is_not_told_alone() -> None:
    asks = say("assistant", "The rows are read twice.\n\nWhat would you prefer?", id="w")
    other = say("user", "Please count the rows of src/sums.py with a tally of its own, too.", id="n")
    done = say("assistant", "The rows are read once now, by `read_rows` alone.", id="d")
    text = brief([TASK, asks, other, *run("a", "ls", "rows.py", 0), done], 200)
    assert "read once now" in text
    assert "What would you prefer?" not in text


def test_an_option_that_is_told_by_another_goes_with_it() -> None:
    text = "**Option 1 — Only the till.**\nIt is small.\n\n**Option 2 — Option 1 plus the quay.**\nIt is big."
    span = [
        TASK,
        say("assistant", text),
        say("user", "Option 2 it is, with both."),
        *run("a", "ls", "rows.py", 0),
    ]
    second = next(s for s in told(span) if s.text.startswith("Option 2 —"))
    assert [lead.text for lead in second.leads] == ["Option 1 — Only the till."]


def test_what_stands_over_an_option_is_not_told_beside_an_answer_that_says_it() -> None:
    ways = "## Approach A: The till only\n\n- quick\n\n## Approach B: The till and the quay\n\n- slow"
    request = "answered (Does Approach A, the till only, do?) Yes"
    assert leads_of([TASK, say("assistant", ways), say("user", request)], request) == []


def test_a_refusal_stands_with_the_offer_that_it_refuses() -> None:
    offer = "If you want, I can drop the shelves of the mill as well."
    span = [TASK, say("assistant", f"Empty rows are skipped.\n\n{offer}"), say("user", "nope just commit it")]
    assert leads_of([*span, say("assistant", "It is committed.")], "nope just commit it") == [offer]


def test_to_do_it_that_way_stands_with_what_was_recommended() -> None:
    advice = "So, updated recommendation: otter with a window of 7 days."
    said = say("assistant", f"marten is old.\n\n{advice}\n\nWant me to implement it that way?")
    request = "yup... implement it that way... then we'll come back to the mill"
    leads = leads_of([TASK, WAYS, say("user", "Which?"), said, say("user", request)], request)
    assert leads == [advice, "Want me to implement it that way?"]
