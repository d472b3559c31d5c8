"""Iterations of a made-up loop, for the tests of layered memory."""

from __future__ import annotations

from tamis.memory import LayeredMemory, MemorySettings
from tamis.memory.settings import AsyncSettings, Thresholds
from tamis.messages import Message, Text, ToolCall, ToolResult, identify

TASK = "Make src/totals.py skip empty rows. Never change reports/2024.csv."


def iteration(number: int, *, failing: bool = False) -> tuple[Message, ...]:
    """The agent says what it does, runs the tests of one module, and concludes."""
    ended = "1 failed, 9 passed" if failing else "10 passed"
    error = "E   ValueError: row 7 is empty\nsrc/totals.py:41: ValueError\n" if failing else ""
    output = "\n".join(f"tests/test_part{number}.py::test_case_{i} ok" for i in range(40))
    call = ToolCall(
        id=f"call{number}", name="bash", arguments={"command": f"pytest -q tests/test_part{number}.py"}
    )
    result = ToolResult(
        call_id=f"call{number}", text=f"{output}\n{error}{ended} in 0.1s\n", exit_code=int(failing)
    )
    return identify(
        [
            Message(
                id="",
                role="assistant",
                parts=(Text(text=f"I will look at part {number} of the totals first."), call),
            ),
            Message(id="", role="tool", parts=(result,)),
            Message(
                id="",
                role="assistant",
                parts=(Text(text=f"I decided to keep the header of part {number} because readers need it."),),
            ),
        ]
    )


def settings(**changes: object) -> MemorySettings:
    """The defaults without a thread and with a low threshold, so that small loops are compressed."""
    given = {
        "asynchronous": AsyncSettings(enabled=False),
        "thresholds": Thresholds(min_compression_threshold=100),
        **changes,
    }
    return MemorySettings().model_copy(update=given)


def run(memory: LayeredMemory, count: int, *, failing: int | None = None) -> None:
    """End so many iterations; the one that is `failing` ends red."""
    for _ in range(count):
        number = memory.iterations + 1
        memory.end_iteration(TASK, iteration(number, failing=number == failing))
