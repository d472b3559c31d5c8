"""Agreement of judges with each other, or of one judge with itself: Krippendorff's alpha.

Alpha is 1 - observed / expected disagreement (Krippendorff, "Content Analysis", 2004, chapter 11). It takes
any number of raters, and scores that are missing. 1 is perfect agreement, 0 what chance would give; below
0.667 he advises against any conclusion. Where the scores never differ, chance would agree as well: alpha is
undefined.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import krippendorff

from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.judge import Judgement


@dataclass(frozen=True, kw_only=True, slots=True)
class Agreement:
    """Agreement over the units (one criterion of one case) that at least two raters scored.

    `same` is the share of pairs of scores that are equal, `mean_difference` how far the two scores of a pair
    lie apart on average, in points.
    """

    raters: int
    units: int
    alpha: float | NotMeasured
    same: float
    mean_difference: float


def measure_agreement(raters: Sequence[Sequence[Judgement | NotMeasured]]) -> Agreement | NotMeasured:
    """The agreement of raters over the same cases: of several judges, or of the repeats of one.

    Scores are taken as ranks.
    """
    if len(raters) < 2:
        return NotMeasured(reason="one set of scores agrees with itself; two are needed")
    units = [unit for unit in _units(raters) if len(_given(unit)) > 1]
    if not units:
        return NotMeasured(reason="no criterion of any case was scored twice")
    differences = [abs(a - b) for unit in units for a, b in combinations(_given(unit), 2)]
    return Agreement(
        raters=len(raters),
        units=len(units),
        alpha=_alpha(units),
        same=sum(not difference for difference in differences) / len(differences),
        mean_difference=sum(differences) / len(differences),
    )


_Unit = list[float | None]


def _units(raters: Sequence[Sequence[Judgement | NotMeasured]]) -> list[_Unit]:
    """The scores of every criterion of every case, one for each rater."""
    units: list[_Unit] = []
    for said in zip(*raters, strict=True):
        judged = [judgement for judgement in said if isinstance(judgement, Judgement)]
        names = dict.fromkeys(result.criterion for judgement in judged for result in judgement.results)
        units += [[j.score_of(name) if isinstance(j, Judgement) else None for j in said] for name in names]
    return units


def _given(unit: _Unit) -> list[float]:
    return [score for score in unit if score is not None]


def _alpha(units: Sequence[_Unit]) -> float | NotMeasured:
    if len({score for unit in units for score in _given(unit)}) < 2:
        return NotMeasured(reason="every score is the same: agreement cannot be told from chance")
    by_rater = [
        [math.nan if score is None else score for score in rater] for rater in zip(*units, strict=True)
    ]
    return float(krippendorff.alpha(by_rater, level_of_measurement="ordinal"))
