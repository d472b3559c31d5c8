"""Pieces of a long text: its messages, the lines around a place, and what is marked in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

EXCERPT_CHARS = 240
"""How much of the text is shown on each side of a place, at most."""

EXCERPT_LINES = 2
"""How many lines are shown above and below it, at most."""

_HEADING = re.compile(r"(?m)^### (\d+) (system|user|assistant|tool) (\S+)$")

TextRange = tuple[int, int]
"""Where something begins in a text, and where it ends."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TranscriptMessage:
    """A message in a transcript; its text goes from `start` to `end`."""

    number: str
    role: str
    id: str
    start: int
    end: int


def messages_in(text: str, *, start: int = 0) -> Iterator[TranscriptMessage]:
    r"""The messages of a transcript, as `tamis.evals.display_text` writes it, that begin behind `start`.

    >>> [(m.number, m.role, m.id) for m in messages_in("### 1 user a\nhi\n\n### 2 tool b\nok")]
    [('1', 'user', 'a'), ('2', 'tool', 'b')]
    """
    headings = _HEADING.finditer(text, start)
    heading = next(headings, None)
    while heading:
        following = next(headings, None)
        yield TranscriptMessage(
            number=heading[1],
            role=heading[2],
            id=heading[3],
            start=heading.end() + 1,
            end=following.start() if following else len(text),
        )
        heading = following


def message_around(text: str, at: int) -> TranscriptMessage | None:
    """The message that a place lies in; None where the text is no transcript."""
    before = None
    for before in _HEADING.finditer(text, 0, at):  # noqa: B007 - the last one is wanted
        pass
    return next(messages_in(text, start=before.start()), None) if before else None


def around(text: str, place: TextRange, within: TextRange) -> TextRange:
    """The lines around a place, or of a long line some characters; whole, but for blanks at its end."""
    start = _lines_before(text, place[0], within[0])
    end = _lines_after(text, place[1], within[1])
    return start, start + len(text[start:end].rstrip())


def alternate(text: str, places: Iterable[TextRange]) -> Iterator[str]:
    """The text in pieces: what is not marked, what is, what is not, and so on.

    >>> list(alternate("a bc d", [(2, 4)]))
    ['a ', 'bc', ' d']
    """
    at = 0
    for start, end in places:
        yield text[at:start]
        yield text[start:end]
        at = end
    yield text[at:]


def cut_off(text: str, shown: TextRange, within: TextRange) -> tuple[bool, bool]:
    """Whether an excerpt begins, and ends, in the middle of a line."""
    start, end = shown
    begins = start > within[0] and text[start - 1] != "\n"
    return begins, bool(text[end : within[1]].partition("\n")[0].strip())


def _lines_before(text: str, at: int, limit: int) -> int:
    """Where an excerpt begins: some lines further up, or in a long line some characters."""
    start = at
    for _ in range(EXCERPT_LINES + 1):
        line = text.rfind("\n", limit, max(limit, start - 1)) + 1 or limit
        if at - line > EXCERPT_CHARS:
            return start if start < at else max(limit, at - EXCERPT_CHARS)
        start = line
    return start


def _lines_after(text: str, at: int, limit: int) -> int:
    end = at
    for _ in range(EXCERPT_LINES + 1):
        line = text.find("\n", end + 1, limit)
        line = limit if line < 0 else line
        if line - at > EXCERPT_CHARS:
            return end if end > at else min(limit, at + EXCERPT_CHARS)
        end = line
    return end
