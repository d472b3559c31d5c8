"""Survival cycle after cycle: of the names that only memory can keep, and of the answers to the probes.

Only points with every cycle count, and only probes whose answer still held in the last one, so that a curve
follows the same things from its first cycle to its last.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamis.evals.hindsight import NotMeasured
from tamis.evals.inference.clustering import EPSILON, ClusterTotals
from tamis.evals.inference.intervals import SHARE, Estimate, bootstrap_t, estimate_pairs
from tamis.evals.probing.exact_scorer import AnswerScore
from tamis.evals.rundir.results import Run


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
    points. What comes back later counts as there no more. What the first compaction leaves out is a matter of
    its budget and no drift. The rate is taken as the same in every cycle; the curve shows whether that is so.

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
    sums, counts = (np.array([of[name] for name in names]) for of in (lost, at_risk))
    sample = ClusterTotals(sums=sums, counts=counts)
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


NAMES, PROBES = "names", "probes"


@dataclass(frozen=True, kw_only=True, slots=True)
class Survival:
    """One method at one budget: what share of something stood in its context after each cycle.

    `what` is `names` or `probes`, with a kind behind a colon for one kind of them (`names:path`); for probes
    the share is the exact score of the answers. `half_life` is not measured where nothing was lost, which
    does not make it infinite.
    """

    method: str
    budget: str
    what: str
    reader: str | None
    cycles: tuple[Estimate, ...]
    half_life: HalfLife | NotMeasured


_Value = tuple[str, str, str, str | None, int, str, float]
"""Method, budget, what, reader, cycle, point, share."""


def survival(run: Run) -> list[Survival]:
    """The curves of a run with several cycles; none where it has one."""
    last = run.settings.cycles
    if last == 1:
        return []
    clusters = {p.key: p.cluster for p in run.points if len(p.later) == last - 1}
    values: dict[tuple[str, str, str, str | None], dict[int, dict[str, list[float]]]] = {}
    for method, budget, what, reader, cycle, point, share in _values(run, clusters):
        by_cycle = values.setdefault((method, budget, what, reader), {})
        by_cycle.setdefault(cycle, {}).setdefault(point, []).append(share)
    curves = (_curve(key, by_cycle, clusters, last) for key, by_cycle in values.items())
    return [curve for curve in curves if curve is not None]


def _values(run: Run, points: Mapping[str, str]) -> Iterator[_Value]:
    results = {}
    for r in run.results:
        if r.point not in points:
            continue
        results[r.key] = (r.method, r.budget, r.cycle, r.point)
        needed = found = 0
        for kind, score in (r.lasting or {}).items():
            needed, found = needed + score.needed, found + score.found
            yield r.method, r.budget, f"{NAMES}:{kind}", None, r.cycle, r.point, score.found / score.needed
        if needed:
            yield r.method, r.budget, NAMES, None, r.cycle, r.point, found / needed
    kinds = {
        p.key: p.probe.kind for p in run.probes if p.asked_until == run.settings.cycles and p.probe.expected
    }
    for answer in run.answers:
        if answer.result not in results or not isinstance(answer.exact, AnswerScore):
            continue
        method, budget, cycle, point = results[answer.result]
        if probe_kind := kinds.get(f"{point}/{answer.probe}"):
            for what in (PROBES, f"{PROBES}:{probe_kind}"):
                yield method, budget, what, answer.reader, cycle, point, answer.exact.value


def _curve(
    key: tuple[str, str, str, str | None],
    by_cycle: Mapping[int, Mapping[str, Sequence[float]]],
    clusters: Mapping[str, str],
    last: int,
) -> Survival | None:
    turns = range(1, last + 1)
    whole = set.intersection(*(set(by_cycle.get(cycle, ())) for cycle in turns))
    if not whole:
        return None
    shares = {point: [_share(by_cycle[cycle][point]) for cycle in turns] for point in sorted(whole)}
    estimates = (
        estimate_pairs(((seen[i], clusters[point]) for point, seen in shares.items()), within=SHARE)
        for i in range(last)
    )
    method, budget, what, reader = key
    return Survival(
        method=method,
        budget=budget,
        what=what,
        reader=reader,
        cycles=tuple(estimate for estimate in estimates if estimate),
        half_life=half_life(shares, clusters),
    )


def _share(values: Sequence[float]) -> float:
    return sum(values) / len(values)
