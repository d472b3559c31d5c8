"""Calls whose results have not come yet, as one compaction hands them on to the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tamis.messages import ToolCall, ToolResult


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A call whose result has not come, and where it stands; `is_told`, that it is told without one.

    `is_silent`: it has come since, and holds nothing.
    """

    call: ToolCall
    turn: int
    part: int
    message: str = ""
    is_told: bool = False
    is_silent: bool = False


def marked(calls: Sequence[PendingCall], answered: PendingCall, result: ToolResult) -> list[PendingCall]:
    """The newest calls, the one that was answered with whether that holds nothing."""
    silent = not result.text.strip()
    return [replace(o, is_silent=silent) if o.call.id == answered.call.id else o for o in calls]


def call_to_json(opened: PendingCall) -> dict[str, Any]:
    """A pending call as JSON values; `call_from_json` gives it back."""
    call = {"id": opened.call.id, "name": opened.call.name, "arguments": dict(opened.call.arguments)}
    place = {"turn": opened.turn, "part": opened.part, "message": opened.message}
    return {**call, **place, "is_told": opened.is_told, "is_silent": opened.is_silent}


def call_from_json(data: Mapping[str, Any]) -> PendingCall:
    """What `call_to_json` gave."""
    call = ToolCall(id=data["id"], name=data["name"], arguments=data["arguments"])
    marks = (data.get("is_told", False), data.get("is_silent", False))
    return PendingCall(call, data["turn"], data["part"], data.get("message", ""), *marks)
