"""Sentences that take from the weight of those right before them: a claim is not told without."""

import re
from collections.abc import Iterable, Iterator

from tamis.compactors.brief.reading.speech.pieces import LIST_CHARS, TextPiece

MOST_LIMITED, NEAR_CHARS = 2, 8
"""So many sentences may be one with what limits them, where no more characters stand between."""

_LIMITS = re.compile(
    r"(?:this|that|it)(?:['’]s| is)(?: probably| likely| still| actually| also)? (?:an? )?"
    r"(?:acceptable|fine|ok(?:ay)?|safe|harmless|intentional|intended|by design|expected"
    r"|not an? (?:problem|issue|blocker|bug))\b",
    re.IGNORECASE,
)
"""Begins a sentence that takes from the weight of those before it."""

_PUT_RIGHT = re.compile(
    r"(?i)(?:i|we)(?:['’]ve| have)?(?: now)? (?:fix|solv|resolv|correct|remov)ed (?:that|this|it|both|them)\b"
)
_USES = re.compile(r"\b(?:run|use|call|open|try)\b", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:do|does|is|are)(?:n['’]t| not) [^.;`]{1,40}`([\w-]{3,40})`")


def limited_together(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """What takes from the weight of the sentences right before it, or says that it was put right."""
    told: list[TextPiece] = []
    for piece in pieces:
        run = [piece]
        most = 1 if _PUT_RIGHT.match(piece.text) else MOST_LIMITED if _LIMITS.match(piece.text) else 0
        for before in reversed(told[len(told) - min(most, len(told)) :]):
            if before.flags != ("prose",) or run[-1].start - before.start > len(before.text) + NEAR_CHARS:
                break
            run.append(before)
        denied = piece.flags == ("prose",) and _DENIES.search(piece.text)  # what tells to use it leans on it
        newest = told[-MOST_LIMITED:]
        used = [n for n, p in enumerate(newest) if denied and denied[1] in p.text and _USES.search(p.text)]
        if used and sum(len(p.text) for p in (piece, *newest[used[0] :])) <= LIST_CHARS:
            run = [piece, *reversed(newest[used[0] :])]
        if sum(len(p.text) for p in run) > LIST_CHARS:
            run = run[:2]
        for other in run[:-1]:
            other.whole = run[-1]
        run[-1].text = " ".join(p.text for p in reversed(run))
        told[len(told) - len(run) + 1 :] = run[-1:]
    yield from told
