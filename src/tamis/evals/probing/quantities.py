"""Amounts with their units, so that `5 min` and `300 seconds` are the same answer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

WORD = "A-Za-z0-9_\u00c0-\u024f\u0370-\u04ff"
"""Characters that go on with a word or a number, for a character class. Chinese ones do not."""

_UNITS: dict[str, tuple[str, float]] = {}
for _names, _dimension, _factor in (
    ("ms millisecond", "time", 0.001),
    ("s sec second 秒", "time", 1),
    ("min minute 分钟", "time", 60),
    ("h hr hour 小时", "time", 3_600),
    ("d day 天", "time", 86_400),
    ("b byte", "size", 1),
    ("kb kib", "size", 1_024),
    ("mb mib", "size", 1_024**2),
    ("gb gib", "size", 1_024**3),
    ("% percent", "share", 1),
):
    for _name in _names.split():
        _UNITS[_name] = (_dimension, _factor)

_WORDS = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_QUANTITY = re.compile(
    rf"(?<![{WORD}.,-])(?P<sign>-?)[$€£¥]?(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"(?:(?P<scale>[kKM])(?![{WORD}])|\s?(?P<unit>{_WORDS})s?(?![{WORD}]))?(?![{WORD}]|[.,]\d)",
    re.IGNORECASE,
)
_SCALES = {"k": 1_000, "m": 1_000_000}


class Quantity(NamedTuple):
    """An amount in the base unit of its dimension (None: a bare number), and where it stands."""

    amount: float
    dimension: str | None
    start: int
    end: int

    def same_as(self, other: Quantity) -> bool:
        """Whether both mean the same amount; a bare number is not one with a unit."""
        return self.dimension == other.dimension and math.isclose(self.amount, other.amount, rel_tol=1e-9)


def find_quantities(text: str) -> Iterator[Quantity]:
    """Every amount in the text; a version number such as 1.2.3 is none.

    >>> [(q.amount, q.dimension) for q in find_quantities("1,200 rows in 5 min, 2k more, not v1.2.3")]
    [(1200.0, None), (300.0, 'time'), (2000.0, None)]
    """
    for match in _QUANTITY.finditer(text):
        amount = float(match["number"].replace(",", "")) * _SCALES.get((match["scale"] or "").lower(), 1)
        dimension, factor = _UNITS.get((match["unit"] or "").lower(), (None, 1))
        sign = -1 if match["sign"] else 1
        yield Quantity(sign * amount * factor, dimension, match.start(), match.end())
