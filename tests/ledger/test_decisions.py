"""Decisions: the choice, its reason, what was turned down; and what is no decision."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.ledger.events import Decision
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.speech.decisions import MAX_DECISIONS, extract_decisions
from tamis.messages import Message, Text


def read(*texts: str, role: Any = "user") -> list[EventDraft]:
    context = ReadContext()
    found = []
    for turn, text in enumerate(texts):
        context.turn = turn
        found += extract_decisions(Message(id=str(turn), role=role, parts=(Text(text=text),)), context)
    return found


@pytest.mark.parametrize(
    ("role", "text", "choice", "reason", "rejected"),
    [
        (
            "user",
            "We decided to use Postgres instead of MySQL because we need JSON columns.",
            "Postgres",
            "we need JSON columns",
            ("MySQL",),
        ),
        (
            "user",
            "We settled on the blue theme. This is because users liked it.",
            "the blue theme",
            "users liked it",
            (),
        ),
        ("user", "let's go with option B", "option B", None, ()),
        ("user", "Use Redis", "Redis", None, ()),
        ("user", "we picked Thursday for the launch", "Thursday for the launch", None, ()),
        ("user", "The team agreed on weekly releases.", "weekly releases", None, ()),
        (
            "assistant",
            "I'll use httpx rather than requests since it supports async.",
            "httpx",
            "it supports async",
            ("requests",),
        ),
        (
            "assistant",
            "I chose SQLite over Postgres because it needs no server.",
            "SQLite",
            "it needs no server",
            ("Postgres",),
        ),
        ("assistant", "Since the API is async, we'll go with httpx.", "httpx", "the API is async", ()),
        ("assistant", "Decision: keep the parser as it is.", "keep the parser as it is", None, ()),
        (
            "assistant",
            "The simplest fix is to cache the result, because the call is slow.",
            "cache the result",
            "the call is slow",
            (),
        ),
        ("user", "我们决定采用Postgres而不是MySQL，因为需要JSON。", "Postgres", "需要JSON", ("MySQL",)),
        ("assistant", "经过比较，我选择方案A，因为更简单。", "方案A", "更简单", ()),
        ("user", "最终方案用Kafka代替RabbitMQ", "Kafka", None, ("RabbitMQ",)),
    ],
)
def test_choice_reason_and_alternative(
    role: str, text: str, choice: str, reason: str | None, rejected: tuple[str, ...]
) -> None:
    [draft] = read(text, role=role)
    assert isinstance(draft.value, Decision)
    assert draft.value.choice.removeprefix("采用") == choice
    assert (draft.value.reason, draft.value.rejected) == (reason, rejected)


@pytest.mark.parametrize(
    ("role", "text"),
    [
        ("assistant", "Let me use grep to find it."),
        ("assistant", "I'll use the search tool now."),
        ("assistant", "I'm going to run the tests because they failed."),
        ("assistant", "It works because the cache is warm."),
        ("assistant", "The tests go with the code they cover."),
        ("assistant", "Should we use Redis instead of Memcached?"),
        ("user", "why did you use X instead of Y?"),
        ("user", "use line numbers to reference the changes"),
        ("user", "I went to the office because of the rain."),
        ("user", "```\nwe decided to use Redis\n```"),
        ("user", "> we decided to use Redis"),
        ("tool", "We decided to use Redis."),
        ("system", "We decided to use Redis."),
    ],
)
def test_steps_questions_and_quotations_decide_nothing(role: str, text: str) -> None:
    assert read(text, role=role) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Use Redis", "Actually, go with Memcached instead."),
        ("We decided to use Postgres.", "We'll use MySQL instead of Postgres."),
        ("Let's move the deploy to Monday.", "Let's move the deploy to Wednesday."),
        ("决定采用Redis做缓存。", "缓存改用Memcached"),
    ],
)
def test_a_later_choice_replaces_the_earlier(old: str, new: str) -> None:
    *before, last = read(old, new)
    assert last.subject in {draft.subject for draft in before}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Use Redis for the sessions", "Use Postgres for the orders"),
        ("We decided to use pytest.", "We decided to use Docker."),
        ("Let's move the deploy to Monday.", "Let's move the demo to Wednesday."),
    ],
)
def test_another_choice_stands_beside_it(old: str, new: str) -> None:
    first, second = read(old, new)
    assert first.subject != second.subject


def test_the_agent_does_not_overrule_the_user() -> None:
    context = ReadContext()
    [user] = extract_decisions(Message(id="1", role="user", parts=(Text(text="Use Redis"),)), context)
    context.turn = 1
    said = "I'll use Memcached instead of Redis because it is simpler."
    [agent] = extract_decisions(Message(id="2", role="assistant", parts=(Text(text=said),)), context)
    assert user.subject != agent.subject


def test_decisions_of_one_message_are_bounded() -> None:
    text = "\n".join(f"- We decided to use tool{n} because it is good." for n in range(50))
    assert len(read(text)) == MAX_DECISIONS


@pytest.mark.parametrize(
    ("said", "choice"),
    [
        ("Instead, let's sow wild meadow flowers.", "sow wild meadow flowers"),
        ("Let's take the night train instead.", "take the night train"),
        ("OK, final answer: let's paint the fence green.", "paint the fence green"),
    ],
)
def test_what_the_user_wants_instead_is_a_decision_whatever_it_is(said: str, choice: str) -> None:
    [draft] = read(said)
    assert draft.value.choice == choice


@pytest.mark.parametrize(
    ("text", "choice", "rejected", "reason"),
    [
        ("We decided to use the pool (size 4) because it is fast.", "the pool (size 4)", (), "it is fast"),
        ("(We decided to use the pool because it is fast.)", "the pool", (), "it is fast"),
        (
            "I decided to keep pence (int) instead of Decimal: ints are exact.",
            "keep pence (int)",
            ("Decimal",),
            "ints are exact",
        ),
    ],
)
def test_a_bracket_and_a_reason_stay_whole(
    text: str, choice: str, rejected: tuple[str, ...], reason: str
) -> None:
    [draft] = read(text, role="assistant")
    assert (draft.value.choice, draft.value.rejected, draft.value.reason) == (choice, rejected, reason)
