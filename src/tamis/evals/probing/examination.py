"""Putting probes to a reader, and to one that has read nothing.

An answer can be missing for two reasons: the context no longer holds it, or it does and the reader did not
find it. `exact_scorer.score_answer` measures what was answered, `score_holding` what stands there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from tamis.evals.hindsight import NotMeasured
from tamis.evals.points import Point
from tamis.evals.probing.exact_scorer import AnswerScore, credit, score_answer
from tamis.evals.probing.passage_index import PassageIndex
from tamis.evals.probing.probes import Expected, Probe
from tamis.evals.probing.readers import Answer, Reader
from tamis.messages import Message
from tamis.text.key_words import key_words

LIKELY_PASSAGES = 10  # among so many passages that fit a text best, the one that holds it is looked for


async def ask(reader: Reader, probe: Probe, context: Sequence[Message]) -> Answer | NotMeasured:
    """The reader's answer; what it raises is a reason why there is none."""
    try:
        return await reader.answer(probe.question, context)
    except Exception as error:  # a plug-in's call: one answer is missing, and the rest goes on
        return NotMeasured(reason=f"{type(error).__name__}: {error}")


@dataclass(frozen=True, kw_only=True, slots=True)
class BlindBaseline:
    """What became of probes that were put to a reader who never saw the span.

    `leaked` were answered all the same, and so prove nothing about a context; `not_measured` counts those to
    which no answer came, which are kept. Questions without an answer are not asked.
    """

    kept: tuple[Probe, ...]
    leaked: tuple[Probe, ...]
    not_measured: int

    @property
    def asked(self) -> int:
        """How many were put to the reader and answered or declined."""
        answerable = sum(bool(probe.expected) for probe in self.kept)
        return answerable + len(self.leaked) - self.not_measured


async def ask_blind(
    reader: Reader, probes: Sequence[Probe], in_view: Sequence[Message] = ()
) -> BlindBaseline:
    """Put the probes to a reader with nothing but what is in view beside the compaction."""
    kept: list[Probe] = []
    leaked: list[Probe] = []
    not_measured = 0
    for probe in probes:
        if not probe.expected:
            kept.append(probe)
            continue
        score = score_answer(probe, await ask(reader, probe, in_view))
        not_measured += isinstance(score, NotMeasured)
        (leaked if isinstance(score, AnswerScore) and score.is_answered else kept).append(probe)
    return BlindBaseline(kept=tuple(kept), leaked=tuple(leaked), not_measured=not_measured)


def score_holding(probe: Probe, index: PassageIndex) -> float | None:
    """The share of what is expected that stands in a context; None for a question without an answer."""
    if not probe.expected:
        return None
    asked = key_words(probe.question)
    return sum(_held(item, index, asked) for item in probe.expected) / len(probe.expected)


def _held(item: Expected, index: PassageIndex, asked: frozenset[str]) -> float:
    if item.type != "text":
        return credit(item, index.text, asked)
    found = index.search(item.value, limit=LIKELY_PASSAGES)
    return max((credit(item, passage.text, asked) for passage, _ in found), default=0.0)


def in_view(point: Point) -> tuple[Message, ...]:
    """What a reader has beside the compacted span: the system prompt, and what came before the next act."""
    return (*point.system, *takewhile(lambda message: message.role != "assistant", point.tail))
