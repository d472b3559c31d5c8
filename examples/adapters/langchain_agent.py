"""LangChain: an agent that works past its window, with a scripted model; needs no network and no key.

python examples/adapters/langchain_agent.py
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from pydantic import Field
from story import ANSWER, BUDGET, TASK, WINDOW, Call, next_move, read_part

import tamis
from tamis.integrations.langchain import compaction_middleware


class Script(BaseChatModel):
    """The scripted model, and what it was sent."""

    requests: list[list[BaseMessage]] = Field(default_factory=list)
    offered: list[str] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "script"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Script:
        self.offered[:] = [tool.name for tool in tools]
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        self.requests.append(messages)
        last = messages[-1].text if isinstance(messages[-1], ToolMessage) else ""
        move = next_move(len(self.requests) - 1, last)
        if isinstance(move, Call):
            calls = [{"name": move.tool, "args": move.arguments, "id": move.id}]
            said = AIMessage(content="", tool_calls=calls)
        else:
            said = AIMessage(content=move)
        return ChatResult(generations=[ChatGeneration(message=said)])


def run(archive: tamis.Archive) -> tuple[str, Script]:
    """The agent's answer, and what its model was sent."""
    script = Script()
    agent = create_agent(
        script,
        tools=[tool(read_part)],
        system_prompt="You read logs.",
        middleware=[compaction_middleware(window=WINDOW, budget=BUDGET, archive=archive)],
    )
    state = agent.invoke({"messages": [("user", TASK)]}, {"recursion_limit": 200})
    return state["messages"][-1].text, script


if __name__ == "__main__":
    with tamis.Archive.open(Path(tempfile.mkdtemp()) / "work.tamis") as archive:
        answer, script = run(archive)
        assert ANSWER in answer, answer
        print(answer)
        longest = max(map(len, script.requests))
        print(f"{len(script.requests)} requests, the longest of {longest} messages")
        print(f"{archive.stats().messages} messages in the archive")
