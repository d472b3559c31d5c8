"""The least that a brief can say: what is asked, where it stands, what is next, in a line each."""

from collections.abc import Mapping, Sequence

from tamis.compactors.brief.reading.call_text import shortened
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.frame import one_line
from tamis.compactors.brief.writing.layout import render
from tamis.messages import Counter

ASKED_CHARS = (240, 160, 110, 75, 45)
"""To how many characters a request may be shortened, in the order in which it is tried."""

FIRST_TO_LAST = (("rules", "state", "next"), ("rules", "next"), ("rules",), ("state", "next"), ("next",), ())
"""What stands beside the request, from all to nothing."""


def least_of(
    asked: Statement, sections: Mapping[str, Sequence[str]], *, room: int, counter: Counter
) -> str | None:
    """The text of a brief with the beginning of what is asked and as many sections as have room beside it.

    What binds has room first, then what is next, then where things stand. None where not even the beginning
    of the request fits.
    """
    words = one_line(asked.text)
    for names in FIRST_TO_LAST:
        kept = {name: lines for name, lines in sections.items() if name in names}
        for most in ASKED_CHARS:
            told = {**kept, "asked": [f"> {shortened(words, most)}"]}
            text = render(told, legend=False)
            if counter.count(text) <= room:
                return text
    return None
