"""Quality against its price: what nothing else beats in both.

A method at a budget is dominated where another is as good and as cheap, and better in one of the two. What is
left is the Pareto front; which of it is best depends on what tokens are worth to whoever asks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tamis.evals.hindsight import Hindsight
from tamis.evals.inference.figures import Figure, Unit, by_point
from tamis.evals.inference.intervals import AMOUNT
from tamis.evals.results import Run
from tamis.evals.statistics import Estimate, estimate_mean

K = TypeVar("K")


@dataclass(frozen=True, kw_only=True, slots=True)
class Arm:
    """A method at a budget."""

    method: str
    budget: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """Where an arm stands. `dominated_by` names the arms that beat it in both; with none it is on the front.

    `tokens` is the compacted context; `tokens_per_task` carries it through the turns after the cut, with what
    has to be read again.
    """

    arm: Arm
    quality: Estimate
    tokens: Estimate
    tokens_per_task: Estimate | None
    dominated_by: tuple[Arm, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Front:
    """All arms of a run over the `points` where each of them was measured.

    `left_out` are arms with no value at all, and so many points that have no value of some arm are not looked
    at, so that no arm is measured where it was easy.
    """

    figure: str
    standings: tuple[Standing, ...]
    points: int
    points_left_out: int
    left_out: tuple[Arm, ...]


def pareto_front(candidates: Mapping[K, Sequence[float]]) -> dict[K, tuple[K, ...]]:
    """Who dominates whom, where more of every value is better; a price is given as its negative.

    >>> pareto_front({"small": (0.6, -100), "large": (0.9, -900), "wasteful": (0.6, -500)})
    {'small': (), 'large': (), 'wasteful': ('small',)}
    """
    return {
        one: tuple(other for other, values in candidates.items() if _dominates(values, own))
        for one, own in candidates.items()
    }


def _dominates(values: Sequence[float], own: Sequence[float]) -> bool:
    pairs = list(zip(values, own, strict=True))
    return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


def stand_methods(run: Run, figure: Figure) -> Front:
    """A figure of quality against the tokens of the compacted context, for every method at every budget."""
    units = _units(run, figure)
    arms = [Arm(method=r.method, budget=r.budget) for r in run.results if r.cycle == 1]
    asked = list(dict.fromkeys(arms))
    measured = [arm for arm in asked if arm in units]
    shared = set.intersection(*(set(units[arm]) for arm in measured)) if measured else set()
    common = {unit.point for unit in shared}
    quality = {arm: by_point({u: v for u, v in units[arm].items() if u in shared}) for arm in measured}
    clusters = {point.key: point.cluster for point in run.points}
    tokens: dict[Arm, dict[str, float]] = defaultdict(dict)
    task: dict[Arm, dict[str, float]] = defaultdict(dict)
    for result in run.results:
        if result.cycle == 1 and result.point in common:
            arm = Arm(method=result.method, budget=result.budget)
            tokens[arm][result.point] = result.tokens_after
            if isinstance(result.score, Hindsight):
                task[arm][result.point] = result.score.tokens_per_task

    def mean(values: Mapping[str, float], within: tuple[float, float]) -> Estimate | None:
        known = sorted(common & values.keys())
        return estimate_mean([values[p] for p in known], [clusters[p] for p in known], within=within)

    good = {arm: mean(quality[arm], figure.within) for arm in measured}
    dear = {arm: mean(tokens[arm], AMOUNT) for arm in measured}
    both = {arm: (g, d) for arm in measured if (g := good[arm]) and (d := dear[arm])}
    sign = 1 if figure.higher_is_better else -1
    dominated = pareto_front({arm: (sign * g.mean, -d.mean) for arm, (g, d) in both.items()})
    return Front(
        figure=figure.name,
        standings=tuple(
            Standing(
                arm=arm,
                quality=g,
                tokens=d,
                tokens_per_task=mean(task[arm], AMOUNT),
                dominated_by=dominated[arm],
            )
            for arm, (g, d) in both.items()
        ),
        points=len(common),
        points_left_out=len({unit.point for values in units.values() for unit in values} - common),
        left_out=tuple(arm for arm in asked if arm not in units),
    )


def _units(run: Run, figure: Figure) -> dict[Arm, dict[Unit, float]]:
    units: dict[Arm, dict[Unit, float]] = defaultdict(dict)
    for one in figure.observe(run):
        if one.unit.cycle == 1:
            units[Arm(method=one.method, budget=one.budget)][one.unit] = one.value
    return units
