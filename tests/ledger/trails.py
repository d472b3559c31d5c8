"""Running conversations through the file trail alone."""

from __future__ import annotations

from typing import Any

from tamis.ledger.events import FileChange
from tamis.ledger.files.extractor import extract_files
from tamis.ledger.reader import LedgerReader
from tamis.messages import Message, ToolCall, ToolResult


def steps(*pairs: tuple[ToolCall, ToolResult | None]) -> list[Message]:
    """Each call in a message of its own, and its result, if any, in the next."""
    messages: list[Message] = []
    for number, (call, result) in enumerate(pairs):
        messages.append(Message(id=f"a{number}", role="assistant", parts=(call,)))
        if result is not None:
            messages.append(Message(id=f"t{number}", role="tool", parts=(result,)))
    return messages


def shell(
    command: str, output: str = "", code: int | None = 0, *, tool: str = "bash"
) -> tuple[ToolCall, ToolResult]:
    """A shell command, what it printed and its exit status; the call's id is the command itself."""
    call = ToolCall(id=command, name=tool, arguments={"command": command})
    return call, ToolResult(call_id=command, text=output, exit_code=code)


def use(
    name: str, arguments: dict[str, Any], output: str = "ok", **result: Any
) -> tuple[ToolCall, ToolResult]:
    """A tool call and its result."""
    call_id = f"{name} {arguments}"
    return (
        ToolCall(id=call_id, name=name, arguments=arguments),
        ToolResult(call_id=call_id, text=output, **result),
    )


def changes(messages: list[Message], cwd: str | None = "/repo") -> list[FileChange]:
    """Every change of the trail, in order."""
    reader = LedgerReader(cwd=cwd, extractors=(extract_files,))
    events = [event for message in messages for event in reader.read(message)]
    return [event.value for event in events if isinstance(event.value, FileChange)]


def trail(*pairs: tuple[ToolCall, ToolResult | None], cwd: str | None = "/repo") -> list[str]:
    """The trail as short lines: `created /repo/a.py`; `?` behind what is uncertain."""
    return [
        f"{change.action} {change.path}{'' if change.certain else ' ?'}"
        for change in changes(steps(*pairs), cwd)
    ]
