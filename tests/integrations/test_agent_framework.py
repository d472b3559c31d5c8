"""The strategy in an agent of Microsoft Agent Framework, with a scripted client."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from integrations.requests_sent import check_archive
from tamis.archive import Archive

pytest.importorskip("agent_framework", reason="needs tamis[agent-framework]")

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
    tool,
)

from tamis.integrations.agent_framework import compaction_strategy, recall_tool

RULE = "Never change b.txt, another program writes it."
PARTS, WINDOW, BUDGET = 30, 6_000, 800


@tool(approval_mode="never_require")
def read_part(number: int) -> str:
    """Read one part of the log."""
    return part_of(number)


def part_of(number: int) -> str:
    lines = [f"step {n:02} of part {number}: compiled in {n * number % 97} ms" for n in range(40)]
    return "\n".join([f"part {number} was built by runner-{number:04d}", *lines])


class Script(FunctionInvocationLayer, BaseChatClient):  # type: ignore[misc]
    """Reads two parts at a time, then answers."""

    def __init__(self) -> None:
        super().__init__()
        self.function_invocation_configuration["max_iterations"] = PARTS
        self.requests: list[list[dict[str, Any]]] = []

    async def _inner_get_response(self, *, messages: Sequence[Message], **_: Any) -> ChatResponse:
        self.requests.append([json.loads(message.to_json()) for message in messages])
        first = 2 * len(self.requests) - 1
        calls = [
            Content.from_function_call(f"call_{n}", "read_part", arguments={"number": n})
            for n in range(first, min(first + 2, PARTS + 1))
        ]
        return ChatResponse(messages=[Message("assistant", calls or ["All read."])])


async def run(archive: Archive) -> Script:
    script = Script()
    strategy = compaction_strategy(window=WINDOW, budget=BUDGET, archive=archive)
    agent = Agent(script, tools=[read_part, recall_tool(archive)], compaction_strategy=strategy)
    answer = await agent.run(f"Read all parts of the build log. {RULE}")
    assert "All read." in answer.text
    return script


def texts(messages: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(message["contents"]) for message in messages]


async def test_a_run_stays_within_its_window(kept: Archive) -> None:
    script = await run(kept)
    assert len(script.requests) == PARTS // 2 + 1
    sizes = [sum(map(len, texts(messages))) for messages in script.requests]
    assert max(sizes) < WINDOW * 5
    assert any(after < before for before, after in pairwise(sizes))
    assert any(RULE in text for text in texts(script.requests[-1]))
    check_archive(kept, part_of(1))


async def test_no_result_goes_out_without_its_call(kept: Archive) -> None:
    for messages in (await run(kept)).requests:
        contents = [content for message in messages for content in message["contents"]]
        calls = {c["call_id"] for c in contents if c["type"] == "function_call"}
        assert calls == {c["call_id"] for c in contents if c["type"] == "function_result"}
