"""Dealing texts to readers and answers to judges, so that nobody knows whose text is whose.

The folder of a sitting holds JSON and text, which people and other programs can fill in as well as a model:

- `r0`, `r1`, ...: one folder a reader, with `itemK_context.txt`, `itemK_questions.json`, and the answers in
  `answers.json`: `{"K": {"answers": {question id: text}, "rating": 1 to 5, "next_action": text}}`
- `sheet.json`: every question with its answers under letters, for the judge, and `grades.json`:
  `{question id: {"A": {"points": [1, 0.5 or 0 for each key point], "false": true or false}}}`
- `key.json`, `who.json`: whose text is whose. Neither a reader nor a judge may see them.
"""

import json
import random
import string
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from tamis.errors import InputError, OutputExists, UnreadableFile
from tamis.evals.exam.points import ExamPoint, Question
from tamis.faults import first_fault
from tamis.sessions.atomic import write_atomic

T = TypeVar("T")


class Answers(BaseModel, extra="ignore"):
    """What a reader made of one text; `rating` is how well the work could be gone on with, from 1 to 5."""

    answers: dict[str, str]
    rating: float | None = Field(default=None, ge=1, le=5)
    next_action: str = ""


class Grade(BaseModel, extra="ignore"):
    """What a judge gave one answer: for each key point 1, 0.5 or 0, and whether it claims what is false."""

    points: list[float]
    false: bool = False


class SheetRow(Question, frozen=True):
    """A question with its answers, under letters."""

    answers: dict[str, str]


class Key(BaseModel, extra="forbid", frozen=True):
    """Whose text is whose: `items` by reader and item (`0/3`), `points` by item."""

    items: dict[str, str]
    points: list[ExamPoint]


Grades = dict[str, dict[str, Grade]]


def deal(folder: Path, points: Sequence[ExamPoint], texts: Mapping[tuple[str, str], str]) -> int:
    """Deal texts, by point and method, to as many readers as there are methods; gives the number of texts.

    Each reader sees each point once, under one method, and does not know which.

    Raises:
        OutputExists: a sitting was dealt there already.
        InputError: two questions share an id, or there are too many methods.
    """
    if (folder / "key.json").exists():
        raise OutputExists(f"{folder} holds a sitting already; name another folder")
    methods = sorted({method for _, method in texts})
    if len(methods) > len(string.ascii_uppercase):
        raise InputError(f"{len(methods)} methods are more than there are letters; deal at most 26 at once")
    ids = [question.id for point in points for question in point.questions]
    if twice := sorted({one for one in ids if ids.count(one) > 1}):
        raise InputError(f"the question id {twice[0]!r} is used twice; give each question its own")
    items: dict[str, str] = {}
    for reader in range(len(methods)):
        place = folder / f"r{reader}"
        place.mkdir(parents=True, exist_ok=True)
        for number, point in enumerate(points):
            method = methods[(number + reader) % len(methods)]
            text = texts.get((point.id, method))
            if text is None:
                continue
            write_atomic(place / f"item{number}_context.txt", [text], force=True)
            asked = [one.model_dump(include={"id", "kind", "question"}) for one in point.questions]
            _write(place / f"item{number}_questions.json", asked)
            items[f"{reader}/{number}"] = method
    _write(folder / "key.json", Key(items=items, points=list(points)).model_dump(exclude_none=True))
    return len(items)


def read_key(folder: Path) -> Key:
    """Whose text is whose in a sitting."""
    return _read(folder / "key.json", TypeAdapter(Key), "deal first: tamis exam deal")


def read_answers(folder: Path, reader: int) -> dict[str, Answers]:
    """What a reader answered, by item; empty where it has not answered yet."""
    path = folder / f"r{reader}" / "answers.json"
    return _read(path, TypeAdapter(dict[str, Answers]), "correct it") if path.exists() else {}


def write_answers(folder: Path, reader: int, answers: Mapping[str, Answers]) -> None:
    """Keep what a reader answered."""
    _write(folder / f"r{reader}" / "answers.json", {item: one.model_dump() for item, one in answers.items()})


def collect(folder: Path) -> list[SheetRow]:
    """Every question with the answers that came, shuffled; written as `sheet.json` for a judge.

    Raises:
        InputError: no reader has answered.
    """
    key = read_key(folder)
    readers = sorted({int(item.partition("/")[0]) for item in key.items})
    given = {reader: read_answers(folder, reader) for reader in readers}
    sheet: list[SheetRow] = []
    who: dict[str, dict[str, str]] = {}
    for number, point in enumerate(key.points):
        dealt = [r for r in readers if f"{r}/{number}" in key.items]
        for question in point.questions:
            # over all that were dealt: a letter stays the same reader's when more answers come
            random.Random(f"0/{question.id}").shuffle(dealt)
            lettered = zip(string.ascii_uppercase, dealt, strict=False)
            letters = {letter: r for letter, r in lettered if str(number) in given[r]}
            if not letters:
                continue
            said = {
                letter: given[r][str(number)].answers.get(question.id, "") for letter, r in letters.items()
            }
            sheet.append(SheetRow(**question.model_dump(), answers=said))
            who[question.id] = {letter: key.items[f"{r}/{number}"] for letter, r in letters.items()}
    if not sheet:
        model = f"tamis exam answer {folder} --reader MODEL"
        raise InputError(f"{folder}: no reader has answered; fill in r0/answers.json, or `{model}`")
    _write(folder / "sheet.json", [row.model_dump() for row in sheet])
    _write(folder / "who.json", who)
    return sheet


def read_sheet(folder: Path) -> list[SheetRow]:
    """What the judge is to grade.

    Raises:
        InputError: no such folder, or nothing was collected in it.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; deal the texts into it first: tamis exam deal")
    remedy = "collect the answers first: tamis exam grade"
    return _read(folder / "sheet.json", TypeAdapter(list[SheetRow]), remedy)


def read_who(folder: Path) -> dict[str, dict[str, str]]:
    """Which method each letter stands for, by question."""
    return _read(folder / "who.json", TypeAdapter(dict[str, dict[str, str]]), "collect the answers first")


def read_grades(folder: Path, name: str = "grades.json") -> Grades:
    """What the judge gave; every grade is checked against its key points.

    Raises:
        InputError: a grade does not fit its question.
    """
    grades = _read(folder / name, TypeAdapter(Grades), "grade first: tamis exam grade, or by hand")
    for row in read_sheet(folder):
        for letter, grade in grades.get(row.id, {}).items():
            fits = len(grade.points) == len(row.key_points) and set(grade.points) <= {0, 0.5, 1}
            if not fits:
                raise InputError(
                    f"{folder / name}: {row.id} {letter} has points {grade.points}; "
                    f"give {len(row.key_points)}, each 1, 0.5 or 0"
                )
    return grades


def write_grades(folder: Path, grades: Grades, name: str = "grades.json") -> None:
    """Keep what a judge gave."""
    _write(folder / name, TypeAdapter(Grades).dump_python(grades))


def _write(path: Path, value: Any) -> None:
    write_atomic(path, [json.dumps(value, ensure_ascii=False, indent=1), "\n"], force=True)


def _read(path: Path, kind: TypeAdapter[T], remedy: str) -> T:
    try:
        return kind.validate_json(path.read_bytes())
    except OSError:
        raise UnreadableFile(f"{path}: cannot be read; {remedy}") from None
    except ValidationError as error:
        raise InputError(f"{path}: {first_fault(error, 'the file')}; correct it") from None
