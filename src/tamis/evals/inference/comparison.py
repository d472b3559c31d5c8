"""Two methods at the same points: how far apart, how surely so, and how small a difference could be seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tamis.evals.inference.clustering import by_cluster
from tamis.evals.inference.effects import EffectSize, effect_size
from tamis.evals.inference.intervals import Bounds, bootstrap_t
from tamis.evals.inference.permutation import sign_flip_test
from tamis.evals.inference.power import smallest_detectable


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """The mean difference over the pairs, and what may be said of it.

    `low`, `high` and `p_value` are None with fewer than two clusters. `deviation` is how much clusters differ
    in it, `smallest_detectable` the difference that so many of them would have shown in 8 of 10 cases.
    `unpaired` counts the points where only one of the two has a value; they are in no other figure here.
    """

    difference: float
    low: float | None
    high: float | None
    p_value: float | None
    effect_size: EffectSize
    deviation: float | None
    smallest_detectable: float | None
    pairs: int
    clusters: int
    unpaired: int


def compare(
    a: Mapping[str, float],
    b: Mapping[str, float],
    clusters: Mapping[str, str],
    *,
    within: Bounds | None = None,
    seed: int = 0,
) -> Comparison | None:
    """`a` less `b`, paired by point and clustered by session; None where no point has both.

    Args:
        a: a figure by point.
        b: the same figure of another method, by point.
        clusters: the session, or task, of each point.
        within: the least and the most that a difference can be, where that is known.
        seed: of the resampling.

    >>> a, b = {"1": 0.9, "2": 0.5, "3": 0.7}, {"1": 0.8, "2": 0.5, "4": 0.1}
    >>> made = compare(a, b, {"1": "s", "2": "t", "3": "t", "4": "u"})
    >>> made.difference, made.pairs, made.clusters, made.unpaired
    (0.05, 2, 2, 2)
    """
    points = sorted(a.keys() & b.keys())
    if not points:
        return None
    paired = by_cluster([a[p] - b[p] for p in points], [clusters[p] for p in points])
    interval = bootstrap_t(paired, within=within, seed=seed)
    deviation = paired.deviation if paired.clusters > 1 else None
    return Comparison(
        difference=paired.mean,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        p_value=sign_flip_test(paired, seed=seed),
        effect_size=effect_size(paired),
        deviation=deviation,
        smallest_detectable=smallest_detectable(deviation, paired.clusters) if deviation else None,
        pairs=len(points),
        clusters=paired.clusters,
        unpaired=len(a.keys() ^ b.keys()),
    )
