"""The figures in which two methods can be compared.

A figure is a function from a run to `OutcomeValue`s. Hindsight gives one per result, reading one per answer,
a judge one per answer and dimension; whoever brings a figure of their own writes such a function.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from tamis.errors import InputError
from tamis.evals.hindsight import Hindsight
from tamis.evals.inference.intervals import AMOUNT, ANYTHING, SHARE, Bounds
from tamis.evals.judging.rubric import HIGHEST, LOWEST
from tamis.evals.probing.probes import ProbeKind
from tamis.evals.rundir import readings
from tamis.evals.rundir.results import Result, Run
from tamis.evals.statements.keypoints import StatementRecall


class ObservationUnit(NamedTuple):
    """What is paired: the same question of the same dimension at the same point and cycle."""

    point: str
    cycle: int
    stratum: str
    part: str


Values: TypeAlias = dict[ObservationUnit, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class OutcomeValue:
    """One value of a figure. `kind` is the probe's, where it is of a probe."""

    method: str
    budget: str
    unit: ObservationUnit
    value: float
    kind: ProbeKind | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class OutcomeMeasure:
    """A figure by name.

    `within` is the least and the most that it can be, `rests_on` what it is told from: two runs can be
    compared in it if they have the same readers and judges as far as that goes.
    """

    name: str
    observe: Callable[[Run], Iterable[OutcomeValue]]
    higher_is_better: bool = True
    within: Bounds = ANYTHING
    rests_on: Literal["contexts", "answers", "judgements"] = "contexts"

    @property
    def difference_within(self) -> Bounds:
        """The least and the most that a difference of two values can be."""
        least, most = self.within
        return (least - most, most - least)


def _of_results(value: Callable[[Result], float | None]) -> Callable[[Run], Iterator[OutcomeValue]]:
    def observe(run: Run) -> Iterator[OutcomeValue]:
        for result in run.results:
            if (found := value(result)) is not None:
                unit = ObservationUnit(point=result.point, cycle=result.cycle, stratum="", part="")
                yield OutcomeValue(method=result.method, budget=result.budget, unit=unit, value=found)

    return observe


def _reading(run: Run) -> Iterator[OutcomeValue]:
    reader = _one_of({reader for reader, _ in readings.readers_of(run)}, "readers")
    places = _Places(run)
    for answer in readings.read_answers(run):
        if answer.reader == reader and answer.exact is not None:
            yield places.observation(answer, stratum="", value=answer.exact)


def _judged(run: Run) -> Iterator[OutcomeValue]:
    judges = readings.judges_of(run)
    _one_of({judge for judge, _, _ in judges}, "judges")
    rubric = _one_of({rubric for _, _, rubric in judges}, "rubrics")
    if rubric not in readings.known_rubrics(run):
        raise InputError(f"the run was judged by {rubric}, which is not at hand any more; score it again")
    _one_of({reader for reader, _ in readings.readers_of(run)}, "readers")
    places = _Places(run)
    for answer, judgement in readings.judged_answers(run):
        for dimension, score in (judgement.scores or {}).items():
            yield places.observation(answer, stratum=dimension, value=score)


class _Places:
    """Finds the method, the point and the probe behind an answer.

    What many observations have in common is there once: a run has a million of them.
    """

    def __init__(self, run: Run) -> None:
        self._results = {result.key: result for result in readings.result_places(run)}
        self._kinds = {probe.key: probe.probe.kind for probe in run.probes}
        self._units: dict[ObservationUnit, ObservationUnit] = {}

    def observation(self, answer: readings.ReadAnswer, *, stratum: str, value: float) -> OutcomeValue:
        result = self._results[answer.result]
        unit = ObservationUnit(point=result.point, cycle=result.cycle, stratum=stratum, part=answer.probe)
        return OutcomeValue(
            method=result.method,
            budget=result.budget,
            unit=self._units.setdefault(unit, unit),
            value=value,
            kind=self._kinds[f"{result.point}/{answer.probe}"],
        )


def _one_of(names: set[str], what: str) -> str:
    """The only one: what several readers or judges said is not averaged."""
    if len(names) > 1:
        raise InputError(f"the run has several {what} ({', '.join(sorted(names))}); compare runs with one")
    if not names:
        raise InputError(f"the run has no {what}; compare another figure, such as recall")
    return names.pop()


def _of_names(name: str, within: Bounds, *, higher_is_better: bool = True) -> OutcomeMeasure:
    """A figure of hindsight, under the name that it has there."""
    observe = _of_results(lambda r: getattr(r.score, name) if isinstance(r.score, Hindsight) else None)
    return OutcomeMeasure(name=name, observe=observe, within=within, higher_is_better=higher_is_better)


_said = _of_results(lambda r: r.statements.recall if isinstance(r.statements, StatementRecall) else None)

FIGURES: dict[str, OutcomeMeasure] = {
    figure.name: figure
    for figure in (
        _of_names("recall", SHARE),
        OutcomeMeasure(name="statements", observe=_said, within=SHARE),
        _of_names("weighted_recall", SHARE),
        _of_names("regret_rate", SHARE, higher_is_better=False),
        _of_names("refetch_tokens", AMOUNT, higher_is_better=False),
        _of_names("tokens_per_task", AMOUNT, higher_is_better=False),
        OutcomeMeasure(
            name="reading",  # without what the span does not answer: declining that is a figure of its own
            observe=lambda run: (one for one in _reading(run) if one.kind != "unanswerable"),
            within=SHARE,
            rests_on="answers",
        ),
        OutcomeMeasure(name="overall", observe=_judged, within=(LOWEST, HIGHEST), rests_on="judgements"),
    )
}

PARTS: dict[str, tuple[str, Callable[[Run], Iterable[OutcomeValue]]]] = {
    "reading": ("KIND", _reading),
    "overall": ("DIMENSION", _judged),
}
"""Figures that can be had in part: what the part is called, and what it is taken from."""


def get_figure(name: str) -> OutcomeMeasure:
    """A figure by its name; `reading:KIND` and `overall:DIMENSION` are one kind of probe, one dimension.

    Raises:
        InputError: there is none of this name.

    >>> get_figure("overall:accuracy").name
    'overall:accuracy'
    """
    whole, _, part = name.partition(":")
    if whole not in FIGURES or (part and whole not in PARTS):
        parts = ", ".join(f"{figure}:{kind}" for figure, (kind, _) in PARTS.items())
        raise InputError(f"no figure {name!r}; there are {', '.join(FIGURES)}, {parts}")
    if not part:
        return FIGURES[whole]

    def observe(run: Run) -> Iterator[OutcomeValue]:
        return (one for one in PARTS[whole][1](run) if part in (one.kind, one.unit.stratum))

    return replace(FIGURES[whole], name=name, observe=observe)


class RunningMeans:
    """The mean of what was seen of each unit; most are seen once, and cost a float each."""

    def __init__(self) -> None:
        self.values: Values = {}
        self._times: dict[ObservationUnit, int] = {}

    def add(self, unit: ObservationUnit, value: float) -> None:
        """See one more value."""
        if unit not in self.values:
            self.values[unit] = value
            return
        times = self._times[unit] = self._times.get(unit, 1) + 1
        self.values[unit] += (value - self.values[unit]) / times


def by_point(values: Values) -> dict[str, float]:
    """One value a point: the mean over its dimensions of the mean over their questions.

    >>> one = ObservationUnit(point="p", cycle=1, stratum="accuracy", part="a")
    >>> by_point({one: 5.0, one._replace(part="b"): 3.0, one._replace(stratum="completeness"): 2.0})
    {'p': 3.0}
    """
    strata: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for unit, value in values.items():
        strata[unit.point][unit.stratum].append(value)
    return {
        point: sum(sum(v) / len(v) for v in by_stratum.values()) / len(by_stratum)
        for point, by_stratum in strata.items()
    }
