"""What a user typed while Claude Code was working.

The log holds it as `queue-operation` lines: `enqueue` with the text, then what became of the oldest one.
`remove` hands it to the agent in mid-turn, which no other line tells; `dequeue` sends it as an ordinary
prompt, which has a line of its own; `popAll` gives everything back to the user.
"""

import json
from typing import Any, NamedTuple

from tamis.sessions.formats.claude_code.lines import SourceLine
from tamis.sessions.loose import as_text


class _Waiting(NamedTuple):
    """A text in the queue, its line, and where that line goes should it become no message."""

    text: str
    line: SourceLine
    after: list[SourceLine]


class InputQueue:
    """Follows the queue."""

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []

    def take(
        self, line: SourceLine, value: dict[str, Any], after: list[SourceLine]
    ) -> tuple[str, list[SourceLine]]:
        """The text that this line hands to the agent, with the lines that say so; else an empty one.

        A line that hands nothing over goes to `after`, the lines that follow the message before it.
        """
        operation, text = value.get("operation"), as_text(value.get("content"))
        if operation == "enqueue" and text.strip():
            self._waiting.append(_Waiting(text, line, after))
            return "", []
        if operation == "remove" and self._waiting:
            oldest = self._waiting.pop(0)
            return oldest.text, [oldest.line, line]
        if operation in ("dequeue", "popAll"):
            self.give_back(1 if operation == "dequeue" else None)
        after.append(_skipped(line))
        return "", []

    def give_back(self, most: int | None = None) -> None:
        """The oldest that still wait, or all, were not handed over."""
        for waiting in self._waiting[:most]:
            waiting.after.append(_skipped(waiting.line))
        del self._waiting[:most]


def _skipped(line: SourceLine) -> SourceLine:
    return SourceLine(line.number, json.dumps(line.content, ensure_ascii=False, separators=(",", ":")))
