"""Models that write the exam, sit it and grade it.

Questions are written from the span and what followed, before any method's text exists. A reader answers from
one text alone, a judge grades key point by key point.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from tamis.compactors.brief import fence
from tamis.compactors.modelled.interview import Interview, share_window
from tamis.compactors.modelled.prompt_files import load_prompt
from tamis.errors import ModelError, UnusableReply
from tamis.evals.display_text import transcript
from tamis.evals.exam.dealing import Answers, Grade, Grades, SheetRow, read_answers, read_key, write_answers
from tamis.evals.exam.points import Question
from tamis.evals.points import Point
from tamis.messages import Counter
from tamis.models import Model

MOST_FUTURE = 0.25
"""The share of what a model reads that may be what followed; of a long span the middle is left out."""

TOKENS_PER_QUESTION = 220
_PROMPT = load_prompt("write", "tamis.evals.exam")


class WrittenQuestion(BaseModel, extra="forbid", frozen=True):
    """A question as a model writes it: on work, a fact, a reason, what was asked, the state, what is next."""

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


ANSWER_TOKENS = 2_000
GRADE_TOKENS = 1_000
_READ = load_prompt("read", "tamis.evals.exam")
_GRADE = load_prompt("grade", "tamis.evals.exam")


class OneAnswer(BaseModel, extra="forbid", frozen=True):
    """An answer to one question."""

    id: str
    answer: str


class Reading(BaseModel, extra="forbid", frozen=True):
    """What a reader model makes of one text."""

    answers: list[OneAnswer]
    rating: int = Field(ge=1, le=5)
    next_action: str


class OneGrade(BaseModel, extra="forbid", frozen=True):
    """What a judge model gives the answer under a letter."""

    letter: str
    points: list[Literal["yes", "partly", "no"]]
    false_claim: bool


class Grading(BaseModel, extra="forbid", frozen=True):
    """What a judge model gives all answers to a question."""

    grades: list[OneGrade]


_WORTH = {"yes": 1.0, "partly": 0.5, "no": 0.0}


async def answer_all(model: Model, folder: Path) -> tuple[str, ...]:
    """Answer every text that no reader has answered yet; says what could not be answered.

    Each text is a conversation of its own, with nothing else in view.
    """
    key = read_key(folder)
    failures: list[str] = []
    for item in key.items:
        reader, _, number = item.partition("/")
        given = read_answers(folder, int(reader))
        if number in given:
            continue
        text = (folder / f"r{reader}" / f"item{number}_context.txt").read_text(encoding="utf-8")
        try:
            given[number] = await _answer_text(model, text, key.points[int(number)].questions)
        except ModelError as error:
            failures.append(f"r{reader}/item{number}: {error}")
            if not isinstance(error, UnusableReply):
                break  # it is down, and each further text would wait for that again
            continue
        write_answers(folder, int(reader), given)
    return tuple(failures)


async def _answer_text(model: Model, text: str, questions: list[Question]) -> Answers:
    asked = "\n".join(f"{one.id}: {one.question}" for one in questions)
    prompt = _READ.fill(context=fence(text), questions=asked, max_output_tokens=ANSWER_TOKENS)
    read = await Interview(model).ask_for(prompt, Reading)
    return Answers(
        answers={one.id: one.answer for one in read.answers}, rating=read.rating, next_action=read.next_action
    )


async def grade_all(model: Model, sheet: list[SheetRow], known: Grades) -> tuple[Grades, tuple[str, ...]]:
    """Grade every question of a sheet that is not graded yet; says what could not be graded."""
    grades, failures = dict(known), []
    for row in sheet:
        if set(grades.get(row.id, {})) >= set(row.answers):
            continue
        try:
            grades[row.id] = await _grade_row(model, row)
        except ModelError as error:
            failures.append(f"{row.id}: {error}")
            if not isinstance(error, UnusableReply):
                break
    return grades, tuple(failures)


async def _grade_row(model: Model, row: SheetRow) -> dict[str, Grade]:
    """What a judge gives the answers to one question; it sees letters, never methods."""
    data = row.model_dump(include={"question", "gold", "key_points", "answers"})
    prompt = _GRADE.fill(
        sheet=fence(json.dumps(data, ensure_ascii=False, indent=1)), max_output_tokens=GRADE_TOKENS
    )
    given = {one.letter: one for one in (await Interview(model).ask_for(prompt, Grading)).grades}
    for letter in row.answers:
        if letter not in given or len(given[letter].points) != len(row.key_points):
            raise UnusableReply(
                f"{model.name}: answer {letter} was not graded on each of the "
                f"{len(row.key_points)} key points; ask again, or another model"
            )
    return {
        letter: Grade(points=[_WORTH[p] for p in given[letter].points], false=given[letter].false_claim)
        for letter in row.answers
    }
