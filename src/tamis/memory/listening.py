"""Who is told of what a memory decided, and of what an ended iteration then missed."""

from __future__ import annotations

from typing import Protocol

from tamis.memory.condenser import QueueCounts
from tamis.memory.passes import Pass
from tamis.memory.regret import Regret


class MemoryListener(Protocol):
    """Anything that wants to be told. One that raises is heard of in a `RuntimeWarning` and stops nothing."""

    def passed(self, result: Pass, *, queue: QueueCounts, found_in_cache: bool | None) -> None:
        """A pass was made.

        Args:
            result: what `assemble` gives.
            queue: what waited to be condensed.
            found_in_cache: whether the relevant skills had been looked up before; None where none were.
        """

    def judged(self, regret: Regret) -> None:
        """An iteration that had ended was judged; called from the thread that condenses it."""


class Quiet:
    """The listener that does nothing."""

    def passed(self, result: Pass, *, queue: QueueCounts, found_in_cache: bool | None) -> None:
        """Nothing."""

    def judged(self, regret: Regret) -> None:
        """Nothing."""
