"""Answers and judgements gone through one by one: each judgement finds its answer, by whatever rubric."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

import tamis
from tamis.errors import UnreadableFile
from tamis.evals import NotMeasured, read_run
from tamis.evals.experiment.experiment_run import conduct
from tamis.evals.experiment.runner import SessionFile
from tamis.evals.figures.reading_summary import summarise_reading
from tamis.evals.inference.outcome_measures import get_figure
from tamis.evals.judging.rubric import shipped_rubric
from tamis.evals.rundir.readings import judged_answers, read_answers, read_judgements
from tamis.evals.rundir.rescore import score_run
from tamis.evals.rundir.results import JudgementRecord, Run, Settings
from tamis.reports.reading_groups import calibrations_of
from tamis.reports.reading_tables import reading_tables

STORY = Path(__file__).parents[2] / "examples/sessions/logmerge.openai-chat.json"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    settings = Settings(methods=("truncate", "index"), budgets=("5%",), readers=("lexical",), judges=())
    conduct([SessionFile(set="story", path=STORY)], settings, tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.toml"
    file.write_text(shipped_rubric().replace('name = "six-dimensions"', 'name = "mine"'), encoding="utf-8")
    return file


def test_every_judgement_stands_behind_its_answer_also_after_a_later_scoring(run: Path, mine: Path) -> None:
    score_run(run)
    score_run(run, rubric=mine)
    made = read_run(run)
    pairs = list(judged_answers(made))
    assert len(pairs) == 2 * len(list(read_answers(made))) > 0
    assert all(answer.key == judgement.answer for answer, judgement in pairs)


def test_a_run_at_hand_and_one_from_a_folder_read_alike(tmp_path: Path) -> None:
    settings = Settings(methods=("index",), budgets=("5%",), readers=("lexical",), judges=("offline",))
    conduct([SessionFile(set="story", path=STORY)], settings, tmp_path / "run")
    at_hand = tamis.evaluate([tamis.read(STORY)], methods=["index"], budgets=["5%"])
    told = [(j.judge, j.scores) for j in read_judgements(read_run(tmp_path / "run"))]
    assert told == [(j.judge, j.scores) for j in read_judgements(at_hand)]


def test_a_judgement_of_no_answer_is_named() -> None:
    made = tamis.evaluate([tamis.read(STORY)], methods=["index"], budgets=["5%"])
    astray: Run = replace(made, answers=tuple(made.answers)[1:])
    with pytest.raises(UnreadableFile, match="of an answer that the run does not hold"):
        list(judged_answers(astray))


def test_a_figure_goes_by_the_rubric_that_the_run_keeps(run: Path, mine: Path) -> None:
    score_run(run, rubric=mine)
    mine.unlink()
    assert list(get_figure("overall").observe(read_run(run)))


def test_how_far_a_judge_can_be_trusted_stands_beside_what_it_said_by_any_rubric(
    run: Path, mine: Path
) -> None:
    score_run(run, rubric=mine)
    made = read_run(run)
    assert list(calibrations_of(made)) == ["offline (mine@1)"]
    captions = [str(table.caption) for table in reading_tables(made)]
    assert any("offline (mine@1): tells right" in c and "answers of known worth" in c for c in captions)


def test_a_dimension_that_full_is_not_the_best_in_is_in_no_cell() -> None:
    made = tamis.evaluate([tamis.read(STORY)], methods=["full", "nothing"], budgets=["5%"])
    of_full = {result.key for result in made.results if result.method == "full"}
    theirs = {answer.key for answer in made.answers if answer.result in of_full}
    cells = summarise_reading(replace(made, judgements=tuple(_unsure(j, theirs) for j in made.judgements)))
    assert [cell.above_full for cell in cells] == [("accuracy",)] * 2
    for cell in cells:
        assert "accuracy" not in cell.dimensions
        assert cell.overall is not None
        assert cell.overall.mean == pytest.approx(fmean(e.mean for e in cell.dimensions.values()))


def _unsure(record: JudgementRecord, theirs: set[str]) -> JudgementRecord:
    """The record, with no accuracy where the answer is one of theirs, and full marks where it is not."""
    if isinstance(record.judgement, NotMeasured):
        return record
    marks = 0.0 if record.answer in theirs else 5.0
    results = tuple(
        replace(r, score=marks) if r.criterion.startswith("accuracy") else r for r in record.judgement.results
    )
    return replace(record, judgement=replace(record.judgement, results=results))
