"""Effect sizes: how large a difference is beside the spread of the sessions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from tamis.evals.inference.clustering import EPSILON, ClusterTotals


@dataclass(frozen=True, kw_only=True, slots=True)
class EffectSize:
    """A difference in units of its own spread, each cluster counted once.

    - `cohen_d`: the mean of the clusters' differences over their standard deviation (d_z for pairs; Cohen,
      *Statistical Power Analysis*, 1988).
    - `hedges_g`: the same without its bias in small samples (Hedges, "Distribution theory for Glass's
      estimator of effect size", J. Educ. Stat. 6, 1981). Both are None where all clusters differ alike.
    - `rank_biserial`: from −1 to 1, the ranks of the clusters that rose less those of the ones that fell,
      over all ranks (Kerby, "The simple difference formula", Comprehensive Psychology 3, 2014). None where
      none differs.
    - `higher`, `equal`, `lower`: so many clusters.
    """

    cohen_d: float | None
    hedges_g: float | None
    rank_biserial: float | None
    higher: int
    equal: int
    lower: int


def effect_size(differences: ClusterTotals) -> EffectSize:
    """The size of an effect from the clusters' differences.

    >>> from tamis.evals.inference.clustering import by_cluster
    >>> effect_size(by_cluster([0.1, 0.2, 0.3, -0.1], ["a", "b", "c", "d"])).rank_biserial
    0.7
    """
    each = np.where(np.abs(differences.means) > EPSILON, differences.means, 0.0).round(12)
    clusters = len(each)
    spread = float(each.std(ddof=1)) if clusters > 1 else 0.0
    cohen_d = float(each.mean()) / spread if spread > EPSILON else None
    differing = each[each != 0]
    ranks = stats.rankdata(np.abs(differing))
    return EffectSize(
        cohen_d=cohen_d,
        hedges_g=None if cohen_d is None else cohen_d * _small_sample(clusters - 1),
        rank_biserial=float((np.sign(differing) * ranks).sum() / ranks.sum()) if len(ranks) else None,
        higher=int((each > 0).sum()),
        equal=clusters - len(differing),
        lower=int((each < 0).sum()),
    )


def _small_sample(freedom: int) -> float:
    """Hedges' exact factor J = Γ(f/2) / (√(f/2) · Γ((f−1)/2)); with one degree of freedom it is 0."""
    if freedom < 2:
        return 0.0
    log = special.gammaln(freedom / 2) - special.gammaln((freedom - 1) / 2)
    return float(np.exp(log) / np.sqrt(freedom / 2))
