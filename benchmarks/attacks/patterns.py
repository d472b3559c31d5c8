"""Whether a pattern takes more for a text than the text grows, on texts made for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from attacks.steps import MOST_STEPS, count_steps
from attacks.texts import repeats_beyond, texts_for

SIZES = (32, 64, 128, 256, 512)
"""Characters, or more where what is repeated is long; each is tried while the work grows too much."""
LEAST_REPEATS = 4
MOST_GROWTH = 2.7
"""Twice the text may take so many times the steps: 2 where it is linear, 4 where it is quadratic."""
FEW = 8
"""What repeats no oftener than this has its bound in itself, whatever the text."""


@dataclass(frozen=True, kw_only=True)
class Grown:
    """A pattern that took more and more, and the shape of the text that made it."""

    where: str
    pattern: str
    shape: str
    steps: tuple[int, ...]


def grown(where: str, pattern: re.Pattern[Any]) -> Grown | None:
    """The first text that a pattern takes more for than the text grows; None where none is found."""
    if not repeats_beyond(pattern, FEW):
        return None
    for head, again in texts_for(pattern):
        times = -(-max(LEAST_REPEATS * len(again), len(head)) // SIZES[0]) or 1
        steps: list[int] = []
        for size in SIZES:
            steps.append(count_steps(pattern, filled((head, again), size * times)))
            if steps[-1] >= MOST_STEPS:
                return _grown(where, pattern, (head, again), steps)
            if len(steps) > 1 and steps[-1] <= MOST_GROWTH * steps[-2]:
                break
        else:
            return _grown(where, pattern, (head, again), steps)
    return None


def _grown(where: str, pattern: re.Pattern[Any], shape: tuple[str, str], steps: list[int]) -> Grown:
    return Grown(where=where, pattern=str(pattern.pattern), shape=repr(shape), steps=tuple(steps))


def filled(shape: tuple[str, str], size: int) -> str:
    """A beginning, and behind it one text again and again, in so many characters."""
    head, again = shape
    return (head + again * (size // len(again) + 1))[:size] + "\0"
