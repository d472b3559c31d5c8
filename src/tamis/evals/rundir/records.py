"""Records as lines of JSON, and back. What is long, or said again and again, stands in the texts.

An answer and a judgement are written as the key of a text that holds them as JSON; why there is none, as it
is. How long a compaction took goes to a file of its own: it is all that differs between two runs of the same
input.
"""

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from tamis.errors import UnreadableFile
from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.calibration import Calibration
from tamis.evals.judging.judge import Judgement
from tamis.evals.probing.exact_scorer import AnswerScore
from tamis.evals.probing.readers import Answer
from tamis.evals.rundir import results
from tamis.evals.rundir.text_store import Texts, broken_run, pack

T = TypeVar("T")


class TextsByKey(Protocol):
    """The texts of a run: `Texts`, or a dictionary."""

    def __getitem__(self, key: str, /) -> str: ...


SETTINGS = TypeAdapter(results.Settings)
_RESULT = TypeAdapter(results.Result)
_ADAPTERS: dict[str, TypeAdapter[Any]] = {
    "points": TypeAdapter(results.PointRecord),
    "probes": TypeAdapter(results.ProbeRecord),
    "results": _RESULT,
    "answers": TypeAdapter(results.AnswerRecord),
    "judgements": TypeAdapter(results.JudgementRecord),
    "calibrations": TypeAdapter(Calibration),
    "likelihoods": TypeAdapter(results.LikelihoodRecord),
    "next_actions": TypeAdapter(results.NextActionRecord),
    "skipped": TypeAdapter(results.SkippedInput),
}
JUDGEMENT = TypeAdapter(Judgement)
_EXACT: TypeAdapter[AnswerScore | NotMeasured] = TypeAdapter(AnswerScore | NotMeasured)
_SAID: dict[str, tuple[str, TypeAdapter[Any]]] = {
    "answers": ("answer", TypeAdapter(Answer)),
    "judgements": ("judgement", JUDGEMENT),
}
"""Which field of a record is kept as a text."""


def encode(part: results.SessionResults) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The lines of each file, and the packed texts by key."""
    texts = {key: pack(text) for key, text in part.texts.items()}
    untimed = replace(part, results=tuple(replace(result, latency_ms=0.0) for result in part.results))
    lines = {
        name: b"".join(_line(name, record, texts) + b"\n" for record in getattr(untimed, name))
        for name in results.RECORDS
    }
    lines["timings"] = b"".join(_timing(result) + b"\n" for result in part.results)
    return lines, texts


def _line(name: str, record: Any, texts: dict[str, bytes]) -> bytes:
    if name not in _SAID:
        return _ADAPTERS[name].dump_json(record)
    field, adapter = _SAID[name]
    said = getattr(record, field)
    if isinstance(said, NotMeasured):
        return _ADAPTERS[name].dump_json(record)
    text = _as_text(adapter, said)
    key = results.digest(text)
    if key not in texts:
        texts[key] = pack(text)
    data = _ADAPTERS[name].dump_python(record, mode="json", exclude={field})
    return json.dumps({**data, field: key}, ensure_ascii=False, separators=(",", ":")).encode()


@lru_cache(maxsize=10_000)
def _as_text(adapter: TypeAdapter[Any], said: Any) -> str:
    return adapter.dump_json(said).decode()


def _timing(result: results.Result) -> bytes:
    """Always as many bytes, so that the journal, which holds the length of the file, is always the same."""
    return f'{{"result": "{result.key}", "latency_ms": {result.latency_ms:14.3f}}}'.encode()


@dataclass(frozen=True, eq=False)
class RecordLines(Collection[T], Generic[T]):
    """The records in a file of a run, read anew each time they are gone through."""

    folder: Path
    name: str

    def __iter__(self) -> Iterator[T]:
        if self.name == "results":
            return _results(self.folder)
        if self.name in _SAID:
            return _said_records(self.folder, self.name)
        return _parsed(self.folder, self.name, _ADAPTERS[self.name].validate_json)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, record: object) -> bool:
        return any(record == found for found in self)

    @cached_property
    def _count(self) -> int:
        with (self.folder / f"{self.name}.jsonl").open("rb") as file:
            return sum(1 for _ in file)


def raw_records(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """The lines of a file as plain values, without the texts that they name: quick to go through.

    Raises:
        UnreadableFile: a line is no JSON.
    """
    scores = raw_records(folder, "scores") if name == "answers" else ()
    rescored = {score["answer"]: score["exact"] for score in scores}  # of several the newest
    for data in _parsed(folder, name, from_json):
        if rescored:
            key = results.answer_key(data["result"], data["probe"], data["reader"])
            data["exact"] = rescored.get(key, data["exact"])
        yield data


def _parsed(folder: Path, name: str, parse: Callable[[bytes], T]) -> Iterator[T]:
    with (folder / f"{name}.jsonl").open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                made = parse(line)
            except ValueError as error:
                raise _broken_line(folder, name, number, error) from None
            yield made


def raw_of(records: Collection[Any], name: str) -> Iterator[dict[str, Any]]:
    """The records of a run as plain values, whether it was read from a folder or is at hand."""
    if isinstance(records, RecordLines):
        return raw_records(records.folder, name)
    return (_ADAPTERS[name].dump_python(record, mode="json") for record in records)


def score_line(answer: str, exact: AnswerScore | NotMeasured) -> bytes:
    """A line of `scores.jsonl`: what is said of an answer by now."""
    return b'{"answer":"%s","exact":%s}\n' % (answer.encode(), _EXACT.dump_json(exact))


def _results(folder: Path) -> Iterator[Any]:
    found, timings = _parsed(folder, "results", _RESULT.validate_json), raw_records(folder, "timings")
    for result, timing in zip(found, timings, strict=False):
        yield replace(result, latency_ms=timing["latency_ms"])


def _said_records(folder: Path, name: str) -> Iterator[Any]:
    with closing(Texts(folder)) as texts:
        yield from read_said(folder, name, texts)


def read_said(folder: Path, name: str, texts: TextsByKey) -> Iterator[Any]:
    """Answers or judgements, with what they say from `texts`.

    Raises:
        UnreadableFile: a line is none, or its text is gone.
    """
    field, adapter = _SAID[name]
    for number, data in enumerate(raw_records(folder, name), 1):
        try:
            if isinstance(data[field], str):
                data[field] = adapter.validate_json(texts[data[field]])
            yield _ADAPTERS[name].validate_python(data)
        except (KeyError, ValidationError) as error:
            raise _broken_line(folder, name, number, error) from None


def _broken_line(folder: Path, name: str, number: int, error: Exception) -> UnreadableFile:
    return broken_run(folder, f"{name}.jsonl, line {number}: {str(error).splitlines()[0]}")
