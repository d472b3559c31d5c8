"""Calls whose results have not come yet, as one compaction hands them on to the next."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tamis.messages import ToolCall


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A call whose result has not come, and where it stands; `is_told`, that it is told without one."""

    call: ToolCall
    turn: int
    part: int
    message: str = ""
    is_told: bool = False


def call_to_json(opened: PendingCall) -> dict[str, Any]:
    """A pending call as JSON values; `call_from_json` gives it back."""
    call = {"id": opened.call.id, "name": opened.call.name, "arguments": dict(opened.call.arguments)}
    place = {"turn": opened.turn, "part": opened.part, "message": opened.message}
    return {**call, **place, "is_told": opened.is_told}


def call_from_json(data: Mapping[str, Any]) -> PendingCall:
    """What `call_to_json` gave."""
    call = ToolCall(id=data["id"], name=data["name"], arguments=data["arguments"])
    return PendingCall(call, data["turn"], data["part"], data.get("message", ""), data.get("is_told", False))
