"""The compaction middleware, in LangChain's own agent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tamis.archive import Archive

pytest.importorskip("langchain", reason="needs tamis[langchain]")

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, convert_to_openai_messages
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import Field

from integrations.requests_sent import check_archive, check_requests
from tamis.integrations.langchain import compaction_middleware, recall_tool

Load = Callable[[str], ModuleType]


class Chatty(BaseChatModel):
    """Says much, and remembers what it was sent."""

    requests: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "chatty"

    def bind_tools(self, tools: Any, **_: Any) -> Chatty:
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        self.requests.append(messages)
        said = AIMessage(content=f"answer {len(self.requests)}: " + "rye " * 150)
        return ChatResult(generations=[ChatGeneration(message=said)])


def test_a_run_stays_within_its_window_and_finds_what_was_taken_out(example: Load, kept: Archive) -> None:
    story = example("story")
    answer, script = example("langchain_agent").run(kept)
    assert story.ANSWER in answer
    check_requests([convert_to_openai_messages(r) for r in script.requests], window=story.WINDOW)
    check_archive(kept, story.read_part(3))


def test_the_recall_tool_comes_along_with_an_archive(example: Load, kept: Archive) -> None:
    _, script = example("langchain_agent").run(kept)
    assert sorted(script.offered) == ["read_part", "recall"]
    assert compaction_middleware(window=2_000).tools == []


def test_the_recall_tool_takes_what_the_model_gives(kept: Archive) -> None:
    said = recall_tool(kept).invoke({"words": "nothing there"})
    assert "Nothing in the archive" in said


def threads(kept: Archive, runs: int) -> tuple[Any, Chatty, dict[str, Any]]:
    model = Chatty()
    agent = create_agent(
        model,
        middleware=[compaction_middleware(window=2_000, budget=300, archive=kept)],
        system_prompt="Be brief.",
        checkpointer=InMemorySaver(),
    )
    config: dict[str, Any] = {"configurable": {"thread_id": "1"}}
    for n in range(runs):
        agent.invoke({"messages": [("user", f"Question {n}")]}, config)
    return agent, model, config


def test_several_turns_of_a_thread(kept: Archive) -> None:
    _, model, _ = threads(kept, 30)
    check_requests([convert_to_openai_messages(r) for r in model.requests], window=2_000)
    check_archive(kept, "answer 2: rye")


def test_the_thread_s_state_stays_whole(kept: Archive) -> None:
    agent, _, config = threads(kept, 30)
    held = agent.get_state(config).values["messages"]
    assert [m.text for m in held if isinstance(m, HumanMessage)] == [f"Question {n}" for n in range(30)]


def test_messages_that_stay_are_the_very_objects(kept: Archive) -> None:
    _, model, _ = threads(kept, 30)
    assert all(isinstance(message, BaseMessage) for message in model.requests[-1])
    assert model.requests[-1][-1].id, "LangChain's own ids are still there"
    assert model.requests[-1][0].text == "Be brief."


def test_an_agent_that_is_run_asynchronously(kept: Archive) -> None:
    model = Chatty()
    agent = create_agent(model, middleware=[compaction_middleware(window=2_000, budget=300, archive=kept)])
    history: list[Any] = []
    for n in range(30):
        state = asyncio.run(agent.ainvoke({"messages": [*history, ("user", f"Question {n}")]}))
        history = state["messages"]
    check_requests([convert_to_openai_messages(r) for r in model.requests], window=2_000)
