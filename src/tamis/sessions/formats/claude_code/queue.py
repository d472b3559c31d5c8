"""What a user typed while Claude Code was working.

The log holds it as `queue-operation` lines: `enqueue` with the text, then what became of the oldest one.
`remove` hands it to the agent in mid-turn, which no other line tells; `dequeue` sends it as an ordinary
prompt, which has a line of its own; `popAll` gives everything back to the user.
"""

import json
from typing import Any, NamedTuple

from tamis.sessions.formats.claude_code.lines import SkippedLine
from tamis.sessions.loose import as_text

NumberedLines = list[tuple[int, dict[str, Any]]]


class _Waiting(NamedTuple):
    """A text in the queue, its line, and the place of that line should it become no message."""

    text: str
    number: int
    line: dict[str, Any]
    after: list[SkippedLine]


class InputQueue:
    """Follows the queue."""

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []

    def take(
        self, line: dict[str, Any], *, number: int, after: list[SkippedLine]
    ) -> tuple[str, NumberedLines]:
        """The text that this line hands to the agent, with the lines that say so; else an empty one.

        A line that hands nothing over goes to `after`, the lines that follow the message before it.
        """
        operation, text = line.get("operation"), as_text(line.get("content"))
        if operation == "enqueue" and text.strip():
            self._waiting.append(_Waiting(text, number, line, after))
            return "", []
        if operation == "remove" and self._waiting:
            oldest = self._waiting.pop(0)
            return oldest.text, [(oldest.number, oldest.line), (number, line)]
        if operation in ("dequeue", "popAll"):
            self.give_back(1 if operation == "dequeue" else None)
        _skip(number, line, after)
        return "", []

    def give_back(self, most: int | None = None) -> None:
        """The oldest that still wait, or all, were not handed over."""
        for waiting in self._waiting[:most]:
            _skip(waiting.number, waiting.line, waiting.after)
        del self._waiting[:most]


def _skip(number: int, line: dict[str, Any], after: list[SkippedLine]) -> None:
    raw = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    after.append(SkippedLine(number, raw, ""))
