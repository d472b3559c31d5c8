"""OpenAI Agents SDK: an agent that works past its window, with a scripted model; needs no network, no key.

python examples/adapters/openai_agents_agent.py
"""

from __future__ import annotations

import json
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from agents import Agent, RunConfig, Runner, SQLiteSession, function_tool
from agents.testing import ModelCall, ModelStep, ScriptedModel
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from story import ANSWER, BUDGET, PARTS, TASK, WINDOW, Call, next_move, read_part

import tamis
from tamis.integrations.openai_agents import CompactingSession, input_filter, recall_tool


def reply(call: ModelCall, answered: int) -> list[Any]:
    """What the scripted model says to a request."""
    last = call.input[-1]
    move = next_move(answered, str(last.get("output", "")) if isinstance(last, dict) else "")
    if isinstance(move, Call):
        assert move.tool in {tool.name for tool in call.tools}
        arguments = json.dumps(move.arguments)
        return [
            ResponseFunctionToolCall(
                type="function_call", call_id=move.id, name=move.tool, arguments=arguments
            )
        ]
    return [say(move)]


def say(text: str) -> ResponseOutputMessage:
    """A reply in words."""
    content = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(
        id="msg", type="message", role="assistant", status="completed", content=[content]
    )


def run(archive: tamis.Archive) -> tuple[str, list[ModelCall]]:
    """The answer of one long run with the input filter, and what the model was sent."""
    model = ScriptedModel(ModelStep.respond(partial(reply, answered=n)) for n in range(PARTS + 2))
    agent = Agent("logs", instructions="You read logs.", model=model)
    agent.tools = [function_tool(read_part), recall_tool(archive)]
    config = RunConfig(
        call_model_input_filter=input_filter(window=WINDOW, budget=BUDGET, archive=archive),
        tracing_disabled=True,
    )
    result = Runner.run_sync(agent, TASK, run_config=config, max_turns=PARTS + 5)
    return str(result.final_output), list(model.calls)


def run_in_turns(archive: tamis.Archive) -> list[ModelCall]:
    """What the model was sent over many short runs, with a session that is compacted between them."""
    model = ScriptedModel([[say(f"Noted: {read_part(n)}")] for n in range(1, PARTS + 1)])
    agent = Agent("logs", instructions="You read logs.", model=model)
    session = CompactingSession(SQLiteSession("logs"), window=WINDOW, budget=BUDGET, archive=archive)
    for n in range(1, PARTS + 1):
        Runner.run_sync(
            agent, f"Note part {n}.", session=session, run_config=RunConfig(tracing_disabled=True)
        )
    return list(model.calls)


if __name__ == "__main__":
    with tamis.Archive.open(Path(tempfile.mkdtemp()) / "work.tamis") as archive:
        answer, calls = run(archive)
        assert ANSWER in answer, answer
        print(answer)
        print(f"{len(calls)} requests, the longest of {max(len(c.input) for c in calls)} items")
        calls = run_in_turns(archive)
        print(f"{len(calls)} runs, the longest request of {max(len(c.input) for c in calls)} items")
        print(f"{archive.stats().messages} messages in the archive")
