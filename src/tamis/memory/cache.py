"""A small cache with entries that expire and a size that is bounded."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class ExpiringCache(Generic[K, V]):
    """Remembers values for `ttl_s` seconds, at most `max_entries`; the least recently used goes first.

    The clock should be monotonic. One that jumps back makes entries look as if they came from the future:
    those count as expired.

    >>> now = [0.0]
    >>> cache = ExpiringCache[str, int](ttl_s=300, max_entries=100, clock=lambda: now[0])
    >>> cache.put("a", 1)
    >>> now[0] = 301
    >>> cache.get("a") is None, len(cache)
    (True, 0)
    """

    def __init__(
        self, *, ttl_s: float, max_entries: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ttl_s = ttl_s
        self._max_entries = max_entries
        self._clock = clock
        self._entries: OrderedDict[K, tuple[float, V]] = OrderedDict()
        self.hits = 0
        self.misses = 0

    def __len__(self) -> int:
        """How many entries are held that have not expired."""
        self._expire()
        return len(self._entries)

    def get(self, key: K) -> V | None:
        """The value, or None where it was never put or has expired."""
        self._expire()
        entry = self._entries.get(key)
        if entry is None:
            self.misses += 1
            return None
        self.hits += 1
        self._entries.move_to_end(key)
        return entry[1]

    def put(self, key: K, value: V) -> None:
        """Remember a value from now on."""
        self._expire()
        self._entries[key] = (self._clock(), value)
        self._entries.move_to_end(key)
        while len(self._entries) > self._max_entries:
            self._entries.popitem(last=False)

    @property
    def hit_rate(self) -> float | None:
        """Hits / look-ups; None before the first."""
        asked = self.hits + self.misses
        return self.hits / asked if asked else None

    def _expire(self) -> None:
        now = self._clock()
        gone = [key for key, (put, _) in self._entries.items() if not 0 <= now - put < self._ttl_s]
        for key in gone:
            del self._entries[key]
