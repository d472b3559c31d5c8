"""Conclusions from a run: methods against one of them, and fronts of quality against its price."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

from tamis.errors import InputError
from tamis.evals.controls import is_control
from tamis.evals.figures.prices import Price
from tamis.evals.inference.method_comparisons import Family, Grouping, compare_methods
from tamis.evals.inference.outcome_measures import FIGURES, OutcomeMeasure
from tamis.evals.inference.pareto import ParetoFront, stand_methods
from tamis.evals.rundir.results import Run

COMPARED = ("recall", "statements", "regret_rate", "reading", "overall")
"""What methods are compared in."""

ON_FRONTS = ("recall", "reading", "overall")
"""Qualities that are set against tokens and dollars."""

_PARTS: dict[str, tuple[Grouping, ...]] = {
    "recall": ("set", "length", "cycle"),
    "reading": ("kind",),
    "overall": ("dimension",),
}
"""What a figure is compared by, where there is more than one of it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InconclusiveResult:
    """A figure in which nothing could be concluded, and why."""

    figure: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Conclusions:
    """Comparisons with `baseline` in every figure that the run has, and the fronts.

    `in_parts` are the same comparisons by kind, dimension, set and length of session, each table corrected
    for the comparisons in it. `baseline` is None where there are no two methods.
    """

    baseline: str | None
    overall: tuple[Family, ...]
    in_parts: tuple[Family, ...]
    fronts: tuple[ParetoFront, ...]
    unsaid: tuple[InconclusiveResult, ...]


def baseline_of(run: Run) -> str | None:
    """What the others are compared with: the first method that is no control arm, in the order asked for.

    It is not the best one: that would be chosen by the same figures that are then compared.
    """
    methods = list(dict.fromkeys(result.method for result in run.results))
    return next((m for m in methods if not is_control(m)), None) if len(methods) > 1 else None


def conclude(run: Run) -> Conclusions:
    """Everything that may be concluded from a run."""
    baseline = baseline_of(run)
    unsaid = []
    if not len(run.answers):
        unsaid.append(InconclusiveResult(figure="reading", reason="no questions were asked"))
    overall, in_parts, fronts = [], [], []
    for name in COMPARED:
        figure = _observed_once(FIGURES[name], run)
        if figure.rests_on != "contexts" and not len(run.answers):
            continue
        if (why := _why_unsaid(run, figure)) is not None:
            unsaid.append(InconclusiveResult(figure=name, reason=why))
            continue
        if baseline is not None:
            overall.append(compare_methods(run, figure, baseline))
            in_parts += list(_families(run, figure, baseline))
        fronts += list(_fronts(run, figure))
    return Conclusions(
        baseline=baseline,
        overall=tuple(overall),
        in_parts=tuple(in_parts),
        fronts=tuple(fronts),
        unsaid=tuple(unsaid),
    )


def _why_unsaid(run: Run, figure: OutcomeMeasure) -> str | None:
    """Why there is nothing to see of a figure, where that is so."""
    try:
        if any(True for _ in figure.observe(run)):
            return None
    except InputError as error:
        return str(error)
    if figure.name == "statements":
        return "no recap behind a cut says what could be known from the span only"
    return "nothing was measured"


def _families(run: Run, figure: OutcomeMeasure, baseline: str) -> Iterator[Family]:
    for by in _PARTS.get(figure.name, ()):
        family = compare_methods(run, figure, baseline, by=by)
        if len({row.group for row in family.rows}) > 1:
            yield family


def _fronts(run: Run, figure: OutcomeMeasure) -> Iterator[ParetoFront]:
    if figure.name not in ON_FRONTS:
        return
    yield stand_methods(run, figure)
    if isinstance(run.settings.price, Price):
        with suppress(InputError):  # no arm has a known cost; the table of figures shows the dashes
            yield stand_methods(run, figure, price="cost_usd")


def _observed_once(figure: OutcomeMeasure, run: Run) -> OutcomeMeasure:
    """The same figure of this run, whose records are gone through once however often it is looked at."""
    observed = cache(lambda: tuple(figure.observe(run)))
    return replace(figure, observe=lambda _: observed())
