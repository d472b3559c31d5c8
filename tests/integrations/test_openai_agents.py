"""The session and the input filter, in the OpenAI Agents SDK's own runner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import pytest

from tamis.archive import Archive

pytest.importorskip("agents", reason="needs tamis[openai-agents]")

from agents import Agent, RunConfig, Runner, SQLiteSession
from agents.memory import Session
from agents.testing import ScriptedModel
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter

from integrations.requests_sent import check_archive, check_requests
from tamis.integrations.openai_agents import CompactingSession, recall_tool
from tamis.sessions.formats.openai_chat.format import OpenAIChat
from tamis.sessions.formats.openai_responses.format import OpenAIResponses

Load = Callable[[str], ModuleType]
ITEM = TypeAdapter(ResponseInputItemParam)


def chat(calls: Sequence[Any]) -> list[Any]:
    """What the model was sent, request by request, as chat items."""
    inputs = [
        call.input if isinstance(call.input, list) else [{"role": "user", "content": call.input}]
        for call in calls
    ]
    return [OpenAIChat().encode(OpenAIResponses().decode(items).messages) for items in inputs]


def test_a_run_stays_within_its_window_and_finds_what_was_taken_out(example: Load, kept: Archive) -> None:
    story = example("story")
    answer, calls = example("openai_agents_agent").run(kept)
    assert story.ANSWER in answer
    check_requests(chat(calls), window=story.WINDOW)
    check_archive(kept, story.read_part(3))


def test_several_runs_over_one_session(example: Load, kept: Archive) -> None:
    calls = example("openai_agents_agent").run_in_turns(kept)
    check_requests(chat(calls), window=example("story").WINDOW)
    check_archive(kept, example("story").read_part(3))


def test_what_is_sent_is_what_the_client_takes(example: Load, kept: Archive) -> None:
    _, calls = example("openai_agents_agent").run(kept)
    for item in (item for call in calls for item in call.input if not isinstance(call.input, str)):
        ITEM.validate_python(item)


def test_the_session_is_one_of_the_sdk_s_and_keeps_everything(example: Load) -> None:
    inner = SQLiteSession("talk")
    session = CompactingSession(inner, window=2_000, budget=300)
    assert isinstance(session, Session)
    say = example("openai_agents_agent").say
    agent = Agent("a", model=ScriptedModel([[say("rye " * 150)] for _ in range(20)]))
    for n in range(20):
        Runner.run_sync(agent, f"Question {n}", session=session, run_config=RunConfig(tracing_disabled=True))
    asked = [item for item in run(inner.get_items()) if item.get("role") == "user"]
    assert [item["content"] for item in asked] == [f"Question {n}" for n in range(20)]
    assert len(run(session.get_items())) < len(run(inner.get_items()))


def run(awaitable: Any) -> Any:
    import asyncio

    return asyncio.run(awaitable)


def test_taking_back_asking_for_the_newest_and_clearing_go_to_the_store() -> None:
    session = CompactingSession(SQLiteSession("talk"), window=2_000)
    said = [{"role": "user", "content": word} for word in ("one", "two", "three")]
    run(session.add_items(said))
    assert run(session.get_items(2)) == said[1:]
    assert run(session.pop_item()) == said[2]
    assert [item["content"] for item in run(session.get_items())] == ["one", "two"]
    run(session.clear_session())
    assert run(session.get_items()) == []


def test_reasoning_stays_with_the_call_that_it_led_to() -> None:
    items: list[Any] = [{"role": "user", "content": "Weigh it."}]
    for n in range(40):
        items += [
            {
                "type": "reasoning",
                "id": f"rs_{n}",
                "summary": [{"type": "summary_text", "text": "Once more."}],
            },
            {
                "type": "function_call",
                "id": f"fc_{n}",
                "call_id": f"c{n}",
                "name": "weigh",
                "arguments": "{}",
            },
            {"type": "function_call_output", "call_id": f"c{n}", "output": "9 kg " * 60},
        ]
    session = CompactingSession(SQLiteSession("talk"), window=2_000, budget=300)
    run(session.add_items(items))
    kinds = [item.get("type") for item in run(session.get_items())]
    assert len(kinds) < len(items)
    assert all(kinds[n - 1] == "reasoning" for n, kind in enumerate(kinds) if kind == "function_call")


@pytest.mark.parametrize("arguments", ["", "not json", "[]", '{"words": 7}'])
def test_the_recall_tool_answers_what_it_cannot_read(kept: Archive, arguments: str) -> None:
    said = run(recall_tool(kept).on_invoke_tool(None, arguments))
    assert "Nothing" in said
