"""The worst answers of each method, of every kind of question by turns, with the texts that explain them."""

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, zip_longest

from tamis.evals.controls import is_control
from tamis.evals.hindsight import Hindsight, Need
from tamis.evals.judging.judge import Judgement
from tamis.evals.probing.exact_scorer import AnswerScore
from tamis.evals.probing.probes import PROBE_KINDS, Probe
from tamis.evals.probing.readers import Answer
from tamis.evals.rundir.results import AnswerRecord, JudgementRecord, PointRecord, Result, Run
from tamis.reports.excerpts import TextRange, around, excerpt, find_evidence, message_around, messages_in
from tamis.reports.figure_labels import Scope

POINTS = 3
"""How many points are shown of a method."""
EXCERPTS = 4
"""How many missing names of a point are shown in their text; the rest is counted."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Excerpt:
    """A missing name in the text that it stood in. `pieces` alternate: text, marked, text, marked ..."""

    need: Need
    message: str
    pieces: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class WorstPoint:
    """One method's result at one point, with what it lost."""

    point: PointRecord
    result: Result
    score: Hindsight
    excerpts: tuple[Excerpt, ...]
    unseen: tuple[Need, ...]


def reference_budget(scope: Scope) -> str:
    """The budget in the middle of those asked for: neither a trifle nor plenty."""
    return scope.budgets[(len(scope.budgets) - 1) // 2] if scope.budgets else ""


def worst_points(run: Run, method: str, budget: str, text_of: Callable[[str], str]) -> list[WorstPoint]:
    """The points where a method kept the least, with excerpts; those where all was kept are none."""
    points = {p.key: p for p in run.points}
    scored = [
        (r, r.score, points[r.point])
        for r in run.results
        if (r.method, r.budget, r.cycle) == (method, budget, 1)
        and isinstance(r.score, Hindsight)
        and r.score.missing
    ]
    scored.sort(key=lambda item: (item[1].recall, -len(item[1].missing), item[2].key))
    return [_with_excerpts(*item, text_of(item[2].span)) for item in scored[:POINTS]]


def by_badness(run: Run) -> list[PointRecord]:
    """All points, the one where methods kept the least on average first; unmeasured points last."""
    recalls: dict[str, list[float]] = {}
    for result in run.results:
        if result.cycle == 1 and isinstance(result.score, Hindsight) and not is_control(result.method):
            recalls.setdefault(result.point, []).append(result.score.recall)
    means = {key: sum(values) / len(values) for key, values in recalls.items()}
    return sorted(run.points, key=lambda p: (means.get(p.key, 2.0), p.key))


def _with_excerpts(result: Result, score: Hindsight, point: PointRecord, span: str) -> WorstPoint:
    missing = [n for n in point.needs if n.name in set(score.missing)]
    missing.sort(key=lambda n: (-n.uses, n.turn, n.name))
    marked = names_pattern(tuple(n.name for n in missing))
    shown: list[Excerpt] = []
    told: set[str] = set()
    for need in missing:
        if len(shown) < EXCERPTS and need.name not in told and (found := _excerpt(need, span, marked)):
            shown.append(found)
            told.update(found.pieces[1::2])
    unseen = tuple(n for n in missing if n.name not in told)
    return WorstPoint(point=point, result=result, score=score, excerpts=tuple(shown), unseen=unseen)


def _excerpt(need: Need, span: str, marked: re.Pattern[str]) -> Excerpt | None:
    """The place where the name stood last, since that is where the agent had it from."""
    places = list(names_pattern((need.name,)).finditer(span))
    if not places:
        return None  # it stood in a call's arguments, written with escapes
    at = places[-1].span()
    within, where = _message_at(span, at[0], (0, len(span)))
    shown = around(span, at, within)
    marks = (m.span() for m in marked.finditer(span, *shown))
    return Excerpt(need=need, message=where, pieces=excerpt(span, shown, within, marks))


def _message_at(text: str, at: int, within: TextRange) -> tuple[TextRange, str]:
    """How far the message goes that a place lies in, within limits, and what it is called."""
    message = message_around(text, at)
    if message is None:
        return within, ""
    ends = max(within[0], message.start), min(within[1], message.end)
    return ends, f"message {message.number}, {message.role}"


@lru_cache(maxsize=256)
def names_pattern(names: Sequence[str]) -> re.Pattern[str]:
    """Any of the names where it stands as itself, as `tamis.text.names.stands_in` has it."""
    return re.compile("|".join(_standing(n) for n in sorted(names, key=len, reverse=True)))


def _standing(name: str) -> str:
    before = r"(?<!\w)" if name[0].isalnum() or name[0] == "_" else ""
    after = r"(?!\w)" if name[-1].isalnum() or name[-1] == "_" else ""
    return f"{before}{re.escape(name)}{after}"


PASSAGES = 3
"""How many places with evidence are shown of a text, at most."""
SOURCES = 2
"""How many source messages are shown, at most."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MarkedPassage:
    """A piece of a text: the message it stands in; `pieces` alternate: text, marked, text, marked ..."""

    message: str
    pieces: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class WorstAnswer:
    """One answer: the question, what was expected, answered and said of it, and where the evidence stands.

    `evidence` are the places in the compacted context, `sources` those in the messages that prove the answer.
    """

    point: PointRecord
    result: Result
    probe: Probe
    answer: Answer
    reader: str
    score: AnswerScore
    held: float | None
    judgements: tuple[JudgementRecord, ...]
    evidence: tuple[MarkedPassage, ...]
    sources: tuple[MarkedPassage, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class WorstAnswers:
    """The worst answers of a method, out of `answers`, of which `wrong` do not count as answered."""

    shown: tuple[WorstAnswer, ...]
    answers: int
    wrong: int


_Ranked = tuple[float, float, str, AnswerRecord]
"""Worst last, so that the best of a full heap stands first: score, share held, key, answer."""


def worst_answers(
    run: Run, methods: Collection[str], budget: str, text_of: Callable[[str], str], *, most: int
) -> dict[str, WorstAnswers]:
    """The `most` worst answers of each method at a budget after the first cycle; none where none was asked.

    The lowest scores first; of equal ones those of which the least stands in the context.
    """
    if not len(run.answers):
        return {}
    results = {r.key: r for r in run.results if r.cycle == 1 and r.budget == budget and r.method in methods}
    probes = {probe.key: probe.probe for probe in run.probes}
    ranked, counts = _rank(run, results, probes, most)
    measured = [method for method in methods if counts[method, "answers"]]
    chosen = {method: list(islice(_by_turns(ranked, method), most)) for method in measured}
    judgements = _judgements(run, {answer.key for of_method in chosen.values() for answer in of_method})
    show = _Showing(points={p.key: p for p in run.points}, results=results, probes=probes, text_of=text_of)
    return {
        method: WorstAnswers(
            shown=tuple(show(answer, judgements.get(answer.key, ())) for answer in answers),
            answers=counts[method, "answers"],
            wrong=counts[method, "wrong"],
        )
        for method, answers in chosen.items()
    }


def _rank(
    run: Run, results: Mapping[str, Result], probes: Mapping[str, Probe], most: int
) -> tuple[dict[tuple[str, str], list[_Ranked]], Counter[tuple[str, str]]]:
    """The worst answers by method and kind of question, and how many there are."""
    heaps: dict[tuple[str, str], list[_Ranked]] = defaultdict(list)
    counts: Counter[tuple[str, str]] = Counter()
    for answer in run.answers:
        result = results.get(answer.result)
        if result is None or not isinstance(answer.exact, AnswerScore):
            continue
        counts[result.method, "answers"] += 1
        if answer.exact.is_answered:
            continue
        counts[result.method, "wrong"] += 1
        heap = heaps[result.method, probes[f"{result.point}/{answer.probe}"].kind]
        entry = (-answer.exact.value, -(answer.held or 0.0), answer.key, answer)
        (heapq.heappush if len(heap) < most else heapq.heappushpop)(heap, entry)
    return heaps, counts


def _by_turns(ranked: Mapping[tuple[str, str], list[_Ranked]], method: str) -> Iterator[AnswerRecord]:
    """The answers of a method, the worst of each kind, then the second worst of each."""
    of_kinds = [sorted(ranked.get((method, kind), ()), reverse=True) for kind in PROBE_KINDS]
    return (entry[-1] for entry in chain.from_iterable(zip_longest(*of_kinds)) if entry is not None)


def _judgements(run: Run, answers: Collection[str]) -> dict[str, list[JudgementRecord]]:
    found: dict[str, list[JudgementRecord]] = defaultdict(list)
    if answers:
        for judgement in run.judgements:
            if judgement.answer in answers and judgement.repeat == 0:
                found[judgement.answer].append(judgement)
    return found


@dataclass(frozen=True, kw_only=True)
class _Showing:
    points: Mapping[str, PointRecord]
    results: Mapping[str, Result]
    probes: Mapping[str, Probe]
    text_of: Callable[[str], str]

    def __call__(self, record: AnswerRecord, judgements: Iterable[JudgementRecord]) -> WorstAnswer:
        assert isinstance(record.answer, Answer)  # it has a score
        assert isinstance(record.exact, AnswerScore)
        result = self.results[record.result]
        point = self.points[result.point]
        probe = self.probes[f"{point.key}/{record.probe}"]
        context = self.text_of(result.context) if result.context else ""
        return WorstAnswer(
            point=point,
            result=result,
            probe=probe,
            answer=record.answer,
            reader=record.reader,
            score=record.exact,
            held=record.held,
            judgements=tuple(j for j in judgements if isinstance(j.judgement, Judgement)),
            evidence=tuple(passages(context, find_evidence(probe.expected, context), (0, len(context)))),
            sources=tuple(_sources(probe, self.text_of(point.span))),
        )


def _sources(probe: Probe, span: str) -> Iterator[MarkedPassage]:
    named = (message for message in messages_in(span) if message.id in probe.sources)
    for message in islice(named, SOURCES):
        start, end = message.start, message.end
        found = [(start + a, start + b) for a, b in find_evidence(probe.expected, span[start:end])]
        yield from islice(passages(span, found or [(start, start)], (start, end)), 1)


def passages(text: str, places: Iterable[TextRange], within: TextRange) -> Iterator[MarkedPassage]:
    """The first places in their lines, those that lie in the same lines together."""
    waiting = list(places)
    for _ in range(PASSAGES):
        if not waiting:
            return
        limits, where = _message_at(text, waiting[0][0], within)
        start, end = around(text, waiting[0], limits)
        inside = [place for place in waiting if start <= place[0] and place[1] <= end]
        inside = inside or waiting[:1]
        end = max(end, inside[-1][1])
        yield MarkedPassage(message=where, pieces=excerpt(text, (start, end), limits, inside))
        waiting = waiting[len(inside) :]
