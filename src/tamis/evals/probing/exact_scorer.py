"""The exact scorer: what an answer is worth, told without a model.

Each expected item is looked for by its type and gives a credit from 0 to 1. A closed list is scored by
precision and recall (F1), anything else by the mean credit, less what was superseded and yet is given as if
it held. What no reader answered is `NotMeasured`, never a zero.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tamis.evals.hindsight import NotMeasured
from tamis.evals.probing.item_match import find_places, gives_up, is_denied
from tamis.evals.probing.probes import Expected, Probe
from tamis.evals.probing.readers import Answer
from tamis.ledger.files.paths import looks_like_file, same_file
from tamis.text.cues.vocabulary import DENIALS, NOT_ENDING
from tamis.text.key_words import key_words
from tamis.text.names import find_names, names_in, stands_in
from tamis.text.sentences import split_sentences

ANSWERED_FROM = 0.5  # the score from which a question counts as answered

_DENIES = re.compile(
    rf"\b(?:{DENIALS}|cannot|without|avoid|forbidden|no)\b|不|别|禁止|勿|{NOT_ENDING}\b",
    re.IGNORECASE,
)
_RULES = re.compile(r"\b(?:must|always|only|never|should)\b|必须|务必|禁止|不得", re.IGNORECASE)
_CLAUSES = re.compile(r"[;；]\s*|(?<=[.!?。！？])\s+|\n+|\bbut\b|但")


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
    told = f"{len(earned) - len(missing)} of {len(earned)} found"
    return AnswerScore(value=value, reason=f"{told}{naming('; missing', missing)}{naming('; wrong', wrong)}")


def credit(item: Expected, text: str, asked: frozenset[str] = frozenset()) -> float:
    """How far the text holds the item; words that the question gave away (`asked`) earn nothing."""
    if item.type == "text":
        return _text_credit(item, text, asked)
    return float(any(not is_denied(text, start, end) for start, end in find_places(item, text)))


def _f1(earned: Sequence[float], wrong: int) -> float:
    right = sum(earned)
    if not right:
        return 0.0
    precision, recall = right / (right + wrong), right / len(earned)
    return 2 * precision * recall / (precision + recall)


def naming(what: str, values: Sequence[str]) -> str:
    """The first of several values, said to be `what`; nothing where there are none."""
    more = f" and {len(values) - 3} more" if len(values) > 3 else ""
    return f"{what}: {'; '.join(value[:80] for value in values[:3])}{more}" if values else ""


def _asserts(item: Expected, text: str) -> bool:
    if item.type == "text":
        return any(not gives_up(s) and _text_credit(item, s, frozenset()) == 1.0 for s in _sentences(text))
    return any(not is_denied(text, start, end) for start, end in find_places(item, text))


def _text_credit(item: Expected, text: str, asked: frozenset[str]) -> float:
    """1 where the text stands there whole, else the share of it that the best sentence holds.

    That is the share of its telling words or of its names, whichever is less: `No module named` is not yet
    the answer. A rule without its "never", or with one that it has not, says the opposite and earns nothing.
    """
    whole, told = " ".join(item.value.split()), " ".join(text.split())
    at = told.find(whole)
    if at >= 0 and not is_denied(told, at, at + len(whole)):
        return 1.0
    words = words_of(item.value) - asked
    if not words:
        return 0.0
    names = [name for name in _names_of(item.value) if not words_of(name) or words_of(name) - asked]
    if not (item.forbids or _RULES.search(item.value)):
        return max((_share(words, names, sentence) for sentence in _sentences(text)), default=0.0)
    denies = item.forbids or bool(_DENIES.search(item.value))
    clauses = (clause for clause in _CLAUSES.split(text) if denies == bool(_DENIES.search(clause)))
    return max((_share(words, names, clause) for clause in clauses), default=0.0)


def _share(words: frozenset[str], names: Sequence[str], sentence: str) -> float:
    of_words = len(words & words_of(sentence)) / len(words)
    if not names or not of_words:
        return of_words
    return min(of_words, sum(stands_in(name, sentence) for name in names) / len(names))


@lru_cache(maxsize=1 << 14)
def _names_of(text: str) -> tuple[str, ...]:
    return tuple(sorted(name.text for name in names_in(text)))


@lru_cache(maxsize=1 << 14)
def words_of(text: str) -> frozenset[str]:
    """The telling words of a message or sentence: one is looked at for many questions."""
    return key_words(text)


def _sentences(text: str) -> list[str]:
    """The sentences, and the lines, so that a thing said over two sentences of a line is found too."""
    found = [text[s.start : s.end] for s in split_sentences(text)]
    return [*found, *(line for line in text.splitlines() if line.strip())]


def other_names(probe: Probe, text: str) -> list[str]:
    """Names of the expected types in the answer that are neither expected nor in the question.

    One of which the answer says that it does not belong is not held against it.
    """
    types = {item.type for item in probe.expected}
    asked = {name.text for name in names_in(probe.question)}
    return sorted(
        {
            name.text
            for name in find_names(text)
            if name.kind in types
            and name.text not in asked
            and (name.kind != "path" or looks_like_file(name.text))
            and not any(_matches(item, name.text) for item in probe.expected)
            and not is_denied(text, name.start, name.end)
        }
    )


def _matches(item: Expected, name: str) -> bool:
    return same_file(name, item.value) if item.type == "path" else name in item.value or item.value in name
