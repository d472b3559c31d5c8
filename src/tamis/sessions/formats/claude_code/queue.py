"""What a user typed while Claude Code was working.

The log holds it as `queue-operation` lines: `enqueue` with the text, then what became of the oldest one.
`remove` hands it to the agent in mid-turn, which no other line tells; `dequeue` sends it as an ordinary
prompt, which has a line of its own; `popAll` gives everything back to the user.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from tamis.sessions.formats.claude_code.lines import SkippedLine
from tamis.sessions.loose import as_text

NumberedLines = list[tuple[int, dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A text in the queue, its line, and the place of that line should it become no message."""

    text: str
    number: int
    line: dict[str, Any]
    after: list[SkippedLine]

    def give_back(self) -> None:
        self.after.append(SkippedLine(self.number, _raw(self.line), ""))


@dataclass(slots=True)
class InputQueue:
    """Follows the queue."""

    waiting: list[_Waiting] = field(default_factory=list)

    def take(
        self, line: dict[str, Any], *, number: int, after: list[SkippedLine]
    ) -> tuple[str, NumberedLines]:
        """The text that this line hands to the agent, with the lines that say so; else an empty one.

        A line that hands nothing over goes to `after`, the lines that follow the message before it.
        """
        operation, text = line.get("operation"), as_text(line.get("content"))
        if operation == "enqueue" and text.strip():
            self.waiting.append(_Waiting(text, number, line, after))
            return "", []
        if operation == "remove" and self.waiting:
            oldest = self.waiting.pop(0)
            return oldest.text, [(oldest.number, oldest.line), (number, line)]
        if operation == "dequeue" and self.waiting:
            self.waiting.pop(0).give_back()
        elif operation == "popAll":
            self.give_back()
        after.append(SkippedLine(number, _raw(line), ""))
        return "", []

    def give_back(self) -> None:
        """Nothing that still waits was handed over."""
        for waiting in self.waiting:
            waiting.give_back()
        self.waiting.clear()


def _raw(line: dict[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))
