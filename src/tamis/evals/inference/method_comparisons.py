"""Methods of a run held against one of them, in all and in parts, with p corrected by Holm."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from tamis.errors import InputError
from tamis.evals.inference.comparison import Comparison, compare, holm_of
from tamis.evals.inference.outcome_measures import (
    OutcomeMeasure,
    OutcomeValue,
    RunningMeans,
    Values,
    by_point,
)
from tamis.evals.rundir.readings import result_places
from tamis.evals.rundir.results import PointRecord, Run

Grouping: TypeAlias = Literal["all", "set", "length", "cycle", "kind", "dimension"]
LENGTHS = ((10_000, "under 10k tokens"), (50_000, "10k to 50k tokens"))
LONGEST = "50k tokens and more"
"""How long a session was when it was cut."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MethodComparison:
    """A method less the baseline, at one budget and in one group of points.

    `comparison` is None where no point has a value of both. `p_holm` is its p value, corrected for all
    comparisons of the family.
    """

    method: str
    budget: str
    group: str
    comparison: Comparison | None
    p_holm: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    """The comparisons that are looked at together. `by` says what the groups are."""

    figure: str
    higher_is_better: bool
    baseline: str
    by: Grouping
    rows: tuple[MethodComparison, ...]


def compare_methods(
    run: Run,
    figure: OutcomeMeasure,
    baseline: str,
    *,
    by: Grouping = "all",
    methods: Collection[str] | None = None,
) -> Family:
    """Compare the methods of a run with one of them, by budget.

    What one of the two has no value for is left out of both, and counted. After the first cycle only
    `by="cycle"` looks.

    Points are grouped `by` their set, the session's length, the cycle, the kind of the probe or the dimension
    that was judged. Only these `methods` are compared; all by default.

    Raises:
        InputError: a method is not in the run, or the figure has nothing to group by.
    """
    known = dict.fromkeys(result.method for result in result_places(run))
    for name in (baseline, *(methods or ())):
        if name not in known:
            raise InputError(f"the run has no method {name!r}; it has {', '.join(known)}")
    chosen = [name for name in known if name != baseline and (methods is None or name in methods)]
    points = {point.key: point for point in run.points}
    clusters = {key: point.cluster for key, point in points.items()}
    groups = _grouped(figure.observe(run), _label_of(by, points), by)
    compared = []
    for group, values in groups.items():
        for budget in dict.fromkeys(budget for _, budget in values):
            for method in chosen:
                a, b = paired(values.get((method, budget), {}), values.get((baseline, budget), {}))
                made = compare(a, b, clusters, within=figure.difference_within)
                compared.append((method, budget, group, made))
    adjusted = holm_of([made for *_, made in compared])
    return Family(
        figure=figure.name,
        higher_is_better=figure.higher_is_better,
        baseline=baseline,
        by=by,
        rows=tuple(
            MethodComparison(method=method, budget=budget, group=group, comparison=made, p_holm=p)
            for (method, budget, group, made), p in zip(compared, adjusted, strict=True)
        ),
    )


def paired(a: Values, b: Values) -> tuple[dict[str, float], dict[str, float]]:
    """Both by point, at points that both have over what both were asked there."""
    common = a.keys() & b.keys()
    at = {unit.point for unit in common}

    def values(of: Values) -> dict[str, float]:
        return by_point({unit: v for unit, v in of.items() if unit in common or unit.point not in at})

    return values(a), values(b)


def _grouped(
    observed: Iterable[OutcomeValue], label: Callable[[OutcomeValue], str | None], by: Grouping
) -> dict[str, dict[tuple[str, str], Values]]:
    """Values by group, and by method and budget in it; the mean where one was measured several times."""
    groups: dict[str, dict[tuple[str, str], RunningMeans]] = defaultdict(lambda: defaultdict(RunningMeans))
    for one in observed:
        if by != "cycle" and one.unit.cycle > 1:
            continue
        if group := label(one):
            groups[group][one.method, one.budget].add(one.unit, one.value)
    if not groups and by in ("kind", "dimension"):
        raise InputError(f"this figure has no {by} to group by; group it by set, length or cycle")
    return {group: {arm: units.values for arm, units in arms.items()} for group, arms in groups.items()}


def _label_of(by: Grouping, points: dict[str, PointRecord]) -> Callable[[OutcomeValue], str | None]:
    labels: dict[Grouping, Callable[[OutcomeValue], str | None]] = {
        "all": lambda _: "all",
        "set": lambda one: points[one.unit.point].set,
        "length": lambda one: length_of(points[one.unit.point].span_tokens),
        "cycle": lambda one: f"cycle {one.unit.cycle}",
        "kind": lambda one: one.kind,
        "dimension": lambda one: one.unit.stratum or None,
    }
    if by not in labels:
        raise InputError(f"cannot group by {by!r}; by {', '.join(get_args(Grouping))}")
    return labels[by]


def length_of(tokens: int) -> str:
    """The bucket of a session's length.

    >>> length_of(9_999), length_of(10_000), length_of(70_000)
    ('under 10k tokens', '10k to 50k tokens', '50k tokens and more')
    """
    return next((name for below, name in LENGTHS if tokens < below), LONGEST)
