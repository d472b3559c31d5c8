"""What two methods can be compared in: a figure gives observations, whatever it measures.

A figure is a function from a run to `Observation`s. Hindsight gives one per result, reading one per answer,
a judge one per answer and dimension; whoever brings a figure of their own writes such a function.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from tamis.errors import InputError
from tamis.evals.hindsight import Hindsight, NotMeasured
from tamis.evals.inference.intervals import AMOUNT, SHARE, Bounds
from tamis.evals.judging.judge import dimension_scores
from tamis.evals.judging.rubric import HIGHEST, LOWEST, Rubric, load_rubric
from tamis.evals.probing.answers import AnswerScore
from tamis.evals.probing.probes import ProbeKind
from tamis.evals.results import AnswerRecord, Result, Run


class Unit(NamedTuple):
    """What is paired: the same question of the same dimension at the same point and cycle."""

    point: str
    cycle: int
    stratum: str
    part: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    """One value of a figure. `kind` is the probe's, where it is of a probe."""

    method: str
    budget: str
    unit: Unit
    value: float
    kind: ProbeKind | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """A figure by name.

    `within` is the least and the most that it can be, `rests_on` what it is told from: two runs can be
    compared in it if they have the same readers and judges as far as that goes.
    """

    name: str
    observe: Callable[[Run], Iterable[Observation]]
    higher_is_better: bool = True
    within: Bounds = (-math.inf, math.inf)
    rests_on: Literal["contexts", "answers", "judgements"] = "contexts"

    @property
    def difference_within(self) -> Bounds:
        """The least and the most that a difference of two values can be."""
        least, most = self.within
        return (least - most, most - least)


def _hindsight(value: Callable[[Result, Hindsight], float]) -> Callable[[Run], Iterator[Observation]]:
    def observe(run: Run) -> Iterator[Observation]:
        for result in run.results:
            if isinstance(result.score, Hindsight):
                unit = Unit(point=result.point, cycle=result.cycle, stratum="", part="")
                found = value(result, result.score)
                yield Observation(method=result.method, budget=result.budget, unit=unit, value=found)

    return observe


def _reading(run: Run) -> Iterator[Observation]:
    """The exact scorer's value of every answer."""
    reader = _one_of({answer.reader for answer in run.answers}, "readers")
    observation_of = _Answers(run).observation
    for answer in run.answers:
        if answer.reader == reader and isinstance(answer.exact, AnswerScore):
            yield observation_of(answer, stratum="", value=answer.exact.value)


def _answered(run: Run) -> Iterator[Observation]:
    """The same without what the span does not answer: declining that is a figure of its own."""
    return (one for one in _reading(run) if one.kind != "unanswerable")


def _judged(run: Run) -> Iterator[Observation]:
    """What the judge gave every answer in every dimension."""
    judge = _one_of({judgement.judge for judgement in run.judgements}, "judges")
    _one_of({answer.reader for answer in run.answers}, "readers")
    rubric = _rubric_of(run)
    answers = {answer.key: answer for answer in run.answers}
    observation_of = _Answers(run).observation
    for record in run.judgements:
        if record.judge == judge and not isinstance(record.judgement, NotMeasured):
            for dimension, score in dimension_scores(rubric, record.judgement).items():
                yield observation_of(answers[record.answer], stratum=dimension, value=score)


class _Answers:
    """Finds the method, the point and the probe behind an answer."""

    def __init__(self, run: Run) -> None:
        self._results = {result.key: result for result in run.results}
        self._kinds = {probe.key: probe.probe.kind for probe in run.probes}

    def observation(self, answer: AnswerRecord, *, stratum: str, value: float) -> Observation:
        result = self._results[answer.result]
        return Observation(
            method=result.method,
            budget=result.budget,
            unit=Unit(point=result.point, cycle=result.cycle, stratum=stratum, part=answer.probe),
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


def _rubric_of(run: Run) -> Rubric:
    rubric = load_rubric(Path(run.settings.rubric) if run.settings.rubric else None)
    judged_by = _one_of({judgement.rubric for judgement in run.judgements}, "rubrics")
    if judged_by != rubric.id:
        raise InputError(
            f"the run was judged by {judged_by}, the rubric at hand is {rubric.id}; score it again"
        )
    return rubric


FIGURES: dict[str, Figure] = {
    figure.name: figure
    for figure in (
        Figure(name="recall", observe=_hindsight(lambda _, s: s.recall), within=SHARE),
        Figure(name="weighted_recall", observe=_hindsight(lambda _, s: s.weighted_recall), within=SHARE),
        Figure(
            name="regret_rate",
            observe=_hindsight(lambda _, s: s.regret_rate),
            higher_is_better=False,
            within=SHARE,
        ),
        Figure(
            name="refetch_tokens",
            observe=_hindsight(lambda _, s: s.refetch_tokens),
            higher_is_better=False,
            within=AMOUNT,
        ),
        Figure(
            name="tokens_per_task",
            observe=_hindsight(lambda _, s: s.tokens_per_task),
            higher_is_better=False,
            within=AMOUNT,
        ),
        Figure(name="reading", observe=_answered, within=SHARE, rests_on="answers"),
        Figure(name="overall", observe=_judged, within=(LOWEST, HIGHEST), rests_on="judgements"),
    )
}

PARTS: dict[str, tuple[str, Callable[[Run], Iterable[Observation]]]] = {
    "reading": ("KIND", _reading),
    "overall": ("DIMENSION", _judged),
}
"""Figures that can be had in part: what the part is called, and what it is taken from."""


def get_figure(name: str) -> Figure:
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

    def observe(run: Run) -> Iterator[Observation]:
        return (one for one in PARTS[whole][1](run) if part in (one.kind, one.unit.stratum))

    return replace(FIGURES[whole], name=name, observe=observe)


def by_point(values: dict[Unit, float]) -> dict[str, float]:
    """One value a point: the mean over its dimensions of the mean over their questions.

    >>> one = Unit(point="p", cycle=1, stratum="accuracy", part="a")
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
