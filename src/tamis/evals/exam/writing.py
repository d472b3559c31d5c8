"""A model writes the questions: from the span and what followed, before any method's text exists."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from tamis.compactors.brief import fence
from tamis.compactors.modelled.interview import Interview, share_window
from tamis.compactors.modelled.prompt_files import load_prompt
from tamis.evals.display_text import transcript
from tamis.evals.exam.points import Question
from tamis.evals.points import Point
from tamis.messages import Counter
from tamis.models import Model

MOST_FUTURE = 0.25
"""The share of what a model reads that may be what followed; of a long span the middle is left out."""

TOKENS_PER_QUESTION = 220

_PROMPT = load_prompt("write", "tamis.evals.exam")


class WrittenQuestion(BaseModel, extra="forbid", frozen=True):
    """A question as a model writes it."""

    kind: Literal["work", "fact", "why", "ask", "state", "next"]
    question: str
    gold: str
    key_points: list[str] = Field(json_schema_extra={"minItems": 1, "maxItems": 5})


class WrittenQuestions(BaseModel, extra="forbid", frozen=True):
    """What a model writes for one point."""

    questions: list[WrittenQuestion]


async def write_questions(
    model: Model, point: Point, *, point_id: str, counter: Counter, most: int = 8
) -> list[Question]:
    """The questions that a model writes for a point; those without a key point are left out.

    Raises:
        ModelError: the model gave no usable answer.
    """
    space = share_window(model, counter, answer_tokens=most * TOKENS_PER_QUESTION, beside=_PROMPT.words)
    span, future = transcript(point.span), transcript(point.tail)
    future = _shortened(future, int(space.read_tokens * MOST_FUTURE), counter, keep_end=False)
    span = _shortened(span, space.read_tokens - counter.count(future), counter, keep_end=True)
    prompt = _PROMPT.fill(
        span=fence(span),
        future=fence(future or "(nothing followed)"),
        most=str(most),
        max_output_tokens=space.answer_tokens,
    )
    written = await Interview(model).ask_for(prompt, WrittenQuestions)
    return _numbered(written.questions[:most], point_id)


def _numbered(written: Sequence[WrittenQuestion], point_id: str) -> list[Question]:
    good = [one for one in written if one.question.strip() and any(k.strip() for k in one.key_points)]
    return [
        Question(
            id=f"{point_id}-{number}",
            kind=one.kind,
            question=one.question.strip(),
            gold=one.gold.strip(),
            key_points=[k.strip() for k in one.key_points if k.strip()],
        )
        for number, one in enumerate(good, 1)
    ]


def _shortened(text: str, room: int, counter: Counter, *, keep_end: bool) -> str:
    """The text, or of one that is too long its beginning and, where it matters, its end."""
    tokens = counter.count(text)
    if tokens <= room:
        return text
    chars = int(len(text) * room / tokens * 0.95)
    if not keep_end:
        return f"{text[:chars]}\n[...]"
    head = chars // 3
    return f"{text[:head]}\n[...]\n{text[len(text) - (chars - head) :]}"
