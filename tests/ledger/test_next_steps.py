"""The next step: the last intention of an assistant's message."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.ledger.events import NextStep
from tamis.ledger.extract import ReadContext
from tamis.ledger.tasks.next_steps import extract_next_steps
from tamis.messages import Message, Text, ToolCall, part_text


def read(text: str, role: Any = "assistant") -> list[str]:
    message = Message(id="m", role=role, parts=(Text(text=text), ToolCall(id="c", name="ls")))
    found = []
    for draft in extract_next_steps(message, ReadContext()):
        assert isinstance(draft.value, NextStep)
        place = draft.source
        assert part_text(message.parts[place.part])[place.start : place.end] == draft.value.text
        found.append(draft.value.text)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Done. Next, I'll run the tests.", "Next, I'll run the tests."),
        ("I see. Now let me open the parser.", "Now let me open the parser."),
        ("I'll fix the bug. Then I'll add a test.", "Then I'll add a test."),
        ("The next step is to deploy.", "The next step is to deploy."),
        ("修好了。接下来我会跑测试。", "接下来我会跑测试。"),
        ("下一步：更新文档", "下一步：更新文档"),
    ],
)
def test_the_last_intention_is_the_next_step(text: str, expected: str) -> None:
    assert read(text) == [expected]


def test_the_points_of_a_list_belong_to_what_introduces_them() -> None:
    assert read("All green.\n\nNext steps:\n- run the benchmark\n- write the docs\n\nThat is it.") == [
        "Next steps:\n- run the benchmark\n- write the docs"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Let me know if you want more.",
        "The next page is empty.",
        "All tests pass.",
        "```\nNext, I'll run\n```",
        "Should I run the tests next?",
    ],
)
def test_offers_and_statements_are_none(text: str) -> None:
    assert read(text) == []


def test_only_the_assistant_says_what_it_will_do() -> None:
    assert read("Next, I'll run the tests.", role="user") == []
