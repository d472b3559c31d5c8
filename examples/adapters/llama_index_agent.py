"""LlamaIndex: an agent whose memory goes past its window, with a scripted model; needs no network, no key.

python examples/adapters/llama_index_agent.py
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.llms import ChatMessage
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.tools import FunctionTool
from story import ANSWER, BUDGET, PARTS, TASK, WINDOW, Call, next_move, read_part

import tamis
from tamis.integrations.llama_index import compacting_memory, recall_tool


class Script:
    """The scripted model, and what it was sent. One tool call a run, for the memory is compacted between."""

    def __init__(self) -> None:
        self.requests: list[list[ChatMessage]] = []
        self.answered = 0

    def reply(self, messages: Sequence[ChatMessage], **_: Any) -> ChatMessage:
        self.requests.append(list(messages))
        if messages[-1].role == "tool":
            self.answered += 1
            said = next_move(self.answered, messages[-1].content or "")
            return ChatMessage(role="assistant", content=said if isinstance(said, str) else "Noted.")
        move = next_move(self.answered, "")
        assert isinstance(move, Call)
        block = ToolCallBlock(tool_call_id=move.id, tool_name=move.tool, tool_kwargs=move.arguments)
        return ChatMessage(role="assistant", blocks=[block])


async def run(archive: tamis.Archive) -> tuple[str, Script]:
    """The agent's last answer, and what its model was sent."""
    script = Script()
    agent = FunctionAgent(
        tools=[FunctionTool.from_defaults(read_part), recall_tool(archive)],
        llm=MockFunctionCallingLLM(response_generator=script.reply, is_chat_model=True),
        system_prompt="You read logs.",
        streaming=False,
    )
    memory = compacting_memory(window=WINDOW, budget=BUDGET, archive=archive)
    output = None
    for n in range(PARTS + 1):
        output = await agent.run("Go on." if n else TASK, memory=memory)
    return str(output), script


if __name__ == "__main__":
    with tamis.Archive.open(Path(tempfile.mkdtemp()) / "work.tamis") as archive:
        answer, script = asyncio.run(run(archive))
        assert ANSWER in answer, answer
        print(answer)
        longest = max(map(len, script.requests))
        print(f"{len(script.requests)} requests, the longest of {longest} messages")
        print(f"{archive.stats().messages} messages in the archive")
