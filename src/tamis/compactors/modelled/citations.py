"""Citations: the messages of a prompt that a model's answer rests on, by their numbers in it."""

import re
from collections.abc import Iterable

_CITED = re.compile(r"\bm(\d{1,9})\b")
_NUMBER = re.compile(r"\A\W*+(\d{1,9})\W*+\Z")


def cited_positions(cites: Iterable[str], length: int) -> list[int]:
    """The positions of the messages that are cited as `m1` ...; none where one of them is not in the span.

    Small models write more around it than they were asked for.

    >>> cited_positions(["m2", "[m1 user]: said so"], 3), cited_positions(["m1", "m9"], 3)
    ([0, 1], [])
    """
    positions: set[int] = set()
    for cite in cites:
        bare = _NUMBER.fullmatch(cite)
        found = [bare[1]] if bare else _CITED.findall(cite)
        if not found:
            return []
        positions.update(int(number) - 1 for number in found)
    return sorted(positions) if all(0 <= at < length for at in positions) else []
