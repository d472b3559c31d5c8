"""How many answers of known worth a judge judges, and what of that is not asked again."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tamis.evals.experiment.experiment_run import conduct
from tamis.evals.experiment.judge_calibration import FEW, answers_for, calibrate_all
from tamis.evals.experiment.runner import SessionFile
from tamis.evals.judging.model_judge import ModelJudge
from tamis.evals.judging.offline import OfflineJudge
from tamis.evals.judging.rubric import load_rubric
from tamis.evals.rundir.rescore import score_run
from tamis.evals.rundir.results import Settings
from tamis.evals.rundir.run_directory import read_run
from tamis.models import Prompt, ScriptedModel

WHOLE = len(answers_for("offline").cases)
STORY = Path(__file__).parents[2] / "examples/sessions/logmerge.openai-chat.json"


def graded(prompt: Prompt) -> dict[str, object]:
    asked = json.loads(prompt.text)["rubric_criteria"]
    return {"criterionResults": [{"criterionId": c, "reasoning": "so", "score": 3} for c in asked]}


@pytest.mark.parametrize(
    ("judge", "most", "cases"),
    [
        ("offline", None, WHOLE),
        ("offline", 12, WHOLE),
        ("openai:gpt-5-mini", None, WHOLE),
        ("openai:gpt-5-mini", 12, 12),
        ("gguf:small.gguf", None, FEW),
        ("gguf:small.gguf", 12, 12),
        ("gguf:small.gguf", "all", WHOLE),
    ],
)
def test_a_model_that_runs_here_judges_fewer_unless_told(judge: str, most: object, cases: int) -> None:
    assert len(answers_for(judge, most).cases) == cases  # type: ignore[arg-type]


def test_each_judge_says_on_how_many_it_was_tried() -> None:
    model = ScriptedModel([graded] * 100)
    judges = [OfflineJudge(load_rubric()), ModelJudge(model, load_rubric())]
    offline, weak = asyncio.run(calibrate_all(judges, most=12))
    assert (offline.cases, weak.cases, len(model.prompts)) == (WHOLE, 12, 12)
    assert weak.set.endswith("(12 of 116 answers)")
    assert not weak.reliable


def test_a_judge_that_was_tried_is_tried_again_only_on_more(tmp_path: Path) -> None:
    run = tmp_path / "run"
    conduct(
        [SessionFile(set="story", path=STORY)],
        Settings(methods=("nothing",), budgets=("5%",), readers=("lexical",), judges=("offline",)),
        run,
    )
    model = ScriptedModel([graded] * 100)
    for most in (4, 2, 6):
        score_run(run, judges=["scripted"], calibration=most, models=lambda _: model)
    cases = [c.cases for c in read_run(run).calibrations if c.judge == model.name]
    assert cases == [4, 6]
    assert len({prompt.text for prompt in model.prompts}) == len(model.prompts)
