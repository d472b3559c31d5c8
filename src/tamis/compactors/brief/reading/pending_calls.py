"""Calls whose results have not come yet, as one compaction hands them on to the next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tamis.compactors.brief.reading.statement import Statement
from tamis.ledger.outputs.commands import command_of
from tamis.ledger.shell.programs import run_subject
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


def unheard(
    statements: Sequence[Statement], calls: Iterable[PendingCall], cwd: str | None, end: int
) -> Mapping[int, str]:
    """What to add to failed runs that were called again, and came to nothing that the session keeps.

    Some keep no result where nothing was printed; the agent had gone on from it by turn `end`.
    """
    again = {
        run_subject(command, cwd): opened.turn
        for opened in calls
        if opened.turn < end and (command := command_of(opened.call))
    }
    failed = (s for s in statements if s.kind == "failed" and again.get(s.key, -1) > s.turn)
    return {id(s): f"run again, #{again[s.key]}, with no result on record" for s in failed}


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
