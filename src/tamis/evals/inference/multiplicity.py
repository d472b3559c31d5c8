"""Correcting for having looked more than once."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p values, in the order given: below 0.05, all at once at 5 %.

    The i-th smallest of m is multiplied by m − i + 1, and none comes out below a smaller one (Holm, "A simple
    sequentially rejective multiple test procedure", Scandinavian J. Stat. 6, 1979).

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = highest
    return tuple(adjusted)
