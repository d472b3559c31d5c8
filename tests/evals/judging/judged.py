"""Probes, answers and judgements in a line, for the tests of this folder."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.judge import CriterionResult, JudgeCase, Judgement
from tamis.evals.judging.offline import OfflineJudge
from tamis.evals.judging.rubric import Rubric, load_rubric
from tamis.evals.probing.probes import Expected, ItemType, Probe, ProbeKind
from tamis.evals.probing.readers import Answer

RUBRIC = load_rubric()


def item(type: ItemType, value: str, *, forbids: bool = False) -> Expected:  # noqa: A002
    return Expected(type=type, value=value, forbids=forbids)


def probe(kind: ProbeKind, question: str, *expected: Expected, **given: Any) -> Probe:
    return Probe(id=f"{kind}-1", kind=kind, question=question, expected=expected, **given)


PORT = probe(
    "recall", "What is the value of port?", item("number", "9090"), superseded=(item("number", "7070"),)
)
CREATED = probe(
    "artifact", "Which files were created?", item("path", "src/a.py"), item("path", "src/b.py"), closed=True
)
OPEN = probe(
    "continuation",
    "Which tasks are still open or in progress?",
    item("text", "write the upgrade guide"),
    item("text", "rotate the signing keys"),
)
NOWHERE = probe("unanswerable", "What was decided about the quokka migration?")


def case(asked: Probe, text: str | None, *, quotes: tuple[str, ...] = ()) -> JudgeCase:
    """An answer to a probe; None declines."""
    return JudgeCase(probe=asked, answer=Answer(text=text or "", declined=text is None, quotes=quotes))


def judge_offline(judged: JudgeCase, rubric: Rubric = RUBRIC) -> Judgement:
    judgement = asyncio.run(OfflineJudge(rubric).judge(judged))
    assert isinstance(judgement, Judgement)
    return judgement


def scores(judged: JudgeCase) -> dict[str, float | None]:
    """What the offline judge gives to each criterion."""
    return {result.criterion: result.score for result in judge_offline(judged).results}


def judgement(given: Mapping[str, float | None]) -> Judgement:
    return Judgement(
        results=tuple(CriterionResult(criterion=c, score=s, reasoning="") for c, s in given.items())
    )


class SaysAlways:
    """A judge that gives every criterion the same score, or what it is told to say."""

    name = "always"
    version = "1"
    rubric = RUBRIC

    def __init__(self, said: float | Judgement | NotMeasured | Exception | None) -> None:
        self.asked: list[tuple[str, int]] = []
        self._said = said

    async def judge(self, case: JudgeCase, *, repeat: int = 0) -> Judgement | NotMeasured:
        self.asked.append((case.answer.text, repeat))
        match self._said:
            case Exception():
                raise self._said
            case Judgement() | NotMeasured():
                return self._said
            case score:
                return judgement({criterion.id: score for criterion in RUBRIC.for_probe(case.probe)})
