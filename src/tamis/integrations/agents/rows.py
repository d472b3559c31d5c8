"""The rows in which an agent's plugin hands over a conversation, to and from tamis's messages.

A row is what Claude Code's `session.compact` gives: who spoke, the text, the calls, the results, and a handle
by which the agent knows its own message again. The plugins for other agents hand over the same rows, so that
there is one reader. A row that comes back with its handle is the agent's own message, whole.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, Field

from tamis.messages import Message, Text, ToolCall, ToolResult, identify, part_text
from tamis.messages.conversation import Part, Role
from tamis.sessions.formats.claude_code.lines import is_harness_text


class RowCall(BaseModel, extra="allow"):
    """A tool call. What the agent adds (Claude Code: its result) is handed back and not read."""

    tool_use_id: str
    tool: str
    input: Any = None


class RowResult(BaseModel, extra="allow"):
    """A tool's result."""

    tool_use_id: str
    text: str = ""
    isError: bool = False  # noqa: N815 - as the agent spells it


class PluginRow(BaseModel, extra="allow"):
    """One message as a plugin hands it over."""

    role: Literal["user", "assistant"]
    text: str = ""
    toolUses: list[RowCall] = Field(default_factory=list)  # noqa: N815 - as the agent spells it
    toolResults: list[RowResult] = Field(default_factory=list)  # noqa: N815 - as the agent spells it
    handle: str | None = None


def messages_of(rows: Sequence[PluginRow]) -> tuple[Message, ...]:
    """The rows as messages, in order, each with an id; a row without anything in it is left out.

    >>> [made] = messages_of([PluginRow(role="user", text="Never touch b.txt.", handle="u1")])
    >>> made.id, made.text
    ('u1', 'Never touch b.txt.')
    """
    return identify([message for row in rows if (message := _message_of(row)).parts])


def rows_of(messages: Sequence[Message], given: Sequence[PluginRow]) -> list[dict[str, Any]]:
    """Messages as rows. One that says what a given row says is that row, as it was given.

    The newest such row is taken first: what stays of a conversation is its end.
    """
    known: defaultdict[tuple[str, ...], list[PluginRow]] = defaultdict(list)
    for row in given:
        known[said(_message_of(row))].append(row)
    made: list[dict[str, Any]] = []
    for message in reversed(messages):
        rows = known[said(message)]
        own = rows.pop() if rows and message.origin != "summary" else None
        made.append(_row_of(message) if own is None else own.model_dump(exclude_unset=True))
    return made[::-1]


def said(message: Message) -> tuple[str, ...]:
    """What a message says and to which call, by which it is known again whatever its id is.

    Whether one message is a user's or a tool's is the agent's own way of telling, so it says nothing here.
    """
    calls = [part.call_id for part in message.results] + [call.id for call in message.calls]
    return (str(message.role == "assistant"), *calls, *map(part_text, message.parts))


def _message_of(row: PluginRow) -> Message:
    calls = [_call_of(call) for call in row.toolUses]
    results = [
        ToolResult(call_id=result.tool_use_id, text=result.text, is_error=result.isError or None)
        for result in row.toolResults
    ]
    text = [Text(text=row.text)] if row.text else []
    parts: tuple[Part, ...] = (*results, *text, *calls)
    role: Role = "tool" if results and not text else row.role
    is_meta = row.role == "user" and not results and is_harness_text(row.text)
    message = Message(id=row.handle or "", role=role, parts=parts)
    return replace(message, origin="meta") if is_meta else message


def _call_of(call: RowCall) -> ToolCall:
    if isinstance(call.input, Mapping):
        return ToolCall(id=call.tool_use_id, name=call.tool, arguments=dict(call.input))
    raw = "" if call.input is None else str(call.input)
    return ToolCall(id=call.tool_use_id, name=call.tool, raw_arguments=raw)


def _row_of(message: Message) -> dict[str, Any]:
    row: dict[str, Any] = {
        "role": "assistant" if message.role == "assistant" else "user",
        "text": message.text,
        "toolUses": [
            {"tool_use_id": call.id, "tool": call.name, "input": dict(call.arguments)}
            for call in message.calls
        ],
    }
    if message.results:
        row["toolResults"] = [
            {"tool_use_id": result.call_id, "text": result.text, "isError": bool(result.is_error)}
            for result in message.results
        ]
    return row
