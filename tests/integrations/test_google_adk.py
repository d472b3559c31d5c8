"""The plugin in a runner of Google ADK, with a scripted model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest

from integrations.requests_sent import check_archive
from tamis.archive import Archive

pytest.importorskip("google.adk", reason="needs tamis[google-adk]")

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

from tamis.integrations.google_adk import compaction_plugin, recall_tool

RULE = "Never change b.txt, another program writes it."
PARTS, WINDOW, BUDGET = 30, 6_000, 800


def read_part(number: int) -> str:
    """Read one part of the log."""
    lines = [f"step {n:02} of part {number}: compiled in {n * number % 97} ms" for n in range(40)]
    return "\n".join([f"part {number} was built by runner-{number:04d}", *lines])


class Script(BaseLlm):  # type: ignore[misc]
    """Reads two parts at a time, then answers."""

    requests: list[list[types.Content]]
    tools: set[str]

    async def generate_content_async(
        self,
        llm_request: LlmRequest,
        stream: bool = False,
    ) -> AsyncIterator[LlmResponse]:
        self.requests.append([content.model_copy(deep=True) for content in llm_request.contents])
        self.tools.update(llm_request.tools_dict)
        first = 2 * len(self.requests) - 1
        calls = [
            types.Part(function_call=types.FunctionCall(name="read_part", args={"number": number}))
            for number in range(first, min(first + 2, PARTS + 1))
        ]
        yield LlmResponse(content=types.Content(role="model", parts=calls or [types.Part(text="All read.")]))


async def run(archive: Archive) -> Script:
    script = Script(model="script", requests=[], tools=set())
    agent = LlmAgent(name="reader", model=script, tools=[read_part, recall_tool(archive)])
    plugin = compaction_plugin(window=WINDOW, budget=BUDGET, archive=archive)
    runner = InMemoryRunner(app=App(name="work", root_agent=agent, plugins=[plugin]))
    events = await runner.run_debug(f"Read all parts of the build log. {RULE}", quiet=True)
    assert "All read." in str(events[-1].content)
    return script


def size(contents: list[Any]) -> int:
    return sum(len(content.model_dump_json(exclude_none=True)) for content in contents)


async def test_a_run_stays_within_its_window(kept: Archive) -> None:
    script = await run(kept)
    sizes = [size(contents) for contents in script.requests]
    assert max(sizes) < WINDOW * 4
    assert any(after < before for before, after in pairwise(sizes))
    assert RULE in str(script.requests[-1])
    check_archive(kept, read_part(1))
    assert script.tools == {"read_part", "recall"}


async def test_each_call_is_followed_by_its_results(kept: Archive) -> None:
    for contents in (await run(kept)).requests:
        called: list[Any] = []
        for content in contents:
            parts = content.parts or []
            answered = [p.function_response.name for p in parts if p.function_response]
            assert answered == called
            called = [p.function_call.name for p in parts if p.function_call]


async def test_a_result_without_an_id_belongs_to_the_oldest_open_call_of_its_name(kept: Archive) -> None:
    """ADK takes its own ids out of what it sends."""
    await run(kept)
    said = [r.text for hit in kept.search("runner-0003") for r in kept.get(hit.id).results]
    assert read_part(3) in said
