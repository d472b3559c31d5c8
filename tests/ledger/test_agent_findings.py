"""What the agent states: findings, causes and counts, not plans, offers and questions."""

from __future__ import annotations

import pytest

from tamis.ledger.speech.agent_findings import statements_in
from tamis.messages import Message, Text, ToolCall
from tamis.messages.conversation import Role


def stated(text: str, *, calls: bool = False, role: Role = "assistant") -> list[str]:
    parts: tuple[Text | ToolCall, ...] = (Text(text=text),)
    if calls:
        parts = (*parts, ToolCall(id="c", name="bash", arguments={"command": "ls"}))
    return list(statements_in(Message(id="1", role=role, parts=parts)))


@pytest.mark.parametrize(
    "text",
    [
        "The sync with Lagos breaks off at row 812.",
        "test_rollover fails in 7 of 50 runs.",
        "The time-outs are due to POOL_SIZE being 2.",
        "Mira Okafor gets the figures by June 9.",
    ],
)
def test_a_reply_that_names_something_is_a_statement(text: str) -> None:
    assert stated(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Let me look at POOL_SIZE.",
        "Shall I raise POOL_SIZE?",
        "Let me know if POOL_SIZE should be raised.",
        "All is well now.",
        "These are the values of POOL_SIZE:",
    ],
)
def test_plans_offers_questions_and_what_names_nothing_are_none(text: str) -> None:
    assert stated(text) == []


def test_beside_a_call_only_a_cause_is_one() -> None:
    text = "I open pool.py. The stalls are caused by POOL_SIZE."
    assert stated(text, calls=True) == ["The stalls are caused by POOL_SIZE."]


def test_only_the_agent_states() -> None:
    assert stated("test_rollover fails in 7 of 50 runs.", role="user") == []
