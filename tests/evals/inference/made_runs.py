"""Runs written down by hand: which method got what, at which point of which session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tamis.evals import (
    Answer,
    AnswerScore,
    Expected,
    Failure,
    Hindsight,
    NotMeasured,
    PointRecord,
    Probe,
    ProbeKind,
    Result,
    Run,
    SessionResults,
    Settings,
    write_run,
)
from tamis.evals.hindsight import KindScore
from tamis.evals.judging.judge import CriterionResult, Judgement
from tamis.evals.rundir.results import AnswerRecord, JudgementRecord, ProbeRecord

Recalls = Mapping[str, Sequence[float | None]]
"""By method, its recall at each point; None where the method failed."""


def point(
    number: int, *, cluster: str | None = None, span_tokens: int = 20_000, set_: str = "set"
) -> PointRecord:
    return PointRecord(
        key=f"p{number:03}",
        set=set_,
        source=f"{number}.jsonl",
        session_id=f"session-{number}",
        cluster=cluster or f"{set_}/session-{number}",
        label="50%",
        cut=10,
        span_tokens=span_tokens,
        turns_after=10,
        needs=(),
        span=f"{number:024}",
    )


def scored(recall: float, *, regret: float = 0.0, carried: int = 1_000) -> Hindsight:
    return Hindsight(
        recall=recall,
        weighted_recall=recall,
        regret_rate=regret,
        refetch_tokens=0,
        carried_tokens=carried,
        cached_tokens=0,
        by_kind={},
        missing=(),
    )


def result(
    at: PointRecord,
    method: str,
    recall: float | None,
    *,
    budget: str = "5%",
    tokens: int = 1_000,
    cycle: int = 1,
    lasting: tuple[int, int] | None = None,
) -> Result:
    return Result(
        point=at.key,
        method=method,
        version="1",
        budget=budget,
        budget_tokens=tokens,
        tokens_before=at.span_tokens,
        tokens_after=tokens,
        outcome="failed" if recall is None else "fits",
        score=Failure(reason="out of luck") if recall is None else scored(recall),
        cycle=cycle,
        lasting=None if lasting is None else {"path": KindScore(needed=lasting[0], found=lasting[1])},
    )


def made(points: Sequence[PointRecord], results: Sequence[Result]) -> Run:
    methods = tuple(dict.fromkeys(r.method for r in results))
    budgets = tuple(dict.fromkeys(r.budget for r in results))
    return Run(
        tamis="0",
        settings=Settings(methods=methods, budgets=budgets),
        exact_tokens=True,
        sessions=len(points),
        messages=20 * len(points),
        points=tuple(points),
        results=tuple(results),
        skipped=(),
    )


def run_of(recalls: Recalls, *, per_session: int = 1) -> Run:
    """One budget; `per_session` points that follow each other are of one session."""
    many = max(map(len, recalls.values()))
    points = [point(i, cluster=f"set/{i // per_session}") for i in range(many)]
    return made(
        points, [result(points[i], method, r) for method, rs in recalls.items() for i, r in enumerate(rs)]
    )


def asked(
    run: Run, answers: Mapping[str, Mapping[ProbeKind, float | None]], *, reader: str = "lexical"
) -> Run:
    """The run with a probe of each kind at every point, answered by every result of a method alike."""
    kinds = list(dict.fromkeys(kind for scores in answers.values() for kind in scores))
    probes = [
        ProbeRecord(
            point=p.key,
            probe=Probe(
                id=f"{kind}-1",
                kind=kind,
                question="Which?",
                expected=(Expected(type="text", value="this one"),),
            ),
        )
        for p in run.points
        for kind in kinds
    ]
    records = [
        AnswerRecord(
            result=r.key,
            probe=f"{kind}-1",
            reader=reader,
            reader_version="1",
            answer=Answer(text="This."),
            exact=NotMeasured(reason="no answer") if value is None else AnswerScore(value=value, reason=""),
            held=None,
        )
        for r in run.results
        for kind, value in answers.get(r.method, {}).items()
    ]
    return replace(run, probes=tuple(probes), answers=(*run.answers, *records))


def judged(run: Run, scores: Mapping[str, float], *, rubric: str, judge: str = "offline") -> Run:
    """The run with every answer judged alike, by criterion."""
    judgement = Judgement(
        results=tuple(CriterionResult(criterion=c, score=s, reasoning="") for c, s in scores.items())
    )
    records = tuple(
        JudgementRecord(
            answer=a.key, judge=judge, judge_version="1", rubric=rubric, repeat=0, judgement=judgement
        )
        for a in run.answers
    )
    return replace(run, judgements=records)


def kept(run: Run, folder: Path) -> Path:
    """The run as a directory."""
    part = SessionResults(
        sessions=run.sessions,
        messages=run.messages,
        points=tuple(run.points),
        probes=tuple(run.probes),
        results=tuple(run.results),
        answers=tuple(run.answers),
        judgements=tuple(run.judgements),
    )
    with write_run(folder, run.settings) as writer:
        writer.add(part)
    return folder
