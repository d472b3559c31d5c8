"""Quality against its price: what nothing else beats in both.

A method at a budget is dominated where another is as good and as cheap, and better in one of the two. What is
left is the Pareto front; which of it is best depends on what tokens are worth to whoever asks.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar, get_args

from tamis.errors import InputError
from tamis.evals.figures.prices import Price as Tariff
from tamis.evals.figures.summary import task_cost
from tamis.evals.hindsight import Hindsight, NotMeasured
from tamis.evals.inference.intervals import AMOUNT, Bounds, Estimate, estimate_pairs
from tamis.evals.inference.outcome_measures import OutcomeMeasure, Values, by_point
from tamis.evals.rundir.results import Result, Run

K = TypeVar("K")
PriceMeasure: TypeAlias = Literal["tokens", "tokens_per_task", "cost_usd"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Arm:
    """A method at a budget."""

    method: str
    budget: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ParetoPoint:
    """Where an arm stands. `dominated_by` names the arms that beat it in both; with none it is on the front.

    `tokens` is the compacted context; `tokens_per_task` carries it through the turns after the cut, with what
    has to be read again, and `cost_usd` prices that, with a prompt cache; None where no price was asked for.
    """

    arm: Arm
    quality: Estimate
    tokens: Estimate
    tokens_per_task: Estimate | None
    cost_usd: Estimate | None
    dominated_by: tuple[Arm, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ParetoFront:
    """All arms of a run over the `points` where each of them was measured.

    `left_out` are arms with no value at all, and so many points that have no value of some arm are not looked
    at, so that no arm is measured where it was easy.
    """

    figure: str
    price: PriceMeasure
    standings: tuple[ParetoPoint, ...]
    points: int
    points_left_out: int
    left_out: tuple[Arm, ...]


def pareto_front(candidates: Mapping[K, Sequence[float]]) -> dict[K, tuple[K, ...]]:
    """Who dominates whom, where more of every value is better; a price is given as its negative.

    >>> pareto_front({"small": (0.6, -100), "large": (0.9, -900), "wasteful": (0.6, -500)})
    {'small': (), 'large': (), 'wasteful': ('small',)}
    """
    return {
        one: tuple(
            other
            for other, values in candidates.items()
            if all(a >= b for a, b in zip(values, own, strict=True)) and tuple(values) != tuple(own)
        )
        for one, own in candidates.items()
    }


def stand_methods(run: Run, figure: OutcomeMeasure, *, price: PriceMeasure = "tokens") -> ParetoFront:
    """A figure of quality against a price, for every method at every budget.

    Raises:
        InputError: the price is not known in this run.
    """
    units: dict[Arm, Values] = defaultdict(dict)
    for one in figure.observe(run):
        if one.unit.cycle == 1:
            units[Arm(method=one.method, budget=one.budget)][one.unit] = one.value
    asked = list(dict.fromkeys(Arm(method=r.method, budget=r.budget) for r in run.results if r.cycle == 1))
    measured = [arm for arm in asked if arm in units]
    shared = set.intersection(*(set(units[arm]) for arm in measured)) if measured else set()
    common = {unit.point for unit in shared}
    clusters = {point.key: point.cluster for point in run.points}

    def mean(values: Mapping[str, float], within: Bounds) -> Estimate | None:
        known = sorted(common & values.keys())
        return estimate_pairs(((values[p], clusters[p]) for p in known), within=within)

    paid = {name: _paid(run, name) for name in get_args(PriceMeasure)}
    prices = {name: {arm: mean(paid[name][arm], AMOUNT) for arm in measured} for name in paid}
    quality = {
        arm: mean(by_point({u: v for u, v in units[arm].items() if u in shared}), figure.within)
        for arm in measured
    }
    if common and not any(prices[price].values()):
        raise InputError(f"the run has no {price}; evaluate with --price-model, or choose another price")
    sign = 1 if figure.higher_is_better else -1
    dominated = pareto_front(
        {
            arm: (sign * good.mean, -dear.mean)
            for arm, good in quality.items()
            if good and (dear := prices[price][arm])
        }
    )
    standings = (
        ParetoPoint(
            arm=arm,
            quality=good,
            tokens=tokens,
            tokens_per_task=prices["tokens_per_task"][arm],
            cost_usd=prices["cost_usd"][arm],
            dominated_by=dominated[arm],
        )
        for arm, good in quality.items()
        if good and (tokens := prices["tokens"][arm]) and arm in dominated
    )
    return ParetoFront(
        figure=figure.name,
        price=price,
        standings=tuple(standings),
        points=len(common),
        points_left_out=len({unit.point for values in units.values() for unit in values} - common),
        left_out=tuple(arm for arm in asked if arm not in dominated),
    )


def _paid(run: Run, price: PriceMeasure) -> dict[Arm, dict[str, float]]:
    """What each arm costs at each point where that is known."""
    paid: dict[Arm, dict[str, float]] = defaultdict(dict)
    for result in run.results:
        value = _price_of(result, price, run.settings.price)
        if result.cycle == 1 and value is not None:
            paid[Arm(method=result.method, budget=result.budget)][result.point] = value
    return paid


def _price_of(result: Result, price: PriceMeasure, tariff: Tariff | NotMeasured | None) -> float | None:
    if price == "tokens":
        return result.tokens_after
    if not isinstance(result.score, Hindsight):
        return None
    if price == "tokens_per_task":
        return result.score.tokens_per_task
    return task_cost(result, result.score, tariff, cache=True) if isinstance(tariff, Tariff) else None
