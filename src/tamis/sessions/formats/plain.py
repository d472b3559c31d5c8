"""Plain transcripts: lines that begin with a role and a colon, and whatever follows up to the next.

    User: what is the capital?            用户：首都是哪里？
    Assistant: Paris.                     **Assistant:** Paris.

Much that is no transcript has lines like these, so the reader is chosen only where nothing else claims the
file, where user and assistant take turns, and where they begin near the top. Roles inside of code fences are
text. A tool's line names no call, so it becomes a message of origin `meta`, not a tool result.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tamis.messages import Role, Session
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.text.cues import zh

_NAMES: dict[Role, str] = {
    "user": "user|human|you|me|customer",
    "assistant": "assistant|ai assistant|ai|agent|bot|chatbot|model|chatgpt|claude|gpt|gemini",
    "system": "system",
    "tool": "tool|function|observation",
}
_ROLES: dict[str, Role] = {
    name: role for role, names in _NAMES.items() for name in f"{names}|{zh.SPEAKERS[role]}".split("|")
}
_HEADER = re.compile(
    r"(?:\[(?P<time>[^\]\n]{1,40})\] ?)?[*_]{0,3}(?P<name>"
    + "|".join(sorted(map(re.escape, _ROLES), key=len, reverse=True))
    + r")(?: ?\([^()\n]{1,40}\))?[*_]{0,3} ?[:：][*_]{0,3}(?: |\t|$)?(?P<text>.*)",
    re.IGNORECASE,
)
_LEAST_CHANGES = 2
_MOST_LINES_BEFORE = 10


class Plain:
    """Reads `role: text` transcripts."""

    name = "plain"
    title = "plain role: text transcript"
    streams = False
    many = False

    def sniff(self, document: Document) -> float:
        """Never sure: a low figure where user and assistant take turns from near the top on, else 0."""
        lines = document.head.split("\n")
        if document.kind != "text" and not _HEADER.fullmatch(lines[0]):  # a time in brackets looks like JSON
            return 0.0
        turns = list(_turns(lines))
        if not turns or sum(bool(line.strip()) for line in lines[: turns[0].start]) > _MOST_LINES_BEFORE:
            return 0.0
        spoken = [turn.role for turn in turns if turn.role in ("user", "assistant")]
        changes = sum(one != other for one, other in pairwise(spoken))
        return 0.3 if changes >= _LEAST_CHANGES else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file; text before the first role is a message of origin `meta`."""
        builder = SessionBuilder(format=self.name)
        lines: list[str] = []
        for line in document.lines():
            if line.text is None:
                builder.miss(line.number, line.reason)
            lines.append(line.text or "")
        turns = list(_turns(lines))
        first = turns[0].start if turns else len(lines)
        if before := "\n".join(lines[:first]).strip("\n"):
            builder.add("user", before, origin="meta")
        for turn, end in zip(turns, [*(t.start for t in turns[1:]), len(lines)], strict=bool(turns)):
            text = "\n".join([turn.text, *lines[turn.start + 1 : end]]).strip("\n")
            if turn.role == "tool" and text.strip():
                builder.add("user", text, origin="meta", timestamp=turn.time)
            elif text.strip():
                builder.add(turn.role, text, timestamp=turn.time)
        yield builder.session(document)


@dataclass(frozen=True, slots=True)
class _Turn:
    start: int
    role: Role
    text: str
    time: str | None


def _turns(lines: Sequence[str]) -> Iterator[_Turn]:
    fenced = _fenced(lines)
    for number, line in enumerate(lines):
        if number not in fenced and (header := _HEADER.fullmatch(line)):
            role = _ROLES[header.group("name").lower()]
            yield _Turn(number, role, header.group("text"), header.group("time"))


def _fenced(lines: Sequence[str]) -> set[int]:
    """The lines inside of code fences; a fence that is never closed fences nothing."""
    marks = [number for number, line in enumerate(lines) if line.lstrip().startswith("```")]
    pairs = zip(marks[::2], marks[1::2], strict=False)
    return {number for opening, closing in pairs for number in range(opening, closing + 1)}
