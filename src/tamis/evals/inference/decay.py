"""The rate at which later cycles lose what the first one kept, and the half-life that follows.

What the first compaction leaves out is a matter of its budget and no drift, so the rate begins behind it. It
is taken as the same in every cycle, as with exponential decay; the curve beside it shows whether that is so.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamis.evals.hindsight import NotMeasured
from tamis.evals.inference.clustering import EPSILON, ClusterTotals
from tamis.evals.inference.intervals import SHARE, bootstrap_t


@dataclass(frozen=True, kw_only=True, slots=True)
class HalfLife:
    """After so many further cycles half of what the first one kept is gone.

    `rate` is the share that goes in a cycle. `low` and `high` are the 95 % interval of `cycles`: None with
    fewer than two clusters, and `high` also where the rate may be zero.
    """

    cycles: float
    low: float | None
    high: float | None
    rate: float
    points: int
    clusters: int


def half_life(shares: Mapping[str, Sequence[float]], clusters: Mapping[str, str]) -> HalfLife | NotMeasured:
    """The half-life from the share that is there after each cycle, by point: ln ½ / ln(1 − r).

    r is what was lost after the first cycle over what stood at the beginning of each further one, summed over
    points. What comes back later counts as there no more.

    >>> half_life({"p": [0.8, 0.4, 0.2]}, {"p": "session"}).cycles
    1.0
    """
    lost: dict[str, float] = defaultdict(float)
    at_risk: dict[str, float] = defaultdict(float)
    for point, seen in shares.items():
        left = np.minimum.accumulate(np.asarray(seen, dtype=float)).tolist()
        if left and sum(left[:-1]) > 0:
            lost[clusters[point]] += left[0] - left[-1]
            at_risk[clusters[point]] += sum(left[:-1])
    if not at_risk:
        return NotMeasured(reason="nothing was kept by a first cycle and looked at after a second")
    names = sorted(at_risk)
    sample = ClusterTotals(
        sums=np.array([lost[name] for name in names]), counts=np.array([at_risk[name] for name in names])
    )
    if sample.mean <= EPSILON:
        return NotMeasured(reason="nothing was lost after the first cycle")
    interval = bootstrap_t(sample, within=SHARE)
    return HalfLife(
        cycles=_cycles(sample.mean),
        low=_cycles(interval.high) if interval else None,
        high=_cycles(interval.low) if interval and interval.low > 0 else None,
        rate=sample.mean,
        points=len(shares),
        clusters=sample.clusters,
    )


def _cycles(rate: float) -> float:
    """In how many cycles of this rate half is gone; in no time where everything goes at once."""
    return math.log(0.5) / math.log1p(-rate) if rate < 1 else 0.0
