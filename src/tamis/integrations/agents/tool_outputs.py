"""A large tool output condensed as it comes in: its ends and its errors stay, the whole is in the archive.

Claude Code runs PostToolUse hooks with the output in its tool's own shape and takes `updatedToolOutput`
in the same shape: https://code.claude.com/docs/en/hooks.
What an agent reads in order to change it is left whole.
"""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from tamis.archive import Archive
from tamis.archive.store import SHORT_ID
from tamis.messages import Counter, Message, ToolResult

EVENT = "PostToolUse"
MOST_TOKENS = 4_000
"""What an output may take before it is condensed."""

_CONDENSED = ("Bash", "BashOutput", "Grep", "Glob", "WebFetch", "WebSearch", "Monitor", "TaskOutput")
_FAULT = re.compile(r"\b(error|failed|failure|fatal|panic|exception|traceback|warning)\b|^E  ", re.IGNORECASE)
_ITS_OWN = re.compile(r"\btamis\s+(recall|expand)\b")
_LONG_LINE = 2_000


class OutputCall(BaseModel):
    """What an agent hands over when a tool has run."""

    session_id: str
    tool_name: str
    tool_use_id: str = ""
    tool_input: dict[str, Any] = {}
    tool_response: Any = None
    most_tokens: int = MOST_TOKENS


def condense_output(text: str, archive: Archive, *, counter: Counter) -> Mapping[str, Any] | None:
    """The answer to a PostToolUse hook; None where the call is another's, or its output is small enough.

    Raises:
        BadArchive: the archive cannot be written; the output stays as it was.
    """
    try:
        call = OutputCall.model_validate_json(text)
    except ValidationError:
        return None
    is_foreign = call.tool_name.startswith("mcp__") and not call.tool_name.startswith("mcp__tamis__")
    if call.tool_name not in _CONDENSED and not is_foreign:
        return None
    if _ITS_OWN.search(str(call.tool_input.get("command", ""))):
        return None  # what was asked back is not taken out again
    condensed = _Condensed(call, archive, counter)
    output = condensed.of(call.tool_response)
    if not condensed.changed:
        return None
    return {"hookSpecificOutput": {"hookEventName": EVENT, "updatedToolOutput": output}}


class _Condensed:
    """The texts of one output, each condensed where it is large."""

    def __init__(self, call: OutputCall, archive: Archive, counter: Counter) -> None:
        self._call, self._archive, self._counter = call, archive, counter
        self.changed = False

    def of(self, value: Any) -> Any:
        match value:
            case dict():
                return {name: self.of(inner) for name, inner in value.items()}
            case list():
                return [self.of(inner) for inner in value]
            case str() if len(value) > self._call.most_tokens:
                tokens = self._counter.count(value)
                return self._shorter(value, tokens) if tokens > self._call.most_tokens else value
            case _:
                return value

    def _shorter(self, text: str, tokens: int) -> str:
        part = ToolResult(call_id=self._call.tool_use_id, name=self._call.tool_name, text=text)
        kept = Message(id="", role="tool", parts=(part,))
        (digest,) = self._archive.put(self._call.session_id, [kept])
        back = f"tamis expand {self._archive.path} {digest[:SHORT_ID]}"
        share = self._call.most_tokens / tokens
        shorter = excerpt(text, chars=int(len(text) * share * 0.9), back=back)
        self.changed = self.changed or shorter != text
        return shorter


def excerpt(text: str, *, chars: int, back: str) -> str:
    r"""The first and the last lines of a text, the lines between that tell of faults, and what is left out.

    >>> lines = [f"line {n}" for n in range(100)]
    >>> lines[50] = "error: no such file"
    >>> print(excerpt("\n".join(lines), chars=60, back="tamis expand A 1"))
    line 0
    line 1
    [48 lines left out; all of it: tamis expand A 1]
    error: no such file
    [46 lines left out]
    line 97
    line 98
    line 99
    """
    # A line stays as it is, or goes in pieces where it is a whole page.
    starts = ((line, at) for line in text.split("\n") for at in range(0, len(line) or 1, _LONG_LINE))
    lines = [line[at : at + _LONG_LINE] for line, at in starts]
    kept: set[int] = set()
    for order, share in ((range(len(lines)), 0.25), (range(len(lines) - 1, -1, -1), 0.45)):
        kept |= _that_fit(lines, [n for n in order if n not in kept], int(chars * share))
    faults = [n for n, line in enumerate(lines) if n not in kept and _FAULT.search(line)]
    kept |= _that_fit(lines, faults, int(chars * 0.35))
    return "\n".join(_told(lines, sorted(kept), back))


def _that_fit(lines: list[str], order: list[int], room: int) -> set[int]:
    kept: set[int] = set()
    for n in order:
        room -= len(lines[n]) + 1
        if room < 0:
            break
        kept.add(n)
    return kept


def _told(lines: list[str], kept: list[int], back: str) -> list[str]:
    said: list[str] = []
    before = -1
    for n in [*kept, len(lines)]:
        if gap := n - before - 1:
            how = f"; all of it: {back}" if back else ""
            said.append(f"[{gap:,} line{'s' * (gap > 1)} left out{how}]")
            back = ""
        if n < len(lines):
            said.append(lines[n])
        before = n
    return said
