"""Rolls: outputs that are lists of like entries, of which some lines tell nothing."""

import re
from collections import Counter
from collections.abc import Sequence

from tamis.compactors.brief.reading.deeds.call_text import is_fault

ROLL_LINES, ROLL_SHARE, ALIKE = 12, 0.65, 0.12
"""An output is a roll where so many lines, and such a share of them, begin as such a share of others do."""

_BEGINS = re.compile(r"\A\s{0,12}(?:\d{1,7}\s?[→|:\t])?\s{0,40}(?:(?!->)([\w./~-]{1,200})|(->|\S))")
_MEMBER = re.compile(r"\A\s{0,80}(?:\"[^\"\n]{1,80}\": |[{}\[\]]{1,3},?\s{0,9}\Z)")
_NUMBER = re.compile(r"[0-9a-f]{0,40}[0-9][\w.:-]{0,200}")
_BULLETS = frozenset("-+*#|=")


def is_roll(lines: Sequence[str], *, members: bool = False) -> bool:
    """Whether an output is a list of like entries, a log, or a listing: most of its lines begin alike."""
    if members and sum(_MEMBER.match(line) is not None for line in lines) >= ROLL_SHARE * len(lines):
        return True
    is_list = len(lines) >= ROLL_LINES and len(_alike(lines)) >= ROLL_SHARE * len(lines)
    return is_list and not any(map(is_fault, lines))


def apart(lines: Sequence[str]) -> list[str]:
    """The lines; of a list of like entries an empty one for each entry.

    >>> apart(["3 rows are left", *(f"row {n}" for n in range(20))])[:2]
    ['3 rows are left', '']
    """
    told = [line for line in lines if line]
    alike = {*_alike(told)} if is_roll(told) else set()
    return ["" if line in alike else line for line in lines]


def _alike(lines: Sequence[str]) -> list[str]:
    """The lines that begin as many others do."""
    begins = list(map(_begin_of, lines))
    many = {b for b, n in Counter(begins).items() if n > ALIKE * len(lines) and b not in _BULLETS}
    return [line for line, begin in zip(lines, begins, strict=True) if begin in many]


def _begin_of(line: str) -> str:
    found = _BEGINS.match(line)
    if found is None:
        return "#"
    return _NUMBER.sub("0", found[1]).partition("/")[0] if found[1] else found[2]
