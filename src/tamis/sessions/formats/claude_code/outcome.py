"""How a tool call ended, as far as a Claude Code log tells."""

import re
from dataclasses import replace
from typing import Any

from tamis.messages import Part, ToolResult

_EXIT_CODE = re.compile(r"(?:Error: )?Exit code (-?\d+)\b")


def with_outcome(part: Part, value: dict[str, Any], *, alone: bool) -> Part:
    """A result with its exit code, and the agent's own record of it where the line holds just one."""
    if not isinstance(part, ToolResult):
        return part
    record = value.get("toolUseResult")
    details = record if alone and isinstance(record, dict) else None
    return replace(part, exit_code=_exit_code(part, details or {}), details=details)


def _exit_code(result: ToolResult, details: dict[str, Any]) -> int | None:
    """A failed command's result begins with its code; Claude Code reports success only for code 0.

    A code that it gives a meaning of its own (grep's 1: no match), an interruption and a command sent to the
    background leave it open.
    """
    if result.is_error:
        match = _EXIT_CODE.match(result.text)
        return int(match[1]) if match else None
    if "stdout" not in details or result.is_error is None:
        return None
    unclear = ("interrupted", "returnCodeInterpretation", "backgroundTaskId")
    return None if any(details.get(key) for key in unclear) else 0
