"""inspect_ai: an agent that works past its window, with a scripted model; needs no network and no key.

python examples/adapters/inspect_ai_agent.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import inspect_ai
from inspect_ai import Task
from inspect_ai.agent import react
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageTool, GenerateConfig, Model, ModelOutput, modelapi
from inspect_ai.model._providers.mockllm import MockLLM
from inspect_ai.tool import Tool, tool
from story import ANSWER, BUDGET, PARTS, TASK, WINDOW, Call, next_move
from story import read_part as read

import tamis
from tamis.integrations.inspect_ai import compaction_strategy, recall_tool


@tool
def read_part() -> Tool:
    """The tool that reads a part of the log."""

    async def execute(number: int) -> str:
        """Read one part of the log.

        Args:
            number: which part.
        """
        return read(number)

    return execute


@modelapi(name="script")
class Script(MockLLM):
    """The scripted model. It counts by tamis's tokenizer, for inspect_ai's own is downloaded."""

    requests: list[list[ChatMessage]]

    def __init__(self) -> None:
        super().__init__("script", custom_outputs=self.reply)
        self.requests = []
        self.counter = tamis.get_counter()

    async def count_text_tokens(self, text: str) -> int:
        return self.counter.count(text)

    def reply(self, messages: list[ChatMessage], *_: Any) -> ModelOutput:
        self.requests.append(list(messages))
        last = messages[-1].text if isinstance(messages[-1], ChatMessageTool) else ""
        move = next_move(len(self.requests) - 1, last)
        call = move if isinstance(move, Call) else Call("call_submit", "submit", {"answer": move})
        return ModelOutput.for_tool_call("script", call.tool, call.arguments, tool_call_id=call.id)


def run(archive: tamis.Archive, log_dir: Path) -> tuple[str, Script]:
    """The agent's answer, and what its model was sent."""
    script = Script()
    agent = react(
        prompt="You read logs.",
        tools=[read_part(), recall_tool(archive)],
        compaction=compaction_strategy(window=WINDOW, budget=BUDGET, archive=archive),
    )
    task = Task(dataset=[Sample(input=TASK, target=ANSWER)], solver=agent, message_limit=4 * PARTS)
    (log,) = inspect_ai.eval(
        task, model=Model(script, GenerateConfig()), log_dir=str(log_dir), display="none"
    )
    assert log.samples is not None, log.error
    return log.samples[0].output.completion, script


if __name__ == "__main__":
    folder = Path(tempfile.mkdtemp())
    with tamis.Archive.open(folder / "work.tamis") as archive:
        answer, script = run(archive, folder)
        assert ANSWER in answer, answer
        print(answer)
        longest = max(map(len, script.requests))
        print(f"{len(script.requests)} requests, the longest of {longest} messages")
        print(f"{archive.stats().messages} messages in the archive")
