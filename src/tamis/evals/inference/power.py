"""Statistical power: the differences that so many sessions can show, and how many a difference takes.

Both follow from the power of the paired t test over clusters, by the noncentral t distribution (Cohen,
*Statistical Power Analysis for the Behavioral Sciences*, 1988, chapter 2).
"""

import math

import numpy as np
from scipy import optimize, stats

from tamis.errors import InputError

POWER = 0.8
ALPHA = 0.05
MOST_SESSIONS = 1_000_000


def power_of(effect: float, clusters: int, *, alpha: float = ALPHA) -> float:
    """The chance that the two-sided test finds an effect of so many standard deviations.

    >>> round(power_of(0.5, 20), 4)
    0.5645
    """
    freedom = clusters - 1
    shift = abs(effect) * math.sqrt(clusters)
    critical = stats.t.ppf(1 - alpha / 2, freedom)
    far_tail = stats.nct.cdf(-critical, freedom, shift)  # NaN where it is too small for scipy to tell
    return float(stats.nct.sf(critical, freedom, shift) + np.nan_to_num(far_tail))


def smallest_detectable(
    deviation: float, clusters: int, *, power: float = POWER, alpha: float = ALPHA
) -> float | None:
    """The smallest difference that so many clusters show with this power; None where it cannot be told.

    It cannot with fewer than two clusters, or where no cluster differs from another (`deviation` is 0).

    >>> round(smallest_detectable(0.1, 30), 4)
    0.0529
    """
    if clusters < 2 or not deviation:
        return None
    most = 1.0
    while power_of(most, clusters, alpha=alpha) < power:
        most *= 2
    effect = optimize.brentq(lambda d: power_of(d, clusters, alpha=alpha) - power, 0.0, most)
    return float(effect) * deviation


def sessions_needed(
    difference: float, deviation: float, *, power: float = POWER, alpha: float = ALPHA
) -> int | None:
    """How many clusters show this difference with this power; None where no spread is known.

    Raises:
        InputError: the difference is zero or no number, or no million sessions would show it.

    >>> sessions_needed(0.05, 0.1)
    34
    """
    if not math.isfinite(difference) or difference == 0:
        raise InputError(f"a difference of {difference} cannot be planned for; give one such as 0.05")
    if not deviation:
        return None
    effect = difference / deviation
    low, high = 1, 2
    while power_of(effect, high, alpha=alpha) < power:
        low, high = high, high * 2
        if high > MOST_SESSIONS:
            raise InputError(
                f"no {MOST_SESSIONS:,} sessions would show a difference of {difference:g} where sessions "
                f"differ by {deviation:.3g}; give a larger one"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_of(effect, middle, alpha=alpha) >= power else (middle, high)
    return high
