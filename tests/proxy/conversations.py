"""Agents' conversations as the three APIs take them, long enough to be compacted."""

from __future__ import annotations

import time
from typing import Any

WINDOW, BUDGET = 6_000, 700
REQUEST = "Make src/totals.py skip empty rows. Never change reports/2024.csv."


def output_of(n: int) -> str:
    return f"the marker of part {n} is quartz-{n:04d}\n" + f"rows_{n} = list(read())\n" * 40


def chat(turns: int) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You are careful."},
        {"role": "user", "content": REQUEST},
    ]
    for n in range(turns):
        function = {"name": "bash", "arguments": f'{{"command": "cat src/part{n}.py"}}'}
        call = {"id": f"call_{n}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"call_{n}", "content": output_of(n)})
    return messages


def anthropic(turns: int) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": REQUEST}]
    for n in range(turns):
        call = {"type": "tool_use", "id": f"call_{n}", "name": "bash"}
        call["input"] = {"command": f"cat src/part{n}.py"}  # type: ignore[assignment]
        messages.append({"role": "assistant", "content": [call]})
        result = {"type": "tool_result", "tool_use_id": f"call_{n}", "content": output_of(n)}
        messages.append({"role": "user", "content": [result]})
    return messages


def responses(turns: int) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = [{"role": "user", "content": REQUEST}]
    for n in range(turns):
        command = f'{{"command": "cat src/part{n}.py"}}'
        items.append({"type": "function_call", "call_id": f"call_{n}", "name": "bash", "arguments": command})
        items.append({"type": "function_call_output", "call_id": f"call_{n}", "output": output_of(n)})
    return items


CHAT = "/v1/chat/completions"


def body(turns: int = 16, **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": chat(turns), **more}


def until(holds: Any) -> None:
    """Wait for something that happens in another thread; the test fails where it does not."""
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)
