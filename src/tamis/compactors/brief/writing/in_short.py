"""Words in fewer characters: their beginning, and the order that a request ends with."""

import re

from tamis.compactors.brief.reading.deeds.call_text import shortened
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.frame import one_line
from tamis.text.cues.speech_acts import DIRECTIVE

MOST_WORDS = 12
"""Of so many words an order is short."""

_ORDERS = re.compile(DIRECTIVE, re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s|\n")

_NOTED_AT = re.compile(
    r" \((?:all of|((?:deleted|edited) (?:since|again|later)|ran again|run again|mended before|misread"
    r"|taken for [^()]{1,60}?|the fault still stood|the file edited again))(?:,? see|[,:])? #\d+(?:-\d+)?\)"
)


def in_short(s: Statement, most: int) -> str:
    """The beginning of a statement in so many characters, and the short order that a request ends with."""
    words, last = one_line(s.text), one_line(_SENTENCE_END.split(s.text.strip())[-1])
    if len(words) <= most:
        return words
    if not (words.endswith(last) and is_short_order(s, last)) or 2 * len(last) > most:
        return shortened(f"{words.rstrip(':')} …", most)
    return f"{shortened(words[: -len(last)], most - len(last) - 2).rstrip('… ')} … {last}"


def is_short_order(s: Statement, text: str) -> bool:
    """Whether a text of the user's says in few words that something is to be done."""
    is_own = s.kind == "asked" and {"order", "boilerplate", "paste", "excerpt"}.isdisjoint(s.flags)
    return is_own and len(text.split()) <= MOST_WORDS and _ORDERS.match(text) is not None


def edit_in_short(text: str, most: int) -> str:
    """An edit in so many characters: as many of its changes as fit, or the first lines that it put in.

    A change that is told as old and new is whole or not told; the same text where nothing fits.

    >>> edit_in_short("edited a.py: rows = [] ⏎ cells = {} ⏎ return rows", 32)
    'edited a.py: rows = [] …'
    >>> edit_in_short("edited a.py: `x` → `y` ; `rows` → `cells`", 32)
    'edited a.py: `x` → `y` ; …'
    """
    joint = " ; " if " ; " in text else " ⏎ "
    parts = text.split(joint)
    while len(parts) > 1 and len(joint.join(parts)) + len(" ; …") > most:
        parts.pop()
    told = joint.join(parts)
    if len(told) > most or (joint == " ⏎ " and (" → " in text or told.endswith(": …"))):
        return text
    return f"{told}{' ;' * (joint == ' ; ')} …" if len(told) < len(text) else text


def without_numbers(line: str) -> str:
    """A line of the story without the numbers of messages in its notes: no heading explains them.

    >>> without_numbers("- edited a.py (all of #1-4): `x` (edited again, #9)")
    '- edited a.py: `x` (edited again)'
    """
    return _NOTED_AT.sub(lambda found: f" ({found[1]})" if found[1] else "", line)
