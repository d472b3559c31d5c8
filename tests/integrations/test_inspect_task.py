from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from tamis.errors import InputError

pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")

from inspect_ai import Task, eval  # noqa: A004 - the library's name
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

import tamis
from reports import runs
from tamis.evals import read_run
from tamis.evals.experiment.experiment_run import conduct
from tamis.evals.experiment.runner import SessionFile
from tamis.evals.rundir.results import Settings
from tamis.integrations import inspect_task
from tamis.integrations.inspect_task import probes
from tamis.models import ScriptedModel

STORY = Path(__file__).parents[2] / "examples/sessions/logmerge.openai-chat.json"


@pytest.fixture(scope="module")
def run_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return runs.write(tmp_path_factory.mktemp("inspected"), jobs=2)


def saying(reply: str) -> Model:
    """A model that says one thing. It tells its usage, or inspect_ai would fetch a vocabulary to count it."""
    said = []
    for _ in range(200):
        output = ModelOutput.from_content("mockllm/model", reply)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        said.append(output)
    return get_model("mockllm/model", custom_outputs=said, memoize=False)


def evaluated(task: Task, folder: Path, reply: str) -> EvalLog:
    """The log that inspect_ai writes, read back."""
    (log,) = eval(task, saying(reply), log_dir=str(folder), display="none")
    return read_eval_log(log.location)


def test_every_question_is_put_with_every_context_of_the_method(run_dir: Path) -> None:
    run = read_run(run_dir)
    task = probes(str(run_dir), method="ledger", budget="5%")
    points = {r.point for r in run.results if (r.method, r.budget) == ("ledger", "5%") and r.context}
    assert len(task.dataset) == sum(probe.point in points for probe in run.probes) > 0
    assert {sample.metadata["method"] for sample in task.dataset if sample.metadata} == {"ledger"}


def test_a_model_is_asked_as_the_reader_of_an_evaluation_asks_it(tmp_path: Path) -> None:
    session = tamis.read(STORY)
    asked = ScriptedModel(["NOT IN CONTEXT"] * 100)
    tamis.evaluate(
        [session],
        methods=["truncate"],
        budgets=[0.05],
        readers=["scripted"],
        judges=[],
        models=lambda name: asked,
    )
    conduct(
        [SessionFile(set="story", path=STORY)],
        Settings(methods=("truncate",), budgets=("5%",), readers=("lexical",)),
        tmp_path / "run",
    )
    texts = [sample.input[1].text for sample in probes(str(tmp_path / "run")).dataset]
    assert sorted(texts) == sorted(prompt.text for prompt in asked.prompts)
    (point,) = read_run(tmp_path / "run").points
    assert point.view_before or point.view_behind


def test_the_answers_are_scored_exactly_and_the_log_can_be_read(run_dir: Path, tmp_path: Path) -> None:
    log = evaluated(probes(str(run_dir), method="ledger", budget="5%"), tmp_path, "NOT IN CONTEXT")
    assert log.status == "success"
    assert log.samples
    for sample in log.samples:
        score = (sample.scores or {})["exact"]
        assert score.value == (1.0 if sample.metadata["kind"] == "unanswerable" else 0.0)
        assert score.explanation in ("declined", "declined, as it should be")


def test_a_right_answer_scores(run_dir: Path, tmp_path: Path) -> None:
    task = probes(str(run_dir), method="ledger", budget="5%")
    sample = next(s for s in task.dataset if s.metadata and s.metadata["kind"] != "unanswerable")
    task.dataset = task.dataset.filter(lambda s: s.id == sample.id)
    log = evaluated(task, tmp_path, "\n".join(sample.target))
    assert log.samples
    assert (log.samples[0].scores or {})["exact"].value == 1.0


def test_means_stand_by_kind_and_for_all(run_dir: Path, tmp_path: Path) -> None:
    log = evaluated(probes(str(run_dir), method="ledger", budget="5%"), tmp_path, "NOT IN CONTEXT")
    assert log.results
    metrics = log.results.scores[0].metrics
    kinds = {sample.metadata["kind"] for sample in log.samples or ()}
    assert kinds <= set(metrics)
    assert {"mean", "stderr"} <= set(metrics)


def test_the_offline_judge_judges_by_the_rubric(run_dir: Path, tmp_path: Path) -> None:
    task = probes(str(run_dir), method="ledger", budget="5%", judge="offline")
    log = evaluated(task, tmp_path, "NOT IN CONTEXT")
    scores = [(sample.scores or {})["rubric"] for sample in log.samples or ()]
    assert all(0 <= float(str(score.value)) <= 5 for score in scores)
    assert all(score.metadata and score.metadata["rubric"] == "six-dimensions@1" for score in scores)


def test_a_judge_that_says_no_json_is_not_measured(
    run_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspect_task, "get_model", lambda name: saying(f"well, {name}"))
    task = probes(str(run_dir), method="ledger", budget="5%", judge="some/model")
    log = evaluated(task, tmp_path, "NOT IN CONTEXT")
    scores = [(sample.scores or {})["rubric"] for sample in log.samples or ()]
    assert scores
    assert all(math.isnan(float(str(score.value))) for score in scores)
    assert all("not measured: UnusableReply" in (score.explanation or "") for score in scores)


def test_a_method_that_is_not_there_is_named_with_those_that_are(run_dir: Path) -> None:
    with pytest.raises(InputError, match=r"method nosuch .* the methods truncate, index, ledger"):
        probes(str(run_dir), method="nosuch")


def test_a_probe_goes_whole_through_the_metadata(run_dir: Path) -> None:
    run = read_run(run_dir)
    known = {probe.probe.id for probe in run.probes}
    for sample in probes(str(run_dir), method="index").dataset:
        assert sample.metadata
        assert json.loads(json.dumps(sample.metadata))["probe"]["id"] in known
