"""Run directories of experiments: told again, gone on with, scored again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evals.experiments import Repeating, saved, scripted, worker
from evals.recorded import talk
from tamis.errors import (
    ModelServerError,
    NotComparable,
)
from tamis.evals import NotMeasured, read_run
from tamis.evals.experiment.experiment_run import ResourceLimits, conduct
from tamis.evals.rundir.rescore import score_run
from tamis.evals.rundir.results import Settings

OFFLINE = Settings(
    methods=("index", "truncate", "ledger"), budgets=("5%",), readers=("lexical",), judges=("offline",)
)


def test_two_runs_of_the_same_input_hold_the_same_bytes(tmp_path: Path) -> None:
    files = saved(tmp_path, talk(20, id="a"), talk(24, id="b"))
    for name, jobs in (("one", 1), ("two", 2)):
        conduct(files, OFFLINE, tmp_path / name, means=ResourceLimits(jobs=jobs))
    for path in (tmp_path / "one").iterdir():
        if path.name not in ("timings.jsonl", "texts.sqlite"):
            assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name


def test_other_settings_or_sessions_in_the_same_folder_are_refused_with_the_difference(
    tmp_path: Path,
) -> None:
    files = saved(tmp_path, talk(20, id="a"), talk(24, id="b"))
    conduct(files, OFFLINE, tmp_path / "run")
    with pytest.raises(NotComparable, match=r'other settings: budgets was \["5%"\], now it is \["6%"\]'):
        conduct(files, replace(OFFLINE, budgets=("6%",)), tmp_path / "run")
    with pytest.raises(NotComparable, match="other inputs: bytes was"):
        conduct(files[:1], OFFLINE, tmp_path / "run")


def test_scoring_again_asks_no_reader_and_adds_what_is_new(tmp_path: Path) -> None:
    conduct(saved(tmp_path, talk(20)), replace(OFFLINE, judges=()), tmp_path / "run")
    before = len(read_run(tmp_path / "run").answers)
    first = score_run(tmp_path / "run")
    again = score_run(tmp_path / "run")
    assert (first.answers, first.judged, again.judged) == (before, before, 0)
    run = read_run(tmp_path / "run")
    assert len(run.judgements) == len(run.answers) == before
    assert [c.judge for c in run.calibrations] == ["offline"]


def test_an_answer_that_is_scored_otherwise_now_reads_so(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    conduct(saved(tmp_path, talk(20)), OFFLINE, folder)
    path = folder / "answers.jsonl"
    was = path.read_bytes()
    path.write_bytes(was.replace(b'"value":1.0', b'"value":0.9'))  # as an older scorer might have said
    wrong = sum(
        a.exact.value == 0.9 for a in read_run(folder).answers if not isinstance(a.exact, NotMeasured)
    )
    assert wrong > 0
    assert score_run(folder).rescored == wrong
    scores = [a.exact.value for a in read_run(folder).answers if not isinstance(a.exact, NotMeasured)]
    assert 0.9 not in scores


def test_a_method_asks_its_model_through_the_run_and_what_that_took_is_kept(tmp_path: Path) -> None:
    settings = Settings(methods=("hybrid@http://127.0.0.1:9#writer",), budgets=("10%",))
    models = scripted(ModelServerError("down"))
    files = saved(tmp_path, worker())
    conduct(files, settings, tmp_path / "failing", models=models)
    [alone] = read_run(tmp_path / "failing").results
    assert "the model gave no story" in " ".join(alone.warnings)
    conduct(files, settings, tmp_path / "run", models=scripted('{"notes": []}'))
    [result] = read_run(tmp_path / "run").results
    assert result.usage is not None
    assert result.usage.requests == Repeating.asked > 0


def test_a_model_proposes_probes_and_what_it_cannot_prove_is_left_out(tmp_path: Path) -> None:
    settings = Settings(methods=("index",), budgets=("10%",), readers=("lexical",), probe_model="test:asker")
    conduct(saved(tmp_path, worker()), settings, tmp_path / "run", models=scripted("no JSON at all"))
    run = read_run(tmp_path / "run")
    assert Repeating.asked > 0
    assert any("probes by test:asker" in skipped.what for skipped in run.skipped)
    assert len(run.answers) == len(run.probes)
