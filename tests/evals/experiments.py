"""Sessions, files and models that experiments are tried with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tamis.evals.experiment.runner import SessionFile
from tamis.messages import Message, Session, Text, ToolCall, ToolResult
from tamis.models import Model, Prompt, ScriptedModel


def worker(number: int = 0) -> Session:
    """An agent that reads files, is told a rule, and goes on with some of them."""
    messages = [line(0, "user", f"Fix job {number}. Never touch config/prod-{number}.yaml in any way.")]
    for i in range(12):
        call = ToolCall(id=f"c{i}", name="bash", arguments={"command": f"cat src/job{number}/file_{i}.py"})
        body = "\n".join(f"def step_{i}_{line}(value): return value + {line}" for line in range(24))
        messages.append(Message(id=f"a{i}", role="assistant", parts=(call,)))
        result = ToolResult(call_id=f"c{i}", text=f"{body}\nValueError: E{number}40{i} in load_table_{i}")
        messages.append(Message(id=f"r{i}", role="tool", parts=(result,)))
    for i in range(12):
        messages.append(line(100 + i, "assistant", f"Now step_{i}_{i} in src/job{number}/file_{i}.py."))
        messages.append(line(200 + i, "user", "Go on. " * 120))
    return Session(id=f"job-{number}", format="messages", messages=tuple(messages))


def line(number: int, role: str, text: str) -> Message:
    return Message(id=f"m{number}", role=role, parts=(Text(text=text),))  # type: ignore[arg-type]


def saved(folder: Path, *sessions: Session) -> list[SessionFile]:
    files = []
    for session in sessions:
        path = folder / f"{session.id}.json"
        path.write_text(json.dumps([{"role": m.role, "content": m.text} for m in session.messages]))
        files.append(SessionFile(set="talks", path=path))
    return files


def scripted(*replies: object) -> Callable[[str], Model]:
    """One model for every name, which gives the replies in order and the last one again and again."""
    return lambda name: Repeating(replies, name)


class Repeating:
    """A scripted model that never runs out."""

    asked = 0
    window_tokens = None

    def __init__(self, replies: tuple[object, ...], name: str) -> None:
        self.name = name
        self._replies = replies
        Repeating.asked = 0

    async def ask(self, prompt: Prompt, *, schema: object = None) -> object:
        reply = self._replies[min(Repeating.asked, len(self._replies) - 1)]
        Repeating.asked += 1
        return await ScriptedModel([reply], name=self.name).ask(prompt)  # type: ignore[list-item]
