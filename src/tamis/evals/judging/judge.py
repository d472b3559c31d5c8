"""Judges: the contract on one page, and how scores become figures.

A judge sees a question, an answer, what the answer had to hold, and the criteria. It never sees the method,
the order, or the compacted context: the form of a context gives the method away.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.rubric import Rubric
from tamis.evals.probing.probes import Probe
from tamis.evals.probing.readers import Answer


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeCase:
    """What is judged: an answer to a probe. The probe holds the ground truth."""

    probe: Probe
    answer: Answer


@dataclass(frozen=True, kw_only=True, slots=True)
class CriterionResult:
    """A score from 0 to 5 and why; None where this judge cannot judge it, which is no zero."""

    criterion: str
    score: float | None
    reasoning: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """What a judge says of one answer: a result for each criterion that goes with the probe."""

    results: tuple[CriterionResult, ...]

    def score_of(self, criterion: str) -> float | None:
        """The score for a criterion; None where there is none."""
        return next((r.score for r in self.results if r.criterion == criterion), None)


@runtime_checkable
class Judge(Protocol):
    """Scores answers by a rubric. `version` changes when the same answer may get another score."""

    name: str  # `offline`, or the model's name
    version: str
    rubric: Rubric

    async def judge(self, case: JudgeCase, *, repeat: int = 0) -> Judgement | NotMeasured:
        """Judge one answer, or say why there is no judgement: a failed judge gives neither 0 nor 5.

        `repeat` is which asking this is: a judge that can be swayed by what should not matter, as the order
        of the criteria, is asked in another order each time.
        """


def dimension_scores(rubric: Rubric, judgement: Judgement) -> dict[str, float]:
    """The weighted mean of the measured criteria of each dimension; absent where none was measured."""
    scores: dict[str, float] = {}
    for dimension in rubric.dimensions:
        measured = [
            (criterion.weight, score)
            for criterion in rubric.criteria
            if criterion.dimension == dimension and (score := judgement.score_of(criterion.id)) is not None
        ]
        if measured:
            total = sum(weight for weight, _ in measured)
            scores[dimension] = sum(weight * score for weight, score in measured) / total
    return scores


def overall(dimensions: Mapping[str, float]) -> float | None:
    """The unweighted mean of the dimensions that were measured; None where none was.

    >>> overall({"accuracy": 5.0, "completeness": 2.0})
    3.5
    """
    return sum(dimensions.values()) / len(dimensions) if dimensions else None
