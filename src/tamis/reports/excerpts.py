"""Pieces of a long text: its messages, the lines around a place, and what is marked in them as evidence."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tamis.evals.probing.item_match import find_places
from tamis.evals.probing.probes import Expected
from tamis.text.key_words import key_words

EXCERPT_CHARS = 240
"""How much of the text is shown on each side of a place, at most."""
EXCERPT_LINES = 2
"""How many lines are shown above and below it, at most."""
LEAST_SHARED = 0.5
"""The share of a text's telling words from which a line that holds them is evidence: where it is answered."""
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


def excerpt(text: str, shown: TextRange, within: TextRange, places: Iterable[TextRange]) -> tuple[str, ...]:
    """The part that is shown, in pieces; an ellipsis where it begins or ends in the middle of a line."""
    start, end = shown
    pieces = list(alternate(text[start:end], ((a - start, b - start) for a, b in places)))
    if start > within[0] and text[start - 1] != "\n":
        pieces[0] = f"…{pieces[0]}"
    if text[end : within[1]].partition("\n")[0].strip():
        pieces[-1] += "…"
    return tuple(pieces)


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


def find_evidence(expected: Iterable[Expected], text: str) -> list[TextRange]:
    """The places, in order and none within another.

    A `text` is marked where it stands to the letter, blanks aside; else the line that holds most of its
    telling words is.

    >>> find_evidence([Expected(type="path", value="src/a.py")], "see src/a.py, not b.py")
    [(4, 12)]
    """
    return apart(place for item in expected for place in _places(item, text))


def apart(places: Iterable[TextRange]) -> list[TextRange]:
    """The places in order; of those that lie on each other the first, and of these the longest."""
    kept: list[TextRange] = []
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def _places(item: Expected, text: str) -> Iterator[TextRange]:
    if item.type != "text":
        yield from find_places(item, text)
        return
    whole = re.compile(r"\s+".join(map(re.escape, item.value.split())) or r"(?!)")
    found = [match.span() for match in whole.finditer(text)]
    yield from found or _nearest(item.value, text)


def _nearest(value: str, text: str) -> Sequence[TextRange]:
    """The line that shares most words with the value, the last of several; none if none has enough."""
    words = key_words(value)
    if not words:
        return ()
    lines = re.finditer(r"[^\n]+", text)
    shared = [(len(words & key_words(line.group())) / len(words), line.span()) for line in lines]
    best = max((share for share, _ in shared), default=0.0)
    return [place for share, place in shared if share == best][-1:] if best >= LEAST_SHARED else ()
