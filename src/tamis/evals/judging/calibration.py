"""Calibration: how far a judge can be trusted, from its scores of answers whose worth is known.

The set that ships holds answers of our own writing, each labelled by what it is: right, partly right, vague,
wrong, or declined. What the judge made of them belongs beside every figure that it gave.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.agreement import Agreement, measure_agreement
from tamis.evals.judging.calibration_set import (
    LABELS,
    CalibrationSet,
    Label,
    LabelledCase,
    load_calibration_set,
)
from tamis.evals.judging.judge import Judge, Judgement, dimension_scores, overall
from tamis.evals.judging.judge_runs import OFFLINE, Judgements, judge_cases
from tamis.evals.judging.rubric import HIGHEST, LOWEST, Rubric

if TYPE_CHECKING:
    from tamis.evals.inference.intervals import Estimate, Interval


RIGHT_FROM = 3.0  # the overall score from which a judge takes an answer for right: the anchor for "mostly"
MOST_WRONG_TAKEN = 0.2
LEAST_RIGHT_TAKEN = 0.8
LEAST_MEASURED = 0.8
"""A judge beyond one of these bounds is not to be relied on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelFigures:
    """What the judge made of the answers with one label.

    `mean` is their mean overall score, `taken_for_right` how many got `RIGHT_FROM` or more, `in_range` how
    many got a score within what the set says of them. `mean_within` and `taken_within` are the 95 % intervals
    of the mean (bootstrap over questions) and of the share taken for right (Wilson, J. Am. Stat. Assoc. 22,
    1927). None where none was judged, or one question alone.
    """

    label: Label
    cases: int
    judged: int
    mean: float | None
    taken_for_right: int
    in_range: int
    mean_within: tuple[float, float] | None = None
    taken_within: tuple[float, float] | None = None

    @property
    def told(self) -> str:
        """The figures in words: `right ones 4.5 (4.2 to 4.7), 28 of 30 taken for right (79 to 98 %)`."""
        if self.mean is None:
            return f"{self.label} ones not measured"
        mean = f"{self.label} ones {self.mean:.1f}{between(self.mean_within, '{:.1f}')}"
        share = between(self.taken_within, "{:.0%}")
        return f"{mean}, {self.taken_for_right} of {self.judged} taken for right{share}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Separation:
    """How many points right answers lie above wrong ones to the same question, on average over the questions.

    `low` and `high` bound the 95 % interval, for which questions are resampled; None where there is only one.
    """

    mean: float
    low: float | None
    high: float | None
    questions: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibration:
    """What a judge made of the calibration set.

    `not_measured` counts the reasons why there was no judgement. `agreement` is that of the judge with
    itself, where it was asked more than once. `verdict` says in a sentence what follows.
    """

    judge: str
    version: str
    rubric: str
    set: str
    labels: tuple[LabelFigures, ...]
    separation: Separation | NotMeasured
    agreement: Agreement | NotMeasured
    not_measured: Mapping[str, int]
    reliable: bool
    verdict: str

    @property
    def cases(self) -> int:
        """How many answers it was to judge."""
        return sum(figures.cases for figures in self.labels)

    @property
    def evidence(self) -> str:
        """What the verdict rests on, in words: how many answers, and each figure with its 95 % interval."""
        judged = sum(figures.judged for figures in self.labels)
        parts = [figures.told for figures in self.labels if figures.label in ("right", "wrong", "vague")]
        if isinstance(self.separation, Separation):
            apart = self.separation
            parts.append(f"right above wrong by {apart.mean:.1f}{between(_bounds(apart), '{:.1f}')}")
        return f"{judged} of {self.cases} answers of known worth judged: {'; '.join(parts)}"


async def calibrate(
    judge: Judge, calibration_set: CalibrationSet | None = None, *, repeats: int = 1
) -> Calibration:
    """Have a judge judge answers whose worth is known; the figures are those of the first of `repeats`."""
    known = calibration_set or load_calibration_set()
    rounds = await judge_cases(judge, [c.case for c in known.cases], repeats=repeats)
    return read_calibration(judge, known, rounds)


def read_calibration(
    judge: Judge, known: CalibrationSet, rounds: Sequence[Judgements], *, seed: int = 0
) -> Calibration:
    """What follows from a judge's judgements of a set, one tuple for each time that it was asked."""
    judged = _judged(known.cases, rounds[0], judge.rubric)
    labels = tuple(_label_figures(label, known.cases, judged) for label in LABELS)
    separation = _separation(judged, seed=seed)
    fault = _find_fault(labels, separation)
    reasons = Counter(said.reason for round_ in rounds for said in round_ if isinstance(said, NotMeasured))
    return Calibration(
        judge=judge.name,
        version=judge.version,
        rubric=judge.rubric.id,
        set=known.id,
        labels=labels,
        separation=separation,
        agreement=measure_agreement(rounds),
        not_measured=dict(reasons.most_common()),
        reliable=fault is None,
        verdict=f"{fault}: do not rely on it" if fault else "tells right answers from wrong ones",
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Judged:
    known: LabelledCase
    judgement: Judgement
    score: float

    @property
    def is_in_range(self) -> bool:
        """Whether every score lies within what the set says; one that is not there breaks nothing."""
        if not self.known.low <= self.score <= self.known.high:
            return False
        scores = ((self.judgement.score_of(name), bounds) for name, bounds in self.known.criteria.items())
        return all(score is None or low <= score <= high for score, (low, high) in scores)


def _judged(cases: Sequence[LabelledCase], judgements: Judgements, rubric: Rubric) -> list[_Judged]:
    return [
        _Judged(known=case, judgement=said, score=score)
        for case, said in zip(cases, judgements, strict=True)
        if isinstance(said, Judgement) and (score := overall(dimension_scores(rubric, said))) is not None
    ]


def _label_figures(label: Label, cases: Sequence[LabelledCase], judged: Sequence[_Judged]) -> LabelFigures:
    from tamis.evals.inference.comparison import share_interval  # slow to load; reading needs none of it
    from tamis.evals.inference.intervals import estimate_mean

    found = [case for case in judged if case.known.label == label]
    scores, questions = [case.score for case in found], [case.known.question for case in found]
    mean = estimate_mean(scores, questions, within=(LOWEST, HIGHEST))
    taken = sum(score >= RIGHT_FROM for score in scores)
    share = share_interval(taken, len(found)) if found else None
    return LabelFigures(
        label=label,
        cases=sum(case.label == label for case in cases),
        judged=len(found),
        mean=mean.mean if mean else None,
        taken_for_right=taken,
        in_range=sum(case.is_in_range for case in found),
        mean_within=_bounds(mean),
        taken_within=_bounds(share),
    )


def _separation(judged: Sequence[_Judged], *, seed: int) -> Separation | NotMeasured:
    from tamis.evals.inference.intervals import estimate_mean

    by_question: dict[str, dict[Label, list[float]]] = {}
    for case in judged:
        by_question.setdefault(case.known.question, {}).setdefault(case.known.label, []).append(case.score)
    apart = {
        question: fmean(scores["right"]) - fmean(scores["wrong"])
        for question, scores in by_question.items()
        if "right" in scores and "wrong" in scores
    }
    widest = HIGHEST - LOWEST
    estimate = estimate_mean(list(apart.values()), list(apart), within=(-widest, widest), seed=seed)
    if estimate is None:
        return NotMeasured(reason="no question had both a right and a wrong answer judged")
    return Separation(mean=estimate.mean, low=estimate.low, high=estimate.high, questions=estimate.clusters)


def _find_fault(labels: Sequence[LabelFigures], separation: Separation | NotMeasured) -> str | None:
    """The gravest reason not to rely on the judge; None where there is none."""
    cases, judged = sum(f.cases for f in labels), sum(f.judged for f in labels)
    right, wrong = _figures(labels, "right"), _figures(labels, "wrong")
    if judged < LEAST_MEASURED * cases or not right.judged or not wrong.judged:
        return f"gave a usable judgement of only {judged} of {cases} answers"
    if wrong.taken_for_right > MOST_WRONG_TAKEN * wrong.judged:
        return f"takes {wrong.taken_for_right / wrong.judged:.0%} of wrong answers for right"
    if right.taken_for_right < LEAST_RIGHT_TAKEN * right.judged:
        return f"takes {1 - right.taken_for_right / right.judged:.0%} of right answers for wrong"
    if isinstance(separation, NotMeasured) or separation.low is None or separation.low <= 0:
        return "does not tell right answers from wrong ones"
    return None


def _figures(labels: Sequence[LabelFigures], label: Label) -> LabelFigures:
    return next(figures for figures in labels if figures.label == label)


def _bounds(found: "Estimate | Interval | Separation | None") -> tuple[float, float] | None:
    return None if found is None or found.low is None or found.high is None else (found.low, found.high)


def between(bounds: tuple[float, float] | None, form: str) -> str:
    """An interval in brackets; nothing where there is none."""
    return f" ({form.format(bounds[0])} to {form.format(bounds[1])})" if bounds else ""


AnswerLimit = int | Literal["all"] | None  # how many answers: so many, all, or as many as is sound
FEW = 24
"""Two right and two wrong answers of every kind of question: the least from which anything can be told."""

LOCAL = "gguf:"


def answers_for(judge: str, most: AnswerLimit = None, known: CalibrationSet | None = None) -> CalibrationSet:
    """The answers of known worth that a judge of this name judges.

    At most `most`; None: all, but `FEW` for a model that runs here and takes long over each: a smaller set
    with every kind of question and answer in it. `known` is the set that ships unless told.

    >>> len(answers_for("gguf:small.gguf").cases), len(answers_for("offline", 12).cases)
    (24, 116)
    """
    known = known or load_calibration_set()
    if most is None and judge.startswith(LOCAL):
        most = FEW
    return known.smaller(most) if isinstance(most, int) and judge != OFFLINE else known


async def calibrate_all(
    judges: Sequence[Judge], *, repeats: int = 1, most: AnswerLimit = None
) -> tuple[Calibration, ...]:
    """What each judge makes of its answers."""
    made = []
    for judge in judges:
        times = 1 if judge.name == OFFLINE else repeats
        made.append(await calibrate(judge, answers_for(judge.name, most), repeats=times))
    return tuple(made)
