"""`tamis exam`: from written points to the table, over files."""

from __future__ import annotations

import json
from pathlib import Path

from cli.conftest import EXAMPLES, Run
from tamis.evals.exam.points import Question, exam_point, write_point
from tamis.evals.points import At, Point, find_points
from tamis.messages import get_counter
from tamis.sessions import read_all


def a_point(folder: Path, till: Path) -> None:
    [found] = find_points(next(iter(read_all(till))), [At.parse("50%")], get_counter("o200k_base"))
    assert isinstance(found, Point)
    asked = Question(id="p0-1", kind="ask", question="What was asked?", gold="That.", key_points=["that"])
    write_point(folder, exam_point(found, [asked], name="p0", session=till.name, budget=600))


def test_an_exam_is_held_over_files_from_deal_to_score(tamis: Run, till: Path, tmp_path: Path) -> None:
    a_point(tmp_path / "points", till)
    sitting = tmp_path / "sitting"
    ran = tamis(
        "exam", "deal", tmp_path / "points", sitting, "-m", "ledger", "-m", "full", "--sessions", EXAMPLES
    )
    assert (ran.status, ran.err) == (0, "")
    assert "2 texts dealt to 2 readers" in ran.out
    assert f"`tamis exam answer {sitting} --reader MODEL`" in tamis("exam", "grade", sitting).err
    for reader in (0, 1):
        given = {"0": {"answers": {"p0-1": "that"}, "rating": 4, "next_action": "go on"}}
        (sitting / f"r{reader}" / "answers.json").write_text(json.dumps(given))
    assert tamis("exam", "grade", sitting).status == 0
    grades = {"p0-1": {letter: {"points": [1], "false": False} for letter in "AB"}}
    (sitting / "grades.json").write_text(json.dumps(grades))
    table = tamis("exam", "score", sitting)
    assert table.status == 0
    assert "ledger" in table.out
    assert [one["score"] for one in tamis("exam", "score", sitting, "--json").json["methods"]] == [1, 1]


def test_what_is_missing_is_told_with_the_next_step(tamis: Run, tmp_path: Path) -> None:
    ran = tamis("exam", "score", tmp_path)
    assert ran.status == 2
    assert "tamis exam collect" not in ran.err
    assert "tamis exam grade" in ran.err
