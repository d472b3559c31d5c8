"""The figures of acting: what the agent's next act costs behind each method, and how far next calls agree.

Bits are compared point by point: how many a method saves against nothing, against the newest text and
against everything, where those arms were measured at the same point.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeVar, get_args

from tamis.evals.acting.actions import CallAgreement
from tamis.evals.hindsight import NotMeasured
from tamis.evals.inference.intervals import ANYTHING, SHARE, Bounds, Estimate, estimate_pairs
from tamis.evals.rundir.results import LikelihoodRecord, NextActionRecord, Result, Run
from tamis.models.likelihood import Cost

AGAINST = ("nothing", "truncate", "full")
"""Arms that bits are read against: none of the span, its newest text, all of it."""

Compared = Literal["with_agent", "with_full", "noise"]
Trait = Literal["tool", "target", "arguments"]
_R = TypeVar("_R", LikelihoodRecord, NextActionRecord)


@dataclass(frozen=True, kw_only=True, slots=True)
class LikelihoodCell:
    """One method at one budget behind one model: bits of the next act, and bits saved, by arm.

    `saved[arm]` is the mean of what the arm's context costs less what this one costs, over the points where
    both were measured: positive where this context foretold the act better.
    """

    method: str
    budget: str
    cycle: int
    model: str
    bits: Estimate | None
    bits_per_token: Estimate | None
    saved: Mapping[str, Estimate]
    not_measured: Mapping[str, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class NextActionCell:
    """One method at one budget, one model asked: agreement with the agent, with itself, and its noise."""

    method: str
    budget: str
    cycle: int
    model: str
    agreement: Mapping[Compared, Mapping[Trait, Estimate]]
    not_measured: Mapping[str, int]


def summarise_likelihoods(run: Run) -> tuple[LikelihoodCell, ...]:
    """A cell per model, budget, cycle and method, in the order of the run."""
    world = _World(run)
    arms = _arms(world, run.likelihoods)
    return tuple(
        _likelihood_cell(world, key, rows, arms) for key, rows in world.grouped(run.likelihoods).items()
    )


def summarise_next_actions(run: Run) -> tuple[NextActionCell, ...]:
    """The same for calls."""
    world = _World(run)
    return tuple(_action_cell(world, key, rows) for key, rows in world.grouped(run.next_actions).items())


_Key = tuple[str, str, int, str]  # method, budget, cycle, model


class _World:
    """Which result a record is of, and which point that is at."""

    def __init__(self, run: Run) -> None:
        self._results = {result.key: result for result in run.results}
        self._clusters = {point.key: point.cluster for point in run.points}

    def result(self, record: LikelihoodRecord | NextActionRecord) -> Result:
        return self._results[record.result]

    def cluster(self, record: LikelihoodRecord | NextActionRecord) -> str:
        return self._clusters[self.result(record).point]

    def grouped(self, records: Iterable[_R]) -> dict[_Key, list[_R]]:
        groups: dict[_Key, list[_R]] = {}
        for record in records:
            of = self.result(record)
            groups.setdefault((of.method, of.budget, of.cycle, record.model), []).append(record)
        return groups

    def mean(
        self, rows: Sequence[_R], figure: Callable[[_R], float | None], *, within: Bounds = ANYTHING
    ) -> Estimate | None:
        values = ((value, self.cluster(row)) for row in rows if (value := figure(row)) is not None)
        return estimate_pairs(values, within=within)


_Arms = Mapping[tuple[str, str, str, int, str], float]


def _arms(world: _World, records: Iterable[LikelihoodRecord]) -> _Arms:
    """The bits of each arm that others are read against, by arm, point, budget, cycle and model."""
    found = {}
    for record in records:
        of = world.result(record)
        if of.method in AGAINST and isinstance(record.cost, Cost):
            found[of.method, of.point, of.budget, of.cycle, record.model] = record.cost.bits
    return found


def _likelihood_cell(
    world: _World, key: _Key, rows: Sequence[LikelihoodRecord], arms: _Arms
) -> LikelihoodCell:
    method, budget, cycle, model = key

    def saved(arm: str, row: LikelihoodRecord) -> float | None:
        there = arms.get((arm, world.result(row).point, budget, cycle, model))
        return there - row.cost.bits if there is not None and isinstance(row.cost, Cost) else None

    against = {arm: world.mean(rows, partial(saved, arm)) for arm in AGAINST if arm != method}
    return LikelihoodCell(
        method=method,
        budget=budget,
        cycle=cycle,
        model=model,
        bits=world.mean(rows, lambda r: r.cost.bits if isinstance(r.cost, Cost) else None),
        bits_per_token=world.mean(
            rows,
            lambda r: r.cost.bits / r.cost.tokens if isinstance(r.cost, Cost) and r.cost.tokens else None,
        ),
        saved={arm: estimate for arm, estimate in against.items() if estimate is not None},
        not_measured=Counter(r.cost.reason for r in rows if isinstance(r.cost, NotMeasured)),
    )


def _action_cell(world: _World, key: _Key, rows: Sequence[NextActionRecord]) -> NextActionCell:
    method, budget, cycle, model = key
    compared: dict[Compared, dict[Trait, Estimate]] = {}
    for kind in get_args(Compared):
        for trait in get_args(Trait):
            if estimate := world.mean(rows, partial(_trait, kind, trait), within=SHARE):
                compared.setdefault(kind, {})[trait] = estimate
    return NextActionCell(
        method=method,
        budget=budget,
        cycle=cycle,
        model=model,
        agreement=compared,
        not_measured=Counter(r.said.reason for r in rows if isinstance(r.said, NotMeasured)),
    )


def _trait(kind: Compared, trait: Trait, row: NextActionRecord) -> float | None:
    compared = getattr(row, kind)
    return float(getattr(compared, trait)) if isinstance(compared, CallAgreement) else None
