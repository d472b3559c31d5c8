"""A gate for continuous integration: a method is not worse than it was, by more than a margin, or it fails.

Non-inferiority turns the burden of proof round: not "no difference was found", which few sessions always
give, but "whatever difference there may be is smaller than the margin" (Piaggio et al., "Reporting of
noninferiority and equivalence randomized trials", JAMA 308, 2012). It has to be shown at every budget; then
no correction is needed (Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics
24, 1982).
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from tamis.errors import InputError, NotComparable
from tamis.evals.inference.comparison import Comparison, compare
from tamis.evals.inference.method_comparisons import paired
from tamis.evals.inference.outcome_measures import ObservationUnit, OutcomeMeasure, RunningMeans, Values
from tamis.evals.probing.probes import Probe
from tamis.evals.rundir.readings import judges_of, readers_of, result_places
from tamis.evals.rundir.results import Run


def check_comparable(run: Run, baseline: Run, figure: OutcomeMeasure) -> None:
    """Refuse runs in which more differs than the methods, as far as the figure rests on it.

    Methods may be of another version: that is what is compared.

    Raises:
        NotComparable: the tokenizer, the points, what was needed there, the probes, the readers, or the
            judges; says how.
    """
    check_same("tokenizer", [run.settings.tokenizer], [baseline.settings.tokenizer])
    names, former = point_names(run), point_names(baseline)
    check_same("points", names.values(), former.values())
    needs = {names[point.key]: point.needs for point in run.points}
    if any(point.needs != needs[former[point.key]] for point in baseline.points):
        raise _other("names needed", "they are found by another version of tamis")
    if figure.rests_on == "contexts":
        return
    check_same("readers", map(" ".join, readers_of(run)), map(" ".join, readers_of(baseline)))
    probes, former_probes = _probes(run, names), _probes(baseline, former)
    check_same("probes", probes, former_probes)
    if probes != former_probes:
        raise _other("answers expected", "a probe has been edited")
    if figure.rests_on == "judgements":
        check_same("judges", _judges(run), _judges(baseline))


def check_same(what: str, here: Iterable[str], there: Iterable[str]) -> None:
    """Refuse two collections that do not hold the same.

    Raises:
        NotComparable: names the first that only one of them has.
    """
    ours, theirs = set(here), set(there)
    if ours == theirs:
        return
    sides = (("only the run has", sorted(ours - theirs)), ("only the baseline has", sorted(theirs - ours)))
    raise _other(what, ", ".join(f"{side} {_listed(names)}" for side, names in sides if names))


def point_names(run: Run) -> dict[str, str]:
    """A name for each point by its key: the same wherever the session's file lay.

    The text of the span is part of it, so that a session that has changed is another one.
    """
    seen: Counter[str] = Counter()
    names = {}
    for point in run.points:
        name = f"{point.session_id} at {point.label} ({point.span[:8]})"
        seen[name] += 1
        names[point.key] = name if seen[name] == 1 else f"{name} #{seen[name]}"
    return names


def _probes(run: Run, names: dict[str, str]) -> dict[str, Probe]:
    return {f"{probe.probe.id} of {names[probe.point]}": probe.probe for probe in run.probes}


def _judges(run: Run) -> set[str]:
    return {f"{judge} {version} with rubric {rubric}" for judge, version, rubric in judges_of(run)}


def _listed(names: Collection[str]) -> str:
    first = ", ".join(list(names)[:2])
    return first if len(names) <= 2 else f"{first} and {len(names) - 2} more"


def _other(what: str, how: str) -> NotComparable:
    return NotComparable(f"the two runs have other {what}: {how}; measure both in the same way")


MIN_SESSIONS = 5
"""With fewer, an interval holds the truth too seldom for anything to rest on it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GateRow:
    """A method at a budget, against the baseline.

    `before` and `after` are the means over the pairs, None where there is no pair. `lost` counts the points
    where only the baseline has a value. `shown` says whether the method is not worse by the margin; `reason`
    says why, or why not.
    """

    method: str
    budget: str
    before: float | None
    after: float | None
    comparison: Comparison | None
    lost: int
    shown: bool
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GateVerdict:
    """Whether a run passes, by one figure and one margin, and why in one line."""

    passed: bool
    reason: str
    figure: str
    higher_is_better: bool
    margin: float
    rows: tuple[GateRow, ...]


def gate(
    run: Run,
    baseline: Run,
    figure: OutcomeMeasure,
    *,
    margin: float,
    method: str | None = None,
    against: str | None = None,
) -> GateVerdict:
    """Whether what was measured in `run` is not worse than `baseline` by the margin, at any budget.

    `baseline` may be the same run, where one method is judged by another. `margin` is in the figure's own
    unit. `method` is the only one looked at; by default every method of the baseline is, with `against` every
    other one. `against` is the baseline's method that it is judged by; by default that of the same name.

    Raises:
        NotComparable: other points, budgets, tokens, probes, readers or judges; names which.
        InputError: the margin is none, or there is no such method.
    """
    if not (math.isfinite(margin) and margin >= 0):
        raise InputError(f"a margin of {margin} cannot be kept to; give one such as 0.1")
    check_comparable(run, baseline, figure)
    now, then = _arms(run, figure, method), _arms(baseline, figure, against or method)
    names = point_names(baseline)
    clusters = {names[point.key]: point.cluster for point in baseline.points}
    rows = [
        _row(figure, margin, arm=arm, sides=(now[arm], then[before]), clusters=clusters)
        for arm, before in _matched(now, then, method, against)
    ]
    failing = [row for row in rows if not row.shown]
    return GateVerdict(
        passed=not failing,
        reason=failing[0].reason if failing else _narrowest(rows, figure).reason,
        figure=figure.name,
        higher_is_better=figure.higher_is_better,
        margin=margin,
        rows=tuple(rows),
    )


_Arm = tuple[str, str]


def _arms(run: Run, figure: OutcomeMeasure, method: str | None) -> dict[_Arm, Values]:
    """What every arm of a run was measured to be; with a method named, only that one's values are held."""
    names = point_names(run)
    values = {(result.method, result.budget): RunningMeans() for result in result_places(run)}
    renamed: dict[ObservationUnit, ObservationUnit] = {}
    for one in figure.observe(run):
        if one.unit.cycle == 1 and method in (None, one.method):
            if one.unit not in renamed:
                renamed[one.unit] = one.unit._replace(point=names[one.unit.point])
            values[one.method, one.budget].add(renamed[one.unit], one.value)
    return {arm: units.values for arm, units in values.items()}


def _matched(
    now: dict[_Arm, Values], then: dict[_Arm, Values], method: str | None, against: str | None
) -> Iterator[tuple[_Arm, _Arm]]:
    every = dict.fromkeys(name for name, _ in (now if against else then) if name != against)
    for name in every if method is None else (method,):
        before = against or name
        for wanted, arms, where in ((name, now, "the run"), (before, then, "the baseline")):
            if all(arm != wanted for arm, _ in arms):
                have = ", ".join(dict.fromkeys(arm for arm, _ in arms))
                raise NotComparable(
                    f"{where} has no method {wanted!r}; it has {have}; name one with --method"
                )
        budgets = [budget for arm, budget in now if arm == name]
        check_same(f"budgets of {name}", budgets, [budget for arm, budget in then if arm == before])
        for budget in budgets:
            yield (name, budget), (before, budget)


def _row(
    figure: OutcomeMeasure,
    margin: float,
    *,
    arm: _Arm,
    sides: tuple[Values, Values],
    clusters: dict[str, str],
) -> GateRow:
    after, before = paired(*sides)
    made = compare(after, before, clusters, within=figure.difference_within)
    lost = len(before.keys() - after.keys())
    both = sorted(after.keys() & before.keys())
    shown, why = _judge(figure, margin, made, lost)
    method, budget = arm
    return GateRow(
        method=method,
        budget=budget,
        before=sum(before[p] for p in both) / len(both) if both else None,
        after=sum(after[p] for p in both) / len(both) if both else None,
        comparison=made,
        lost=lost,
        shown=shown,
        reason=f"{figure.name} of {method} at {budget}: {why}",
    )


def _judge(figure: OutcomeMeasure, margin: float, made: Comparison | None, lost: int) -> tuple[bool, str]:
    worse = "lower" if figure.higher_is_better else "higher"
    if lost:
        points = "1 point" if lost == 1 else f"{lost} points"
        return False, f"not measured at {points} where the baseline is; see the run for the reasons"
    if made is None:
        return False, "not shown: there is no point with a value in both"
    if made.clusters < MIN_SESSIONS or made.low is None or made.high is None:
        return False, f"not shown: {made.clusters} sessions are too few, {MIN_SESSIONS} are the least"
    low, high = made.low, made.high
    least_good, best = (low, high) if figure.higher_is_better else (-high, -low)
    seen = f"{difference_shown(made)} over {made.clusters} sessions"
    if least_good > -margin:
        return True, f"not {worse} by {margin:g}: {seen}"
    if best < -margin:
        return False, f"{worse} by more than {margin:g}: {seen}"
    least = made.smallest_detectable
    smallest = "" if least is None else f"; {amount_shown(least)} could have been seen"
    return False, f"not shown: may be {worse} by {margin:g} or more: {seen}{smallest}"


def difference_shown(made: Comparison) -> str:
    """A difference with its interval, as people read it: `-0.005 (-0.021 to +0.008)`."""
    if made.low is None or made.high is None:
        return amount_shown(made.difference, sign="+")
    low, high = (amount_shown(end, sign="+") for end in (made.low, made.high))
    return f"{amount_shown(made.difference, sign='+')} ({low} to {high})"


def amount_shown(value: float, *, sign: Literal["+", "-"] = "-") -> str:
    """A figure in three digits, whole where it has more before the point.

    >>> amount_shown(0.12345), amount_shown(15_504.2), amount_shown(0.5, sign="+")
    ('0.123', '15,504', '+0.5')
    """
    return f"{value:{sign},.0f}" if abs(value) >= 1_000 else f"{value:{sign}.3g}"


def _narrowest(rows: Iterable[GateRow], figure: OutcomeMeasure) -> GateRow:
    def room(row: GateRow) -> float:
        made = row.comparison
        assert made and made.low is not None and made.high is not None  # noqa: PT018 - as it was shown
        return made.low if figure.higher_is_better else -made.high

    return min(rows, key=room)
