"""The listener of a memory: hears of its decisions and of every iteration that ended."""

from typing import Protocol

from tamis.memory.condenser import QueueCounts
from tamis.memory.iterations import Iteration
from tamis.memory.passes import Pass


class MemoryListener(Protocol):
    """Anything that wants to be told. One that raises is heard of in a `RuntimeWarning` and stops nothing."""

    def passed(self, result: Pass, *, queue: QueueCounts, found_in_cache: bool | None) -> None:
        """A pass was made.

        `queue` is what waited to be condensed; `found_in_cache` says whether the relevant skills had been
        looked up before, None where none were.
        """

    def ended(self, iteration: Iteration, *, shown: str | None) -> None:
        """An iteration becomes the past; called in order, from the thread that condenses it.

        `shown` is what it was shown of the past, or would have been; None where it was shown all.
        """
