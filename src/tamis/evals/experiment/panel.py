"""Readers and judges put to work on one point: every probe asked of every context, every answer judged.

The same context asked the same probe is asked once, however many arms made it.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tamis.evals.experiment.model_cache import listening
from tamis.evals.experiment.point_runner import ArmResult
from tamis.evals.judging.judge import Judge, JudgeCase
from tamis.evals.judging.judge_runs import ask_judge
from tamis.evals.points import Point
from tamis.evals.probing.exact_scorer import score_answer
from tamis.evals.probing.examination import ask, in_view, score_holding
from tamis.evals.probing.probes import Probe
from tamis.evals.probing.readers import Answer, LexicalReader, Reader
from tamis.evals.rundir import results
from tamis.evals.rundir.results import OFFLINE, AnswerRecord, JudgementRecord, SessionResults, answer_key
from tamis.messages import Message

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Panel:
    """Who reads and who judges. `asks_models`: then many questions are on their way at once."""

    readers: tuple[Reader, ...] = ()
    judges: tuple[Judge, ...] = ()
    repeats: int = 1
    asks_models: bool = False

    async def all(self, work: Iterable[Awaitable[T]]) -> list[T]:
        """Every piece of work done, in order; side by side where models are asked."""
        if self.asks_models:
            return list(await asyncio.gather(*work))
        return [await piece for piece in work]


class PointReading:
    """The probes of one point, each put to one context after another as long as its answer holds."""

    def __init__(self, panel: Panel, probes: Sequence[results.ProbeRecord]) -> None:
        self._panel = panel
        self._probes = probes
        self._read: dict[tuple[int, str], SessionResults] = {}
        self._judged: dict[tuple[str, Answer], tuple[JudgementRecord, ...]] = {}

    async def read(self, measured: ArmResult, point: Point) -> SessionResults:
        """Answers and judgements for a result; none where there is no context to be read."""
        probes = [p.probe for p in self._probes if p.asked_until >= measured.result.cycle]
        if measured.messages is None or not probes:
            return SessionResults()
        place, key = (measured.result.cycle, measured.result.context or ""), measured.result.key
        if place not in self._read:
            self._read[place] = await self._ask_all(measured.messages, point, probes)
        read = self._read[place]
        return SessionResults(
            answers=tuple(replace(a, result=key) for a in read.answers),
            judgements=tuple(
                replace(j, answer=answer_key(key, *j.answer.split("\0"))) for j in read.judgements
            ),
        )

    async def _ask_all(
        self, messages: tuple[Message, ...], point: Point, probes: Sequence[Probe]
    ) -> SessionResults:
        first = len(point.system)
        view = in_view(point)
        context = (*view[:first], *messages, *view[first:])
        lexical = next((r for r in self._panel.readers if isinstance(r, LexicalReader)), LexicalReader())
        index = lexical.index_of(context)
        held = {probe.id: score_holding(probe, index) for probe in probes}
        answers: list[AnswerRecord] = []
        judgements: list[JudgementRecord] = []
        for reader in self._panel.readers:
            answered = await self._panel.all(
                _answer(reader, probe, context, held[probe.id]) for probe in probes
            )
            answers += answered
            for found in await self._panel.all(
                self._judge(probe, record) for probe, record in zip(probes, answered, strict=True)
            ):
                judgements += found
        return SessionResults(answers=tuple(answers), judgements=tuple(judgements))

    async def _judge(self, probe: Probe, record: AnswerRecord) -> tuple[JudgementRecord, ...]:
        """Every judge's opinion; its answer is named by probe and reader until the result is known."""
        if not isinstance(record.answer, Answer):
            return ()
        case = JudgeCase(probe=probe, answer=record.answer)
        known = (probe.id, record.answer)
        if known not in self._judged:
            self._judged[known] = tuple(
                await self._panel.all(
                    judge_answer(judge, case, repeat)
                    for judge in self._panel.judges
                    for repeat in range(1 if judge.name == OFFLINE else self._panel.repeats)
                )
            )
        place = f"{record.probe}\0{record.reader}"
        return tuple(replace(judged, answer=place) for judged in self._judged[known])


async def _answer(
    reader: Reader, probe: Probe, context: Sequence[Message], held: float | None
) -> AnswerRecord:
    reader, heard = listening(reader)
    answer = await ask(reader, probe, context)
    return AnswerRecord(
        result="",
        probe=probe.id,
        reader=reader.name,
        reader_version=reader.version,
        answer=answer,
        exact=score_answer(probe, answer),
        held=held,
        **heard.told,
    )


async def judge_answer(judge: Judge, case: JudgeCase, repeat: int) -> JudgementRecord:
    """One judgement, or why there is none: a judge that raises or goes out of range has not judged."""
    judge, heard = listening(judge, repeat)
    judgement = await ask_judge(judge, case, repeat=repeat)
    return JudgementRecord(
        answer="",
        judge=judge.name,
        judge_version=judge.version,
        rubric=judge.rubric.id,
        repeat=repeat,
        judgement=judgement,
        **heard.told,
    )
