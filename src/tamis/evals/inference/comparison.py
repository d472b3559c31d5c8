"""Two methods at the same points: how far apart, how surely so, and how small a difference could be seen."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special, stats

from tamis.errors import InputError
from tamis.evals.inference.clustering import EPSILON, ClusterTotals, by_cluster
from tamis.evals.inference.intervals import ANYTHING, CONFIDENCE, Bounds, Interval, bootstrap_t

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


def fewest_clusters(alpha: float = ALPHA) -> int:
    """The fewest clusters that can show anything at this level: the smallest p of the test is 2/2ᶜ.

    >>> fewest_clusters(), fewest_clusters(0.05 / 6)
    (6, 8)
    """
    return math.ceil(math.log2(2 / alpha))


def smallest_detectable(
    deviation: float, clusters: int, *, alpha: float = ALPHA, within: Bounds = ANYTHING
) -> float | None:
    """The smallest difference that so many clusters show in 8 of 10 cases; None where there is none.

    There is none with too few clusters, where no cluster differs from another (`deviation` is 0), and where
    it would be more than a difference can be (`within`).

    >>> round(smallest_detectable(0.1, 30), 4)
    0.0529
    """
    if clusters < fewest_clusters(alpha) or not deviation:
        return None
    most = 1.0
    while power_of(most, clusters, alpha=alpha) < POWER:
        most *= 2
    effect = optimize.brentq(lambda d: power_of(d, clusters, alpha=alpha) - POWER, 0.0, most)
    found = float(effect) * deviation
    return found if found <= within[1] else None


def sessions_needed(difference: float, deviation: float, *, alpha: float = ALPHA) -> int | None:
    """How many clusters show this difference in 8 of 10 cases; None where no spread is known.

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
    while power_of(effect, high, alpha=alpha) < POWER:
        low, high = high, high * 2
        if high > MOST_SESSIONS:
            raise InputError(
                f"no {MOST_SESSIONS:,} sessions would show a difference of {difference:g} where sessions "
                f"differ by {deviation:.3g}; give a larger one"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_of(effect, middle, alpha=alpha) >= POWER else (middle, high)
    return max(high, fewest_clusters(alpha))


FLIPS = 9_999
"""Up to 13 clusters all flips are tried, which makes the test exact; with more, so many at random."""

AT_ONCE = 2_000_000
"""How many flipped values are held at a time, so that memory does not grow with the clusters."""


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
    a: Mapping[str, float], b: Mapping[str, float], clusters: Mapping[str, str], *, within: Bounds = ANYTHING
) -> Comparison | None:
    """`a` less `b`, paired by point and clustered by session; None where no point has both.

    `clusters` names the session, or task, of each point; `within` is the least and the most that a difference
    can be, where that is known.

    >>> a, b = {"1": 0.9, "2": 0.5, "3": 0.7}, {"1": 0.8, "2": 0.5, "4": 0.1}
    >>> made = compare(a, b, {"1": "s", "2": "t", "3": "t", "4": "u"})
    >>> made.difference, made.pairs, made.clusters, made.unpaired
    (0.05, 2, 2, 2)
    """
    points = sorted(a.keys() & b.keys())
    if not points:
        return None
    paired = by_cluster([a[p] - b[p] for p in points], [clusters[p] for p in points])
    interval = bootstrap_t(paired, within=within)
    deviation = paired.deviation if paired.clusters > 1 else None
    return Comparison(
        difference=paired.mean,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        p_value=sign_flip_test(paired),
        effect_size=effect_size(paired),
        deviation=deviation,
        smallest_detectable=smallest_detectable(deviation or 0.0, paired.clusters, within=within),
        pairs=len(points),
        clusters=paired.clusters,
        unpaired=len(a.keys() ^ b.keys()),
    )


def effect_size(differences: ClusterTotals) -> EffectSize:
    """The size of an effect from the clusters' differences.

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


def sign_flip_test(differences: ClusterTotals, *, seed: int = 0, flips: int = FLIPS) -> float | None:
    """The two-sided p value of no difference; None with fewer than two clusters.

    If it made no difference which of two methods is which, every cluster's difference could as well have had
    the other sign: p is the share of all such flips that differ as much as what was seen (Fisher, *The Design
    of Experiments*, 1935; by clusters: Gail et al., "On design considerations and randomization-based
    inference for community intervention trials", Statistics in Medicine 15, 1996).

    The smallest that C clusters can give is 2/2ᶜ: five cannot show anything at 5 % (`fewest_clusters`).

    >>> sign_flip_test(by_cluster([0.1, 0.2, 0.3], ["a", "b", "c"]))
    0.25
    """
    if differences.clusters < 2:
        return None
    if not np.any(differences.sums):
        return 1.0
    found = stats.permutation_test(
        (differences.sums,),
        np.sum,
        permutation_type="samples",
        vectorized=True,
        n_resamples=flips,
        batch=max(1, AT_ONCE // differences.clusters),
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p values, in the order given: below 0.05, all at once at 5 %.

    The i-th smallest of m is multiplied by m − i + 1, and none comes out below a smaller one (Holm, "A simple
    sequentially rejective multiple test procedure", Scandinavian J. Stat. 6, 1979).

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = highest
    return tuple(adjusted)


def holm_of(made: Sequence[Comparison | None]) -> list[float | None]:
    """The adjusted p value of each comparison; None for one that has no p value."""
    known = [one.p_value for one in made if one and one.p_value is not None]
    adjusted = iter(holm(known))
    return [next(adjusted) if one and one.p_value is not None else None for one in made]


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


def paired_share_difference(pairs: Sequence[tuple[bool, bool]]) -> Interval:
    """The 95 % interval of the first's share less the second's.

    Wilson's intervals of both shares, put together with their correlation: method 10 of Newcombe, "Improved
    confidence intervals for the difference between binomial proportions based on paired data" (Statistics in
    Medicine 17, 1998). Unlike a bootstrap it has a width where all pairs agree.

    >>> all_agree = paired_share_difference([(True, True)] * 5)
    >>> round(all_agree.low, 2), round(all_agree.high, 2)
    (-0.43, 0.43)
    """
    n = len(pairs)
    both = sum(a and b for a, b in pairs)
    first, second = sum(a for a, _ in pairs), sum(b for _, b in pairs)
    difference = (first - second) / n
    one, other = share_interval(first, n), share_interval(second, n)
    correlation = _correlation(both, first, second, n)
    below = _joined(first / n - one.low, other.high - second / n, correlation)
    above = _joined(one.high - first / n, second / n - other.low, correlation)
    return Interval(low=max(-1.0, difference - below), high=min(1.0, difference + above))


def _joined(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(0.0, one**2 - 2 * correlation * one * other + other**2))


def _correlation(both: int, first: int, second: int, n: int) -> float:
    """Phi of the two by two table, with Newcombe's correction towards zero where it is positive."""
    neither = n - first - second + both
    spread = first * (n - first) * second * (n - second)
    if not spread:
        return 0.0
    crossed = both * neither - (first - both) * (second - both)
    corrected = max(crossed - n / 2, 0.0) if crossed > 0 else crossed
    return corrected / math.sqrt(spread)
