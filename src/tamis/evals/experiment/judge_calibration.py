"""Finding out how far the judges of a run can be trusted: on how many answers of known worth.

A judge that costs nothing judges all of them. A model that runs on this machine takes long over each, so it
judges a smaller set with every kind of question and answer in it, unless told otherwise. How many there were
stands beside every figure.
"""

from collections.abc import Sequence
from typing import Literal

from tamis.evals.judging.calibration import Calibration, calibrate
from tamis.evals.judging.calibration_set import CalibrationSet, load_calibration_set
from tamis.evals.judging.judge import Judge
from tamis.evals.rundir.results import OFFLINE

AnswerLimit = int | Literal["all"] | None
"""How many answers: so many, all, or as many as is sound."""

FEW = 24
"""Two right and two wrong answers of every kind of question: the least from which anything can be told."""

LOCAL = "gguf:"


def answers_for(judge: str, most: AnswerLimit = None, known: CalibrationSet | None = None) -> CalibrationSet:
    """The answers of known worth that a judge of this name judges.

    At most `most`; None: all, but `FEW` for a model that runs here. `known` is the set that ships unless
    told.

    >>> len(answers_for("gguf:small.gguf").cases), len(answers_for("offline", 12).cases)
    (24, 116)
    """
    known = known or load_calibration_set()
    if judge == OFFLINE or most == "all":
        return known
    if most is None:
        return known.smaller(FEW) if judge.startswith(LOCAL) else known
    return known.smaller(most)


async def calibrate_all(
    judges: Sequence[Judge], *, repeats: int = 1, most: AnswerLimit = None
) -> tuple[Calibration, ...]:
    """What each judge makes of its answers."""
    made = []
    for judge in judges:
        times = 1 if judge.name == OFFLINE else repeats
        made.append(await calibrate(judge, answers_for(judge.name, most), repeats=times))
    return tuple(made)
