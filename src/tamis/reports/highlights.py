"""Highlights: where in a text the evidence for an answer stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tamis.evals.probing.item_match import find_places
from tamis.evals.probing.probes import Expected
from tamis.ledger.speech.subjects import key_words
from tamis.reports.excerpts import TextRange

LEAST_SHARED = 0.5
"""The share of a text's telling words from which a line that holds them is evidence: where it is answered."""

_LINE = re.compile(r"[^\n]+")


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
    shared = [
        (len(words & key_words(line.group())) / len(words), line.span()) for line in _LINE.finditer(text)
    ]
    best = max((share for share, _ in shared), default=0.0)
    return [place for share, place in shared if share == best][-1:] if best >= LEAST_SHARED else ()
