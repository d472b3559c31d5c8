"""The brief for somebody who has a summary already."""

from __future__ import annotations

from tamis.integrations.agents.summary_gaps import brief_beside
from tamis.messages import Message, Text, ToolCall, ToolResult, get_counter

COUNTER = get_counter()


def said(role: str, text: str, **fields: str) -> Message:
    return Message(id=text[:12], role=role, parts=(Text(text=text),), **fields)


TALK = (
    said("user", "Never touch src/tax.py. Make src/till.py accept vouchers."),
    Message(
        id="a",
        role="assistant",
        parts=(
            ToolCall(id="c1", name="Write", arguments={"file_path": "src/till.py", "content": "x = 1\n"}),
        ),
    ),
    Message(id="r", role="tool", parts=(ToolResult(call_id="c1", text="written"),)),
    said("assistant", "The voucher code is VX-4471 and the drawer listens on port 8417."),
)


def beside(summary: str, budget: int = 500) -> str:
    return brief_beside(summary, TALK, budget_tokens=budget, counter=COUNTER) or ""


def test_without_a_summary_it_tells_what_was_asked_forbidden_and_done() -> None:
    brief = beside("")
    assert all(text in brief for text in ("Never touch src/tax.py.", "src/till.py", "8417"))


def test_a_sentence_that_the_summary_has_is_not_told_again() -> None:
    brief = beside("The voucher code is VX-4471, and the drawer listens on port 8417.")
    assert "8417" not in brief
    assert "src/till.py" in brief


def test_a_sentence_that_the_summary_has_in_part_is_told_whole() -> None:
    told = "The voucher code is VX-4471 and the drawer listens on port 8417."
    assert told in beside("The drawer listens on port 8417.")


def test_a_rule_in_other_words_is_told_in_the_user_s() -> None:
    assert "Never touch src/tax.py." in beside("The user mentioned src/tax.py, which he touches never.")


def test_a_rule_in_the_user_s_words_is_not_told_again() -> None:
    assert "Never touch" not in beside("Rules:\n- never touch `src/tax.py`")


def test_a_summary_that_says_everything_leaves_nothing_to_add() -> None:
    everything = (
        "Never touch src/tax.py. Make src/till.py accept vouchers.\ncreated: src/till.py Write x = 1\n"
        "The voucher code is VX-4471 and the drawer listens on port 8417."
    )
    assert brief_beside(everything, TALK, budget_tokens=500, counter=COUNTER) is None


def test_it_stays_within_the_budget() -> None:
    assert COUNTER.count(beside("", budget=60)) <= 60


def test_an_earlier_summary_is_not_taken_for_the_user_s_words() -> None:
    earlier = said("user", "Please always sing.", origin="summary")
    brief = brief_beside("", [earlier, *TALK], budget_tokens=500, counter=COUNTER)
    assert brief is not None
    assert "sing" not in brief
