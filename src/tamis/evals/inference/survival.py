"""What lasts from one compaction to the next: the share still there by cycle, and its half-life.

The share is the product of what each cycle left of what it found (Kaplan and Meier, "Nonparametric estimation
from incomplete observations", J. Am. Stat. Assoc. 53, 1958), so a point with fewer cycles counts as long as
it is seen. The half-life takes the rate of loss as the same in each cycle after the first.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamis.evals.hindsight import NotMeasured
from tamis.evals.inference.clustering import Clustered
from tamis.evals.inference.intervals import SHARE, bootstrap_t
from tamis.evals.results import Run


@dataclass(frozen=True, kw_only=True, slots=True)
class CyclePoint:
    """The share still there after a cycle, in which `lost` went of the `at_risk` that it found."""

    cycle: int
    share: float
    at_risk: int
    lost: int


@dataclass(frozen=True, kw_only=True, slots=True)
class HalfLife:
    """After so many further compactions half of what the first one kept is gone.

    `low` and `high` are its 95 % interval: None with fewer than two clusters, and `high` also where the rate
    of loss may be zero. `rate` is the share that goes in a cycle.
    """

    cycles: float
    low: float | None
    high: float | None
    rate: float
    lost: int
    at_risk: int
    clusters: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Survival:
    """How a method drifts: a curve over the cycles, and its half-life or why there is none."""

    curve: tuple[CyclePoint, ...]
    half_life: HalfLife | NotMeasured


def survival(counts: Mapping[str, Sequence[int]], clusters: Mapping[str, str]) -> Survival:
    """From how many were there at first, and after each cycle, at each point.

    What a later compaction finds again does not count as new: a count never rises.

    >>> made = survival({"p": [8, 8, 4, 2]}, {"p": "session"})
    >>> [point.share for point in made.curve], made.half_life.cycles
    ([1.0, 0.5, 0.25], 1.0)
    """
    left = {point: np.minimum.accumulate(np.asarray(seen)).tolist() for point, seen in counts.items() if seen}
    curve, share = [], 1.0
    for cycle in range(1, max(map(len, left.values()), default=0)):
        steps = [(seen[cycle - 1], seen[cycle]) for seen in left.values() if len(seen) > cycle]
        at_risk = sum(before for before, _ in steps)
        lost = at_risk - sum(after for _, after in steps)
        if not at_risk:
            break
        share *= (at_risk - lost) / at_risk
        curve.append(CyclePoint(cycle=cycle, share=share, at_risk=at_risk, lost=lost))
    return Survival(curve=tuple(curve), half_life=_half_life(left, clusters))


def _half_life(left: Mapping[str, Sequence[int]], clusters: Mapping[str, str]) -> HalfLife | NotMeasured:
    """The half-life: ln ½ / ln(1 − r), where r = lost / at risk over all cycles after the first."""
    lost: dict[str, float] = defaultdict(float)
    at_risk: dict[str, float] = defaultdict(float)
    for point, seen in left.items():
        kept = seen[1:]
        lost[clusters[point]] += kept[0] - kept[-1] if kept else 0
        at_risk[clusters[point]] += sum(kept[:-1])
    names = sorted(name for name in at_risk if at_risk[name])
    if not names:
        return NotMeasured(reason="nothing was kept through a first cycle and looked at after a second")
    sample = Clustered(
        sums=np.array([lost[name] for name in names]), counts=np.array([at_risk[name] for name in names])
    )
    if not sample.mean:
        return NotMeasured(reason=f"nothing was lost after the first cycle (0 of {int(sample.counts.sum())})")
    interval = bootstrap_t(sample, within=SHARE)
    return HalfLife(
        cycles=_cycles(sample.mean),
        low=_cycles(interval.high) if interval else None,
        high=_cycles(interval.low) if interval and interval.low > 0 else None,
        rate=sample.mean,
        lost=int(sample.sums.sum()),
        at_risk=int(sample.counts.sum()),
        clusters=sample.clusters,
    )


def _cycles(rate: float) -> float:
    """In how many cycles of this rate half is gone; in no time where everything goes at once."""
    return math.log(0.5) / math.log1p(-rate) if rate < 1 else 0.0


def survival_of(run: Run, method: str, budget: str) -> Survival:
    """How the lasting names of a run's points survive a method's cycles."""
    found: dict[str, dict[int, int]] = defaultdict(dict)
    needed: dict[str, int] = {}
    for result in run.results:
        if (result.method, result.budget) == (method, budget) and result.lasting is not None:
            needed[result.point] = sum(score.needed for score in result.lasting.values())
            found[result.point][result.cycle] = sum(score.found for score in result.lasting.values())
    counts = {
        point: [needed[point], *(by_cycle[cycle] for cycle in _unbroken(by_cycle))]
        for point, by_cycle in found.items()
        if needed[point]
    }
    return survival(counts, {point.key: point.cluster for point in run.points})


def _unbroken(by_cycle: Mapping[int, int]) -> range:
    """The cycles from the first on, up to the first that was not measured."""
    last = 0
    while last + 1 in by_cycle:
        last += 1
    return range(1, last + 1)
