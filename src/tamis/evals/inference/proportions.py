"""Intervals of a share of things, each found or not."""

import math
from collections.abc import Sequence

from scipy import stats

from tamis.evals.inference.intervals import CONFIDENCE, Interval


def share_interval(found: int, of: int) -> Interval:
    """The 95 % interval of the share, by Wilson's score.

    It holds for a handful and at 0 and 1 too (Wilson, "Probable inference, the law of succession, and
    statistical inference", J. Am. Stat. Assoc. 22, 1927).

    >>> some = share_interval(3, 30)
    >>> round(some.low, 3), round(some.high, 3)
    (0.035, 0.256)
    """
    within = stats.binomtest(found, of).proportion_ci(CONFIDENCE, method="wilson")
    return Interval(low=float(within.low), high=float(within.high))


def paired_share_difference(pairs: Sequence[tuple[bool, bool]]) -> Interval:
    """The 95 % interval of the first's share less the second's.

    Wilson's intervals of both shares, put together with their correlation: method 10 of Newcombe, "Improved
    confidence intervals for the difference between binomial proportions based on paired data" (Statistics in
    Medicine 17, 1998). Unlike a bootstrap it has a width where all pairs agree.

    >>> all_agree = paired_share_difference([(True, True)] * 5)
    >>> round(all_agree.low, 2), round(all_agree.high, 2)
    (-0.43, 0.43)
    """
    n = len(pairs)
    both = sum(a and b for a, b in pairs)
    first, second = sum(a for a, _ in pairs), sum(b for _, b in pairs)
    difference = (first - second) / n
    one, other = share_interval(first, n), share_interval(second, n)
    correlation = _correlation(both, first, second, n)
    below = _joined(first / n - one.low, other.high - second / n, correlation)
    above = _joined(one.high - first / n, second / n - other.low, correlation)
    return Interval(low=max(-1.0, difference - below), high=min(1.0, difference + above))


def _joined(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(0.0, one**2 - 2 * correlation * one * other + other**2))


def _correlation(both: int, first: int, second: int, n: int) -> float:
    """Phi of the two by two table, with Newcombe's correction towards zero where it is positive."""
    neither = n - first - second + both
    spread = first * (n - first) * second * (n - second)
    if not spread:
        return 0.0
    crossed = both * neither - (first - both) * (second - both)
    corrected = max(crossed - n / 2, 0.0) if crossed > 0 else crossed
    return corrected / math.sqrt(spread)
