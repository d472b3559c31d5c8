"""The exact scorer: what an answer is worth, told without a model.

Each expected item is looked for by its type and gives a credit from 0 to 1. A closed list is scored by
precision and recall (F1), anything else by the mean credit, less what was superseded and yet is given as if
it held. What no reader answered is `NotMeasured`, never a zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tamis.evals.hindsight import NotMeasured
from tamis.evals.probing.probes import Expected, Probe
from tamis.evals.probing.quantities import find_quantities
from tamis.evals.probing.readers import Answer
from tamis.ledger.names import names_in, stands_in
from tamis.ledger.paths import looks_like_file, same_file
from tamis.ledger.sentences import split_sentences
from tamis.ledger.subjects import key_words

ANSWERED_FROM = 0.5
"""The score from which a question counts as answered."""

MAX_PATH_CHARS = 400

_BEFORE_NAME = re.compile(r"[\w./~@+%$:\\-]*\Z")
_PATH_GOES_ON = re.compile(r"[\w@+%$-]|[./\\](?=\w)")
_CLAUSE_END = re.compile(r"[.;:!?。；！？](?=\s|$)|\n|,\s|\bbut\b|，|但")
_DENIES = re.compile(
    r"\b(?:not|never|no longer|don't|doesn't|isn't|wasn't|mustn't|cannot|can't|without|avoid|instead of"
    r"|rather than|formerly|previously|forbidden|must not|do not|no)\b|不|别|禁止|勿|n['’]t\b",
    re.IGNORECASE,
)
_NOT_THIS = re.compile(
    r"(?:\b(?:not|never|no longer|instead of|rather than|formerly|previously)|n['’]t|不是|不再|而不是|不)"
    r"(?:\s+\w+){0,2}[\s`'\"]*$",
    re.IGNORECASE,
)
"""Ends right before what it denies, or a word or two before: `not port 80`, but not `not found: a.py`."""

_GONE = re.compile(
    r"\b(?:superseded|replaced|obsolete|outdated|until then|any ?more"
    r"|(?:no longer|formerly|previously)(?!\s+[`'\"]?[\w./-]*[\d_./]))\b",
    re.IGNORECASE,
)
"""Says of what stands before it that it is gone; `no longer 3.7.0` says it of what stands behind."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerScore:
    """What an answer is worth, from 0 to 1, and why."""

    value: float
    reason: str

    @property
    def is_answered(self) -> bool:
        """Whether the question counts as answered."""
        return self.value >= ANSWERED_FROM


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemCredits:
    """What a text earns for each expected item, in their order, and what it gets wrong.

    `stale` are superseded values that it gives as if they held. `others` are names that do not belong in a
    list that is complete.
    """

    earned: tuple[float, ...]
    stale: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def wrong(self) -> tuple[str, ...]:
        """All that is given and does not hold."""
        return self.stale + self.others


def credit_items(probe: Probe, text: str) -> ItemCredits:
    """Credit each item that the probe expects on its own."""
    asked = key_words(probe.question)
    return ItemCredits(
        earned=tuple(credit(item, text, asked) for item in probe.expected),
        stale=tuple(item.value for item in probe.superseded if _asserts(item, text)),
        others=tuple(other_names(probe, text)) if probe.closed else (),
    )


def score_answer(probe: Probe, answer: Answer | NotMeasured) -> AnswerScore | NotMeasured:
    """Score an answer against what the probe expects.

    >>> probe = Probe(id="p", kind="recall", question="?", expected=(Expected(type="number", value="8080"),))
    >>> score_answer(probe, Answer(text="It listens on 8080.")).value
    1.0
    """
    if isinstance(answer, NotMeasured):
        return answer
    if not probe.expected:
        reason = "declined, as it should be" if answer.declined else "answered what the span does not tell"
        return AnswerScore(value=float(answer.declined), reason=reason)
    if answer.declined:
        return AnswerScore(value=0.0, reason="declined")
    found = credit_items(probe, answer.text)
    earned, wrong = found.earned, found.wrong
    missing = [i.value for i, c in zip(probe.expected, earned, strict=True) if c < ANSWERED_FROM]
    value = _f1(earned, len(wrong)) if probe.closed else max(0.0, sum(earned) - len(wrong)) / len(earned)
    return AnswerScore(value=value, reason=_reason(len(earned), missing, wrong))


def credit(item: Expected, text: str, asked: frozenset[str] = frozenset()) -> float:
    """How far the text holds the item; words that the question gave away (`asked`) earn nothing."""
    if item.type == "text":
        return _text_credit(item, text, asked)
    return float(any(not _is_denied(text, start, end) for start, end in _places(item, text)))


def _f1(earned: Sequence[float], wrong: int) -> float:
    right = sum(earned)
    if not right:
        return 0.0
    precision, recall = right / (right + wrong), right / len(earned)
    return 2 * precision * recall / (precision + recall)


def _reason(expected: int, missing: Sequence[str], wrong: Sequence[str]) -> str:
    parts = [f"{expected - len(missing)} of {expected} found"]
    for what, values in (("missing", missing), ("wrong", wrong)):
        if values:
            more = f" and {len(values) - 3} more" if len(values) > 3 else ""
            parts.append(f"{what}: {'; '.join(v[:80] for v in values[:3])}{more}")
    return "; ".join(parts)


def _places(item: Expected, text: str) -> list[tuple[int, int]]:
    """Where the item stands in the text."""
    if item.type == "path":
        return list(_path_places(item.value, text))
    if item.type == "number":
        wanted = next(find_quantities(item.value), None)
        if wanted is not None:
            return [(q.start, q.end) for q in find_quantities(text) if q.same_as(wanted)]
    found = []
    at = text.find(item.value)
    while at >= 0:
        end = at + len(item.value)
        if stands_in(item.value, text[max(0, at - 1) : end + 1]):
            found.append((at, end))
        at = text.find(item.value, at + 1)
    return found


def _path_places(path: str, text: str) -> Iterator[tuple[int, int]]:
    """Where the path or the end of it stands: around each place of its last part."""
    name = path.rstrip("/").rpartition("/")[2]
    at = text.find(name) if name else -1
    while at >= 0:
        end = at + len(name)
        before = _BEFORE_NAME.search(text, max(0, at - MAX_PATH_CHARS), at)
        start = before.start() if before else at
        if not _PATH_GOES_ON.match(text, end) and same_file(text[start:end], path):
            yield start, end
        at = text.find(name, end)


def _asserts(item: Expected, text: str) -> bool:
    """Whether the text gives the item as if it held."""
    if item.type == "text":
        return any(
            not _GONE.search(sentence) and _text_credit(item, sentence, frozenset()) == 1.0
            for sentence in _sentences(text)
        )
    return any(not _is_denied(text, start, end) for start, end in _places(item, text))


def _is_denied(text: str, start: int, end: int) -> bool:
    """Whether the clause around a place says that it does not hold: `not 80`, `80 (replaced)`."""
    begin = max((m.end() for m in _CLAUSE_END.finditer(text, 0, start)), default=0)
    stop = _CLAUSE_END.search(text, end)
    after = text[end : stop.start() if stop else len(text)]
    return bool(_NOT_THIS.search(text[begin:start]) or _GONE.search(after))


def _text_credit(item: Expected, text: str, asked: frozenset[str]) -> float:
    """1 where the text stands there whole, else the share of its telling words in the best sentence.

    A prohibition without its "never", or the other way round, says the opposite and earns nothing.
    """
    whole, told = " ".join(item.value.split()), " ".join(text.split())
    at = told.find(whole)
    if at >= 0 and not _is_denied(told, at, at + len(whole)):
        return 1.0
    words = key_words(item.value) - asked
    if not words:
        return 0.0
    denies = bool(_DENIES.search(item.value))
    return max(
        (
            len(words & _words_of(sentence)) / len(words)
            for sentence in _sentences(text)
            if not _is_rule(item) or denies == bool(_DENIES.search(sentence))
        ),
        default=0.0,
    )


@lru_cache(maxsize=1 << 14)
def _words_of(sentence: str) -> frozenset[str]:
    """The telling words of a sentence: one is looked at for many questions."""
    return key_words(sentence)


def _is_rule(item: Expected) -> bool:
    """Whether leaving out or adding a "not" turns the text around: it does in what must be done or not."""
    return item.forbids or bool(re.search(r"\b(?:must|always|only|never|should)\b|必须|务必", item.value))


def _sentences(text: str) -> list[str]:
    """The sentences, and the lines, so that a thing said over two sentences of a line is found too."""
    found = [text[s.start : s.end] for s in split_sentences(text)]
    return [*found, *(line for line in text.splitlines() if line.strip())]


def other_names(probe: Probe, text: str) -> list[str]:
    """Names of the expected types in the answer that are neither expected nor in the question."""
    types = {item.type for item in probe.expected}
    asked = {name.text for name in names_in(probe.question)}
    return sorted(
        name.text
        for name in names_in(text)
        if name.kind in types
        and name.text not in asked
        and (name.kind != "path" or looks_like_file(name.text))
        and not any(_matches(item, name.text) for item in probe.expected)
    )


def _matches(item: Expected, name: str) -> bool:
    return same_file(name, item.value) if item.type == "path" else name in item.value or item.value in name
