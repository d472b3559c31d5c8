"""One answer or one context in full, read from the run directory when it is opened."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tamis.evals.hindsight import Hindsight
from tamis.evals.judging.judge import Judgement, dimension_scores, overall
from tamis.evals.judging.rubric import kept_rubrics, load_rubric
from tamis.evals.probing.readers import Answer
from tamis.evals.rundir.results import PointRecord, ProbeRecord, Result
from tamis.evals.rundir.text_store import Texts
from tamis.reports.excerpts import TextRange, alternate, apart, find_evidence, messages_in
from tamis.reports.view.run_index import line_at
from tamis.reports.worst_answers import names_pattern

_POINT, _PROBE, _RESULT = TypeAdapter(PointRecord), TypeAdapter(ProbeRecord), TypeAdapter(Result)
_ANSWER, _JUDGEMENT = TypeAdapter(Answer), TypeAdapter(Judgement)


class NotInRun(LookupError):
    """What was asked for is not in the run."""


@dataclass(frozen=True, kw_only=True)
class OpenRun:
    """A run, the index over it and its texts, for as long as one request takes."""

    number: int
    folder: Path
    index: sqlite3.Connection
    texts: Texts

    def answer(self, key: str) -> dict[str, Any]:
        """An answer with its question, its scores, the context it was given from, and the source messages."""
        row = self._row("answers", key)
        point = self._point(row["point"])
        (at,) = self.index.execute(
            "SELECT offset FROM probes WHERE run = ? AND point = ? AND id = ?",
            (self.number, row["point"], row["probe"]),
        ).fetchone()
        probe = _PROBE.validate_json(line_at(self.folder, "probes", at)).probe
        result = self._result(row["result"])
        context = self.texts[result.context] if result.context else ""
        span = self.texts[point.span]
        said = _ANSWER.validate_json(self.texts[row["said"]]) if row["said"] else None

        def marks(text: str) -> list[TextRange]:
            return find_evidence(probe.expected, text)

        return {
            "question": probe.question,
            "kind": probe.kind,
            "expected": [item.value for item in probe.expected],
            "closed": probe.closed,
            "superseded": [item.value for item in probe.superseded],
            "place": _place(point),
            "arm": _arm(result),
            "reader": row["reader"],
            "answer": said.text if said else None,
            "declined": bool(said and said.declined),
            "unsaid": row["unsaid"],
            "score": row["score"],
            "reason": row["reason"],
            "held": row["held"],
            "judgements": list(self._judgements(key)),
            "context": _marked_messages(context, marks),
            "sources": _marked_messages(span, marks, only=probe.sources),
            "prompt": self.texts[row["prompt"]] if row["prompt"] else None,
            "reply": self.texts[row["reply"]] if row["reply"] else None,
        }

    def context(self, key: str) -> dict[str, Any]:
        """A context with the names that were needed, found and missing, and the span that it stands for."""
        result = self._result(key)
        point = self._point(result.point)
        later = next((cut for cut in point.later if cut.cycle == result.cycle), None)
        needs = later.needs if later else point.needs
        span = self.texts[later.new if later else point.span]
        score = result.score if isinstance(result.score, Hindsight) else None
        missing = set(score.missing) if score else set()
        pattern = names_pattern(tuple(need.name for need in needs))

        def marks(text: str) -> list[TextRange]:
            return apart(match.span() for match in pattern.finditer(text)) if needs else []

        context = self.texts[result.context] if result.context else ""
        return {
            "place": _place(point),
            "arm": _arm(result),
            "recall": score.recall if score else None,
            "regret": score.regret_rate if score else None,
            "reason": None if isinstance(result.score, Hindsight) else result.score.reason,
            "warnings": result.warnings,
            "needs": [
                {
                    "name": need.name,
                    "kind": need.kind,
                    "uses": need.uses,
                    "state": "unknown" if not score else "missing" if need.name in missing else "found",
                }
                for need in needs
            ],
            "context": _marked_messages(context, marks),
            "span": _marked_messages(span, marks),
            "span_is": "what came since the cycle before" if later else "span",
        }

    def _row(self, table: str, key: str) -> Mapping[str, Any]:
        found = self.index.execute(f"SELECT * FROM {table} WHERE run = ? AND key = ?", (self.number, key))
        row = found.fetchone()
        if row is None:
            raise NotInRun(f"the run has no such record in {table}: {key}")
        return dict(zip((column[0] for column in found.description), row, strict=True))

    def _point(self, key: str) -> PointRecord:
        return _POINT.validate_json(line_at(self.folder, "points", self._row("points", key)["offset"]))

    def _result(self, key: str) -> Result:
        return _RESULT.validate_json(line_at(self.folder, "results", self._row("results", key)["offset"]))

    def _judgements(self, answer: str) -> Iterator[dict[str, Any]]:
        rubrics = {rubric.id: rubric for rubric in (load_rubric(), *kept_rubrics(self.folder))}
        found = self.index.execute(
            "SELECT judge, rubric, repeat, said, unsaid FROM judgements WHERE run = ? AND answer = ?"
            " ORDER BY judge, rubric, repeat",
            (self.number, answer),
        )
        for judge, rubric, repeat, said, unsaid in found:
            judgement = _JUDGEMENT.validate_json(self.texts[said]) if said else None
            scores = dimension_scores(rubrics[rubric], judgement) if judgement and rubric in rubrics else {}
            yield {
                "judge": judge,
                "rubric": rubric,
                "repeat": repeat,
                "unsaid": unsaid,
                "overall": overall(scores),
                "results": [asdict(r) for r in (judgement.results if judgement else ())],
            }


def _place(point: PointRecord) -> dict[str, Any]:
    return {
        "set": point.set,
        "session": point.session_id,
        "source": point.source,
        "label": point.label,
        "tokens": point.span_tokens,
        "turns": point.turns_after,
    }


def _arm(result: Result) -> dict[str, Any]:
    return {
        "method": result.method,
        "budget": result.budget,
        "cycle": result.cycle,
        "before": result.tokens_before,
        "after": result.tokens_after,
        "outcome": result.outcome,
    }


def _marked_messages(
    text: str, marks: Callable[[str], Sequence[TextRange]], *, only: Collection[str] | None = None
) -> list[dict[str, Any]]:
    """The messages of a transcript, or some of them by id, in pieces: text, marked, text, marked ..."""
    found = list(messages_in(text))
    if not found and text and only is None:
        return [{"title": "", "role": "", "pieces": list(alternate(text, marks(text)))}]
    told = []
    for message in found:
        if only is None or message.id in only:
            body = text[message.start : message.end].rstrip()
            title = f"{message.number} · {message.role}"
            told.append({"title": title, "role": message.role, "pieces": list(alternate(body, marks(body)))})
    return told
