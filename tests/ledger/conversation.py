"""Short ways to write down a conversation with tool calls."""

from __future__ import annotations

from typing import Any

from tamis.messages import Message, Text, ToolCall, ToolResult


def said(role: Any, text: str, message_id: str = "m") -> Message:
    return Message(id=message_id, role=role, parts=(Text(text=text),))


def called(name: str, arguments: dict[str, Any], *, call_id: str = "c", message_id: str = "a") -> Message:
    call = ToolCall(id=call_id, name=name, arguments=arguments)
    return Message(id=message_id, role="assistant", parts=(call,))


def answered(text: str, *, call_id: str = "c", message_id: str = "t", **fields: Any) -> Message:
    return Message(id=message_id, role="tool", parts=(ToolResult(call_id=call_id, text=text, **fields),))


def ran(command: str, output: str, number: int = 0, **fields: Any) -> list[Message]:
    """A shell command and what it printed."""
    call_id = f"c{number}"
    return [
        called("bash", {"command": command}, call_id=call_id, message_id=f"a{number}"),
        answered(output, call_id=call_id, message_id=f"t{number}", **fields),
    ]
