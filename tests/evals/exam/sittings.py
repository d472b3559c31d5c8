"""Sittings for what is tested about exams: two points, two methods, answers and grades of each."""

from __future__ import annotations

import json
from pathlib import Path

from tamis.evals.exam.dealing import Answers, collect, deal, write_answers
from tamis.evals.exam.points import ExamPoint, Question

KEY_POINTS = ["blank rows are kept", "in load_table"]


def point(name: str) -> ExamPoint:
    asked = Question(
        id=f"{name}-1", kind="work", question="What was done?", gold="Kept.", key_points=KEY_POINTS
    )
    return ExamPoint(
        id=name,
        session="s.json",
        span_tokens=900,
        budget=90,
        first="1",
        last="9",
        messages=4,
        questions=[asked],
    )


def dealt(folder: Path) -> Path:
    """Two points, two methods, dealt."""
    points = [point("p0"), point("p1")]
    texts = {(one.id, method): f"{method} at {one.id}" for one in points for method in ("good", "poor")}
    deal(folder, points, texts)
    return folder


def answered(folder: Path) -> None:
    """Each reader says what stands in its text."""
    for reader in (0, 1):
        given = {}
        for item in (0, 1):
            text = (folder / f"r{reader}" / f"item{item}_context.txt").read_text()
            given[str(item)] = Answers(answers={f"p{item}-1": text}, rating=4 if "good" in text else 2)
        write_answers(folder, reader, given)


def judged(folder: Path) -> None:
    """By somebody who thinks well of answers with `good` in them."""
    sheet = collect(folder)
    grades = {
        row.id: {
            letter: {"points": [1, 0.5] if "good" in said else [0, 0], "false": "poor" in said}
            for letter, said in row.answers.items()
        }
        for row in sheet
    }
    (folder / "grades.json").write_text(json.dumps(grades))
