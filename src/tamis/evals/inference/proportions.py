"""Intervals of a share of things, each found or not."""

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
