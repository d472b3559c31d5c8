"""Scoring a run again: the exact scorer as it is now, other judges, another rubric; no reader is asked.

What is found is added to the run directory. A judgement that is there already, by the same judge, version and
rubric, is not asked for again; nor is what was asked of a model before the scoring was stopped.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from tamis.evals.experiment.components import Components, GetModel, get_tools
from tamis.evals.experiment.experiment_run import SCORING, ResourceLimits, desk_for
from tamis.evals.experiment.panel import judge_answer
from tamis.evals.judging.calibration import AnswerLimit, answers_for, calibrate_all
from tamis.evals.judging.judge import Judge, JudgeCase
from tamis.evals.judging.rubric import keep_rubric
from tamis.evals.probing.exact_scorer import score_answer
from tamis.evals.probing.probes import Probe
from tamis.evals.probing.readers import Answer
from tamis.evals.rundir import results
from tamis.evals.rundir.records import RecordLines, raw_records, read_said, score_line
from tamis.evals.rundir.results import OFFLINE, SessionResults, Settings, result_key
from tamis.evals.rundir.run_directory import RunWriter, continue_run
from tamis.models import get_model

AT_ONCE = 500  # so many answers are scored before what came of them is written down


@dataclass(frozen=True, kw_only=True, slots=True)
class RescoreResult:
    """What scoring again did: answers looked at, those whose exact score is another now, new judgements."""

    answers: int
    rescored: int
    judged: int


def score_run(
    folder: Path,
    *,
    judges: Sequence[str] = (OFFLINE,),
    rubric: Path | None = None,
    repeats: int = 1,
    calibration: AnswerLimit = None,
    means: ResourceLimits | None = None,
    models: GetModel = get_model,
) -> RescoreResult:
    """Score and judge the answers of a finished run again.

    Judges are `offline`, or models by name; `rubric` is a file, the one that ships unless told.

    Raises:
        InputError: no finished run, or judges, rubric or means that cannot be used.
    """
    means = means or ResourceLimits()
    settings = Settings(
        methods=(),
        budgets=(),
        readers=("lexical",),
        judges=tuple(judges),
        repeats=repeats,
        calibration=calibration,
        rubric=str(rubric) if rubric else None,
    )
    get_tools(settings, models=models)  # what is wrong is said before anything is written
    with continue_run(folder) as writer:
        if rubric is not None:
            keep_rubric(folder, rubric)
        desk = desk_for([j for j in judges if j != OFFLINE], writer.texts, means)
        return asyncio.run(_Scoring(writer, get_tools(settings, desk, models), settings).run())


class _Scoring:
    def __init__(self, writer: RunWriter, tools: Components, settings: Settings) -> None:
        self._writer = writer
        self._desk = tools.desk
        self._judges = tools.panel.judges
        self._repeats = settings.repeats
        self._calibration = settings.calibration
        folder = writer.folder
        self._points = {
            result_key(r["point"], r["method"], r["budget"], r["cycle"]): r["point"]
            for r in raw_records(folder, "results")
        }
        probes: RecordLines[results.ProbeRecord] = RecordLines(folder, "probes")
        self._probes = {p.key: p.probe for p in probes}
        self._known = {
            (j["answer"], j["judge"], j["judge_version"], j["rubric"], j["repeat"])
            for j in raw_records(folder, "judgements")
        }

    async def run(self) -> RescoreResult:
        """Score every answer, some at a time."""
        await self._calibrate()
        answers = rescored = judged = 0
        found = read_said(self._writer.folder, "answers", self._writer.texts)
        while some := list(islice(found, AT_ONCE)):
            scores = [
                score_line(answer.key, exact)
                for answer in some
                if (exact := score_answer(self._probe(answer), answer.answer)) != answer.exact
            ]
            judgements = await asyncio.gather(*(self._ask(*wanted) for wanted in self._missing(some)))
            self._desk.raise_if_stopped()
            if scores or judgements:
                part = SessionResults(judgements=tuple(judgements))
                self._writer.add(part, work=f"{SCORING} from answer {answers + 1}", scores=b"".join(scores))
            answers += len(some)
            rescored += len(scores)
            judged += len(judgements)
        return RescoreResult(answers=answers, rescored=rescored, judged=judged)

    async def _calibrate(self) -> None:
        """Have judge what judged no answers of known worth yet, or fewer than it is to."""
        judged: dict[tuple[str, str, str], int] = {}
        for c in raw_records(self._writer.folder, "calibrations"):
            judge = (c["judge"], c["version"], c["rubric"])
            judged[judge] = max(judged.get(judge, 0), sum(figures["cases"] for figures in c["labels"]))
        new = [
            judge
            for judge in self._judges
            if judged.get((judge.name, judge.version, judge.rubric.id), 0)
            < len(answers_for(judge.name, self._calibration).cases)
        ]
        made = await calibrate_all(new, repeats=self._repeats, most=self._calibration)
        self._desk.raise_if_stopped()
        if made:
            self._writer.add(SessionResults(calibrations=made), work=f"{SCORING}: calibration")

    def _missing(
        self, answers: Sequence[results.AnswerRecord]
    ) -> Iterator[tuple[results.AnswerRecord, Judge, int]]:
        for answer in answers:
            for judge in self._judges if isinstance(answer.answer, Answer) else ():
                for repeat in range(1 if judge.name == OFFLINE else self._repeats):
                    key = (answer.key, judge.name, judge.version, judge.rubric.id, repeat)
                    if key not in self._known:
                        yield answer, judge, repeat

    async def _ask(self, record: results.AnswerRecord, judge: Judge, repeat: int) -> results.JudgementRecord:
        assert isinstance(record.answer, Answer)
        case = JudgeCase(probe=self._probe(record), answer=record.answer)
        return replace(await judge_answer(judge, case, repeat), answer=record.key)

    def _probe(self, answer: results.AnswerRecord) -> Probe:
        return self._probes[f"{self._points[answer.result]}/{answer.probe}"]
