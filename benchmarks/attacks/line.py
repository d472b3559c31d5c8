"""One line of the table: what was tried, how often what is promised did not hold, and what is promised."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Line:
    """`promise` is in words; empty where nothing is promised and the figure is only told."""

    attack: str
    tried: int
    broken: int
    promise: str
    examples: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether what is promised held each time; something must have been tried."""
        return self.tried > 0 and (self.broken == 0 or not self.promise)


def line(attack: str, promise: str, found: Iterable[str]) -> Line:
    """A line from what each try showed: an empty text where it held, else what went wrong."""
    shown = list(found)
    broken = [what for what in shown if what]
    return Line(
        attack=attack, tried=len(shown), broken=len(broken), promise=promise, examples=tuple(broken[:5])
    )
