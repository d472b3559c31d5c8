"""Pydantic AI: an agent that works past its window, with a scripted model; needs no network and no key.

python examples/adapters/pydantic_ai_agent.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from pydantic_ai import Agent
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from story import ANSWER, BUDGET, TASK, WINDOW, Call, next_move, read_part

import tamis
from tamis.integrations.pydantic_ai import history_processor, recall_tool


class Script:
    """The scripted model, and what it was sent."""

    def __init__(self) -> None:
        self.requests: list[list[ModelMessage]] = []

    def reply(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.requests.append(list(messages))
        last = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        move = next_move(len(self.requests) - 1, str(last[-1].content) if last else "")
        if isinstance(move, Call):
            assert move.tool in {tool.name for tool in info.function_tools}
            return ModelResponse(parts=[ToolCallPart(move.tool, move.arguments, tool_call_id=move.id)])
        return ModelResponse(parts=[TextPart(move)])


def run(archive: tamis.Archive) -> tuple[str, Script]:
    """The agent's answer, and what its model was sent."""
    script = Script()
    processor = history_processor(window=WINDOW, budget=BUDGET, archive=archive)
    agent = Agent(
        FunctionModel(script.reply),
        system_prompt="You read logs.",
        capabilities=[ProcessHistory(processor)],
        tools=[read_part, recall_tool(archive)],
    )
    return agent.run_sync(TASK).output, script


if __name__ == "__main__":
    with tamis.Archive.open(Path(tempfile.mkdtemp()) / "work.tamis") as archive:
        answer, script = run(archive)
        assert ANSWER in answer, answer
        print(answer)
        longest = max(map(len, script.requests))
        print(f"{len(script.requests)} requests, the longest of {longest} messages")
        print(f"{archive.stats().messages} messages in the archive")
