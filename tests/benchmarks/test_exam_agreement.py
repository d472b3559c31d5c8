from __future__ import annotations

import json
from pathlib import Path

import pytest
from exam_agreement import correlation, graded_answers, print_agreement

SAID = "The export drops every row whose postcode begins with a zero, as pandas reads it for a number."
NAMES = "export row postcode zero pandas number drops begins reads every file rows"
POINTS = {
    "told": f"Some words before that.\n\n{SAID}\n\nAnd some behind it, of other things.",
    "named": NAMES,
    "empty": "Nothing of it is said here.",
}


@pytest.fixture
def exam(tmp_path: Path) -> tuple[Path, Path]:
    """An exam of one point and two questions, as three methods' readers answered them."""
    folder, out = tmp_path / "exam", tmp_path / "out"
    (out / "p0").mkdir(parents=True)
    folder.mkdir()
    for method, text in POINTS.items():
        (out / "p0" / f"ctx_{method}.txt").write_text(text, "utf-8")
    filler = "\n\n".join(f"Step {i} of the work read file_{i}.py and went on." for i in range(30))
    (out / "p0" / "span.txt").write_text(f"{filler}\n\n{SAID}", "utf-8")
    key_points = [
        "the export drops rows whose postcode begins with zero",
        "pandas reads the postcode for a number",
    ]
    sheet = [{"id": f"p0-{i}", "key_points": [point]} for i, point in enumerate(key_points)]
    who = {q["id"]: {"A": "told", "B": "named", "C": "empty"} for q in sheet}
    grades = {q["id"]: {"A": {"points": [1]}, "B": {"points": [0]}, "C": {"points": [0]}} for q in sheet}
    for name, data in (("sheet", sheet), ("who", who), ("grades", grades)):
        (folder / f"{name}.json").write_text(json.dumps(data), "utf-8")
    return folder, out


def test_every_graded_answer_stands_beside_its_text(exam: tuple[Path, Path]) -> None:
    answers = graded_answers(*exam)
    assert [(a.question, a.method, a.grade) for a in answers] == [
        (f"p0-{i}", method, grade)
        for i in (0, 1)
        for method, grade in (("told", 1), ("named", 0), ("empty", 0))
    ]
    shares = {a.method: a.shares[0] for a in answers if a.question == "p0-0"}
    assert shares["told"] > 0.9 > 0.4 > shares["named"] > shares["empty"]


def test_answers_that_nobody_graded_and_texts_that_are_gone_are_left_out(exam: tuple[Path, Path]) -> None:
    folder, out = exam
    (out / "p0" / "ctx_empty.txt").unlink()
    grades = json.loads((folder / "grades.json").read_text("utf-8"))
    del grades["p0-1"]
    (folder / "grades.json").write_text(json.dumps(grades), "utf-8")
    assert [(a.question, a.method) for a in graded_answers(*exam)] == [("p0-0", "told"), ("p0-0", "named")]


def test_the_agreement_is_printed_beside_that_of_names(
    exam: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    print_agreement(*exam)
    said = capsys.readouterr().out
    rows = dict(line.strip("| ").split(" | ", 1) for line in said.splitlines() if line.startswith("| "))
    assert "(6 answers)" in said
    answers, r = rows["coverage of the key points"].split(" | ")
    assert (answers, float(r) > 0.9) == ("6", True)
    assert rows["names of the key points in the text"] == "0 | –"


def test_there_is_no_correlation_with_what_does_not_vary() -> None:
    assert correlation([(0.0, 1.0), (0.5, 1.0), (1.0, 1.0)]) is None
    assert correlation([(0.0, 1.0), (0.5, 0.5), (1.0, 0.0)]) == pytest.approx(-1.0)
