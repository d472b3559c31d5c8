"""The exam: questions by a model, texts dealt blind, answers and grades by models or by files, the score."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from evals.exam.sittings import answered, dealt, judged, point
from tamis.errors import InputError, OutputExists, UnreadableFile
from tamis.evals.exam.asking import answer_all, grade_all, write_questions
from tamis.evals.exam.dealing import (
    Answers,
    collect,
    deal,
    read_answers,
    read_key,
    write_answers,
    write_grades,
)
from tamis.evals.exam.points import exam_point, locate, read_points, write_point
from tamis.evals.exam.scoring import GradeAgreement, score_exam
from tamis.evals.points import At, Point, find_points
from tamis.messages import Message, Session, Text, get_counter
from tamis.models import ScriptedModel
from tamis.sessions import read_all

COUNTER = get_counter("o200k_base")


@pytest.fixture
def sitting(tmp_path: Path) -> Path:
    return dealt(tmp_path / "exam")


def test_each_reader_sees_each_point_once_and_is_not_told_the_method(sitting: Path) -> None:
    key = read_key(sitting)
    assert {key.items[f"0/{n}"] for n in (0, 1)} == {key.items[f"1/{n}"] for n in (0, 1)} == {"good", "poor"}
    shown = json.loads((sitting / "r0" / "item0_questions.json").read_text())
    assert shown == [{"id": "p0-1", "kind": "work", "question": "What was done?"}]


def test_a_sitting_is_never_dealt_over(sitting: Path) -> None:
    with pytest.raises(OutputExists, match="another folder"):
        deal(sitting, [point("p0")], {("p0", "good"): "text"})


def test_the_sheet_names_no_method_and_no_reader(sitting: Path) -> None:
    answered(sitting)
    collect(sitting)
    row = json.loads((sitting / "sheet.json").read_text())[0]
    assert set(row) == {"id", "kind", "question", "gold", "key_points", "answers"}
    assert set(row["answers"]) == {"A", "B"}


def test_letters_stay_when_more_answers_come(sitting: Path) -> None:
    answered(sitting)
    whole = {row.id: row.answers for row in collect(sitting)}
    (sitting / "r1" / "answers.json").unlink()
    half = {row.id: row.answers for row in collect(sitting)}
    assert all(len(some) == 1 and some.items() <= whole[name].items() for name, some in half.items())


def test_what_people_answered_and_graded_is_scored(sitting: Path) -> None:
    answered(sitting)
    judged(sitting)
    good, poor = score_exam(sitting).methods
    assert (good.method, good.score, good.rating, good.false_claims, good.points) == ("good", 0.75, 4, 0, 2)
    assert (poor.method, poor.score, poor.rating, poor.false_claims) == ("poor", 0, 2, 2)
    assert good.kinds == {"work": 0.75}


def test_an_answer_without_a_grade_counts_nowhere(sitting: Path) -> None:
    answered(sitting)
    judged(sitting)
    grades = json.loads((sitting / "grades.json").read_text())
    del grades["p0-1"]
    (sitting / "grades.json").write_text(json.dumps(grades))
    scored = score_exam(sitting)
    assert (scored.ungraded, [one.answers for one in scored.methods]) == (2, [1, 1])


def test_the_judge_and_a_person_are_compared_point_by_point(sitting: Path) -> None:
    answered(sitting)
    judged(sitting)
    other = json.loads((sitting / "grades.json").read_text())
    other["p0-1"]["A"]["points"] = other["p0-1"]["B"]["points"] = [1, 0.5]
    (sitting / "by-hand.json").write_text(json.dumps(other))
    agreed = score_exam(sitting, against="by-hand.json").agreement
    assert agreed == GradeAgreement(grades=8, same=0.75, mean_difference=1.5 / 8)


def test_a_grade_that_does_not_fit_its_question_is_refused(sitting: Path) -> None:
    answered(sitting)
    judged(sitting)
    grades = json.loads((sitting / "grades.json").read_text())
    grades["p1-1"]["A"]["points"] = [1]
    (sitting / "grades.json").write_text(json.dumps(grades))
    with pytest.raises(InputError, match=r"p1-1 A has points \[1.0\]; give 2"):
        score_exam(sitting)


def test_a_reader_model_sees_one_text_at_a_time_and_no_gold(sitting: Path) -> None:
    said = {"answers": [{"id": "p0-1", "answer": "kept"}], "rating": 3, "next_action": "run it"}
    model = ScriptedModel([said] * 4)
    assert asyncio.run(answer_all(model, sitting)) == ()
    assert read_answers(sitting, 1)["0"].next_action == "run it"
    assert all(sum(f" at p{n}" in prompt.text for n in (0, 1)) == 1 for prompt in model.prompts)
    assert not any("Kept." in prompt.text for prompt in model.prompts)


def test_a_reader_model_leaves_what_a_person_answered(sitting: Path) -> None:
    answered(sitting)
    assert asyncio.run(answer_all(ScriptedModel([]), sitting)) == ()


def test_a_judge_model_grades_letters_and_never_sees_a_method(sitting: Path) -> None:
    points = [point("p0")]
    folder = sitting.parent / "two"
    deal(folder, points, {("p0", "ledger"): "a text", ("p0", "mask"): "another"})
    for reader in (0, 1):
        write_answers(folder, reader, {"0": Answers(answers={"p0-1": "kept"}, rating=3)})
    grades = [{"letter": x, "points": ["yes", "partly"], "false_claim": False} for x in "AB"]
    model = ScriptedModel([{"grades": grades}])
    found, failures = asyncio.run(grade_all(model, collect(folder), {}))
    write_grades(folder, found)
    assert (failures, [one.score for one in score_exam(folder).methods]) == ((), [0.75, 0.75])
    assert "ledger" not in model.prompts[0].text


def test_a_judge_that_leaves_a_key_point_out_is_a_failure_and_no_zero(sitting: Path) -> None:
    answered(sitting)
    short = {"grades": [{"letter": x, "points": ["yes"], "false_claim": False} for x in "AB"]}
    found, failures = asyncio.run(grade_all(ScriptedModel([short] * 2), collect(sitting), {}))
    assert found == {}
    assert len(failures) == 2


def test_points_come_back_as_they_were_written(tmp_path: Path) -> None:
    write_point(tmp_path, point("p0"))
    assert read_points(tmp_path) == [point("p0")]


def test_a_file_that_is_no_point_is_named_with_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "p0.json").write_text('{"id": "p0"}')
    with pytest.raises(InputError, match=r"p0\.json: no exam point; session"):
        read_points(tmp_path)
    with pytest.raises(UnreadableFile, match="holds no exam points"):
        read_points(tmp_path / "none")


def said(role: str, at: int, text: str) -> Message:
    return Message(id=f"m{at}", role=role, parts=(Text(text=text),))  # type: ignore[arg-type]


def cut() -> Point:
    messages = [said("assistant" if n % 2 else "user", n, f"word{n} " * 400) for n in range(8)]
    session = Session(id="s", format="messages", messages=tuple(messages))
    [found] = find_points(session, [At.parse("50%")], COUNTER)
    assert isinstance(found, Point)
    return found


def test_a_model_writes_questions_from_the_span_and_what_followed() -> None:
    reply = {
        "questions": [
            {"kind": "work", "question": "What?", "gold": "That.", "key_points": ["that", " "]},
            {"kind": "why", "question": "Why?", "gold": "So.", "key_points": [" "]},
        ]
    }
    model = ScriptedModel([reply])
    found = asyncio.run(write_questions(model, cut(), point_id="p0", counter=COUNTER))
    assert [(one.id, one.key_points) for one in found] == [("p0-1", ["that"])]
    assert "word0" in model.prompts[0].text
    assert "word6" in model.prompts[0].text.partition("What followed:")[2]


def test_a_point_finds_its_span_again(
    tmp_path: Path,
) -> None:
    rows = [{"role": "user" if n % 2 == 0 else "assistant", "content": f"text {n}"} for n in range(6)]
    (tmp_path / "s.json").write_text(json.dumps({"messages": rows}))
    from_file = next(iter(read_all(tmp_path / "s.json")))
    made = exam_point(
        Point(
            session_id=from_file.id, cluster="c", label="50%", cut=4, system=(), span=from_file.messages[:4],
            tail=from_file.messages[4:], span_tokens=20,
        ),
        point("p0").questions, name="p0", session="s.json", budget=10,
    )  # fmt: skip
    assert locate(made, tmp_path).span == from_file.messages[:4]
    with pytest.raises(InputError, match="does not hold the 4 messages"):
        locate(made.model_copy(update={"last": "elsewhere"}), tmp_path)
