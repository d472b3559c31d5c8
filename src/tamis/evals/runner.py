"""Running an evaluation: every method at every budget at every point of every session.

What was needed at a point is worked out once, whatever the number of methods. A method that fails is a
`Failure` in the results, a session that cannot be read is `Skipped`; the rest goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from pathlib import Path

from tamis.compactors import Compaction, CompactionRequest, Compactor, get_method, parse_budget, run_compactor
from tamis.errors import BadBudget, TamisError
from tamis.evals.hindsight import (
    Hindsight,
    Needs,
    NotMeasured,
    RememberedNames,
    needed_names,
    score_hindsight,
)
from tamis.evals.points import At, NoPoint, Point, find_points
from tamis.evals.results import Failure, PointRecord, Result, SessionResults, Settings, Skipped, digest
from tamis.evals.transcript import transcript
from tamis.evals.workers import workers
from tamis.messages import Counter, Session, count_messages, get_counter
from tamis.sessions import read_all

UNBOUND = frozenset({"full"})
"""Control arms that take nothing out, whatever the budget: the upper end that scores are read against."""

OWN_BUDGET = "own"
"""The budget that says: as many tokens as the agent's own summary took at this point."""


def evaluate_paths(
    files: Sequence[tuple[str, Path]], settings: Settings, *, jobs: int = 1
) -> Iterator[tuple[Path, SessionResults]]:
    """Measure the sessions of many files, each as soon as it is done, in no particular order.

    Args:
        files: pairs of a set's name (sessions of one set are averaged together) and a session file.
        settings: methods, budgets, points.
        jobs: worker processes; with 1 nothing is spawned.
    """
    if jobs == 1:
        for set_name, path in files:
            yield path, evaluate_file(path, settings, set_name=set_name)
        return
    with workers(jobs) as pool:
        waiting = {pool.submit(evaluate_file, p, settings, set_name=name): p for name, p in files}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def evaluate_file(path: Path, settings: Settings, *, set_name: str) -> SessionResults:
    """Measure every session in a file; one that cannot be read comes back as skipped, with the reason."""
    parts: list[SessionResults] = []
    try:
        parts.extend(
            evaluate_session(session, settings, source=str(path), set_name=set_name)
            for session in read_all(path)
        )
    except TamisError as error:
        parts.append(SessionResults(skipped=(Skipped(source=str(path), what=path.name, reason=str(error)),)))
    return merge(parts)


def merge(parts: Sequence[SessionResults]) -> SessionResults:
    """Several sessions' results as one."""
    return SessionResults(
        sessions=sum(p.sessions for p in parts),
        messages=sum(p.messages for p in parts),
        points=tuple(x for p in parts for x in p.points),
        results=tuple(x for p in parts for x in p.results),
        skipped=tuple(x for p in parts for x in p.skipped),
        texts={key: text for p in parts for key, text in p.texts.items()},
    )


def evaluate_session(session: Session, settings: Settings, *, source: str, set_name: str) -> SessionResults:
    """Measure every method at every budget at every point of one session."""
    counter = get_counter(settings.tokenizer)
    methods = [get_method(name) for name in settings.methods]
    names_of = RememberedNames()
    points: list[PointRecord] = []
    results: list[Result] = []
    skipped: list[Skipped] = []
    texts: dict[str, str] = {}
    for point in find_points(session, [At.parse(at) for at in settings.at], counter):
        if isinstance(point, NoPoint):
            what = f"{point.session_id} at {point.label}"
            skipped.append(Skipped(source=source, what=what, reason=point.reason))
            continue
        needs = needed_names(point, names_of)
        span_text = transcript(point.span)
        record = PointRecord(
            key=digest(f"{source}\0{session.id}\0{point.label}"),
            set=set_name,
            source=source,
            session_id=session.id,
            cluster=f"{set_name}/{point.cluster}",
            label=point.label,
            cut=point.cut,
            span_tokens=point.span_tokens,
            turns_after=needs.turns,
            needs=needs.needs,
            span=digest(span_text),
        )
        texts[record.span] = span_text
        points.append(record)
        trial = _Trial(
            point=point,
            key=record.key,
            needs=needs,
            span_tokens=tuple(count_messages(point.span, counter)),
            counter=counter,
        )
        for budget in settings.budgets:
            for method in methods:
                result, text = trial.run(method, budget)
                results.append(result)
                if result.context is not None:
                    texts[result.context] = text
    return SessionResults(
        sessions=1,
        messages=len(session.messages),
        points=tuple(points),
        results=tuple(results),
        skipped=tuple(skipped),
        texts=texts,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Trial:
    """One point, ready for any method at any budget."""

    point: Point
    key: str
    needs: Needs
    span_tokens: tuple[int, ...]
    counter: Counter

    def run(self, method: Compactor, budget: str) -> tuple[Result, str]:
        """The result, and the text of the context where there is one."""
        blank = Result(
            point=self.key,
            method=method.name,
            version=method.version,
            budget=budget,
            budget_tokens=0,
            tokens_before=self.point.span_tokens,
            tokens_after=self.point.span_tokens,
            outcome="failed",
            score=NotMeasured(reason=""),
        )
        try:
            budget_tokens = self._budget(budget) if method.name not in UNBOUND else self.point.span_tokens
        except BadBudget as error:
            return replace(blank, score=NotMeasured(reason=str(error))), ""
        request = CompactionRequest(
            span=self.point.span,
            budget_tokens=budget_tokens,
            counter=self.counter,
            counts=self.span_tokens,
            recorded=self.point.recorded,
        )
        try:
            made = run_compactor(method, request)
        except Exception as error:  # a plug-in's call: what it raises is its failure, and the run goes on
            failure = Failure(reason=f"{type(error).__name__}: {error}")
            return replace(blank, budget_tokens=budget_tokens, score=failure), ""
        text = transcript(made.messages)
        result = replace(
            blank,
            budget_tokens=budget_tokens,
            tokens_after=made.tokens_after,
            outcome=made.outcome,
            score=self._score(made),
            warnings=made.warnings,
            latency_ms=made.latency_ms,
            context=digest(text),
        )
        return result, text

    def _budget(self, budget: str) -> int:
        if budget != OWN_BUDGET:
            return parse_budget(budget).resolve(self.point.span_tokens)
        if self.point.recorded is None:
            raise BadBudget("the agent made no summary here, so it gives no budget")
        return count_messages([self.point.recorded], self.counter)[0]

    def _score(self, made: Compaction) -> Hindsight | NotMeasured:
        if made.outcome == "unmet":
            return NotMeasured(reason=f"budget not met: {'; '.join(made.warnings)}")
        if not made.readable:
            return NotMeasured(reason="what the provider made of the span cannot be read")
        return score_hindsight(
            self.needs,
            made.messages,
            context_tokens=made.tokens_after,
            span_tokens=self.span_tokens,
        )
