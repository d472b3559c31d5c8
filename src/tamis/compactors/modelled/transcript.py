"""The span as a model reads it: every message whole, numbered, in parts that fit the model's window.

What was said stands behind a space on each line, so that no text in it can pass for the heading of another
message; and the whole stands in a fence that nothing in it closes.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tamis.compactors.brief import fence
from tamis.errors import PromptTooLong
from tamis.messages import Counter, Media, Message, Part, Text, Thinking, ToolCall, arguments_text

T = TypeVar("T")

_BRACKETS = re.compile(r"[\[\]]")
_LINES = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class TranscriptPiece:
    """A message, or as much of one as fits: its heading, and what it says."""

    heading: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """As it is read."""
        return "\n".join([self.heading, *(f" {line}" for line in self.lines)])

    def halves(self) -> tuple[TranscriptPiece, ...]:
        """The piece in two, between lines where it has several; nothing where it cannot be divided."""
        lines = self.lines
        if len(lines) == 1 and len(lines[0]) > 1:
            (line,) = lines
            lines = (line[: len(line) // 2], line[len(line) // 2 :])
        if len(lines) < 2:
            return ()
        middle = len(lines) // 2
        more = self.heading if self.heading.endswith("continued]") else f"{self.heading[:-1]}, continued]"
        return TranscriptPiece(self.heading, lines[:middle]), TranscriptPiece(more, lines[middle:])


@dataclass(frozen=True, slots=True)
class Stretch:
    """What a model reads in one go."""

    pieces: tuple[TranscriptPiece, ...]

    @property
    def text(self) -> str:
        """The pieces, fenced."""
        return fence("\n".join(piece.text for piece in self.pieces))

    def halves(self) -> tuple[Stretch, ...]:
        """The stretch in two; nothing where it cannot be divided."""
        if len(self.pieces) == 1:
            return tuple(Stretch((piece,)) for piece in self.pieces[0].halves())
        middle = len(self.pieces) // 2
        return Stretch(self.pieces[:middle]), Stretch(self.pieces[middle:])


def stretches_of(messages: Sequence[Message], room_tokens: int, counter: Counter) -> list[Stretch]:
    r"""The messages in as few stretches as `room_tokens` allow, in order, and nothing of them left out.

    >>> from tamis.messages import BytesEstimate, Message, Text
    >>> long = Message(id="1", role="user", parts=(Text(text="so it is said\n" * 8),))
    >>> [p.heading for s in stretches_of([long], 30, BytesEstimate()) for p in s.pieces]
    ['[m1 user]', '[m1 user, continued]']
    """
    waiting = deque(piece_of(number, message) for number, message in enumerate(messages, 1))
    tokens = deque(counter.count_many([piece.text for piece in waiting]))
    stretches: list[Stretch] = []
    taken: list[TranscriptPiece] = []
    room = room_tokens
    while waiting:
        piece, size = waiting.popleft(), tokens.popleft()
        if size > room_tokens and (halves := piece.halves()):
            waiting.extendleft(reversed(halves))
            tokens.extendleft(reversed(counter.count_many([half.text for half in halves])))
            continue
        if taken and size > room:
            stretches.append(Stretch(tuple(taken)))
            taken, room = [], room_tokens
        taken.append(piece)
        room -= size
    return [*stretches, Stretch(tuple(taken))] if taken else stretches


async def over_stretches(stretches: Sequence[Stretch], ask: Callable[[Stretch], Awaitable[T]]) -> list[T]:
    """What `ask` gives for each, in order; one that is too long for the model is asked in two halves.

    Raises:
        PromptTooLong: even what cannot be divided any more is too long.
    """
    waiting = deque(stretches)
    answers: list[T] = []
    while waiting:
        stretch = waiting.popleft()
        try:
            answers.append(await ask(stretch))
        except PromptTooLong:
            halves = stretch.halves()
            if not halves:
                raise
            waiting.extendleft(reversed(halves))
    return answers


def piece_of(number: int, message: Message) -> TranscriptPiece:
    """A message under its number and role, and its author where several agents speak."""
    who = message.role if message.origin == "conversation" else f"{message.role}, {message.origin}"
    if message.author is not None:  # a name out of the session, that must not pass for a heading
        who = f"{who}, {' '.join(_BRACKETS.sub(' ', message.author).split())}"
    lines = [line for part in message.parts for line in _lines_of(part)]
    return TranscriptPiece(f"[m{number} {who}]", tuple(lines))


def _lines_of(part: Part) -> Iterator[str]:
    if isinstance(part, Text):
        yield from _LINES.split(part.text)
    elif isinstance(part, Thinking):
        yield "(thinking)"
        yield from _LINES.split(part.text)
    elif isinstance(part, ToolCall):
        yield from _LINES.split(f"(calls {part.name}) {arguments_text(part)}")
    elif isinstance(part, Media):
        yield f"({part.kind})"
    else:
        ended = "" if part.exit_code is None else f", exit status {part.exit_code}"
        failed = ", an error" if part.is_error else ""
        yield f"(result{ended}{failed})"
        yield from _LINES.split(part.text)
        yield from (f"({medium.kind})" for medium in part.media)
