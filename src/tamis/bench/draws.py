"""Draws that are the same on every Python, platform and language: SHA-256 over a key and a count.

Python's own `random` promises the same sequence only for `random()`; how it picks from a list may change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draws:
    """A sequence of draws that depends on its key alone.

    >>> Draws("a").choice("xyz") == Draws("a").choice("xyz")
    True
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self._drawn = 0

    def below(self, limit: int) -> int:
        """A number from 0 up to, not including, `limit`; 128 bits of digest make the bias negligible."""
        digest = hashlib.sha256(f"{self.key}#{self._drawn}".encode()).digest()
        self._drawn += 1
        return int.from_bytes(digest[:16], "big") % limit

    def between(self, low: int, high: int) -> int:
        """A number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def named(self, name: str) -> Draws:
        """Draws of their own for a part, so that what one part draws never shifts another's."""
        return Draws(f"{self.key}/{name}")
