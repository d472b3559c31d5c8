"""`tamis judge`."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from cli.conftest import Run
from models.chat_server import chat_server, says


def test_the_offline_judge_is_shown_with_what_follows(tamis: Run) -> None:
    ran = tamis("judge", "offline")
    assert (ran.status, ran.err) == (0, "")
    assert "offline (version 1), six-dimensions@1, tamis-calibration@1" in ran.out
    assert "right above wrong: 3." in ran.out
    assert ran.out.splitlines()[-1].startswith("tells right answers from wrong ones")


def test_repeats_tell_how_far_a_judge_agrees_with_itself(tamis: Run) -> None:
    assert "with itself: alpha 1.00; 100% the same" in tamis("judge", "offline", "--repeats", "2").out


def test_a_slow_judge_can_be_asked_less(tamis: Run) -> None:
    out = tamis("judge", "offline", "--most", "12").out
    assert "tamis-calibration@1 (12 of 116 answers)" in out
    assert [line.split()[1:3] for line in out.splitlines() if line.startswith(" wrong")] == [["6", "6"]]


def test_several_judges_are_compared(tamis: Run) -> None:
    assert "between the judges: alpha 1.00" in tamis("judge", "offline", "offline").out


def test_json_holds_every_figure(tamis: Run) -> None:
    told = tamis("judge", "offline", "--json").json
    (calibration,) = told["calibrations"]
    assert calibration["reliable"] is True
    assert calibration["labels"][0]["label"] == "right"
    assert calibration["separation"]["questions"] == 19
    assert "two are needed" in told["agreement"]["reason"]


def test_a_judge_that_cannot_be_relied_on_is_exit_status_1(tamis: Run) -> None:
    with chat_server([says("All of it is lovely.")]) as server:
        ran = tamis("judge", server.url)
    assert ran.status == 1
    assert "not measured, 116 times: UnusableReply: " in ran.out
    assert ran.out.splitlines()[-1] == ("gave a usable judgement of only 0 of 116 answers: do not rely on it")


def test_the_rubric_that_ships_is_printed_to_start_from(tamis: Run, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(tamis("judge", "--show-rubric").out.replace('version = "1"', 'version = "9"'))
    assert "six-dimensions@9" in tamis("judge", "offline", "--rubric", mine).out


def test_without_a_judge_it_says_how_to_name_one(tamis: Run) -> None:
    ran = tamis("judge")
    assert (ran.status, ran.err) == (
        2,
        "tamis: no judge was named; write `tamis judge offline`, or name a model\n",
    )


def test_a_rubric_that_is_none_is_one_line(tmp_path: Path, tamis: Run) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('name = "bad"')
    ran = tamis("judge", "offline", "--rubric", bad)
    assert ran.status == 2
    assert ran.err.startswith(f"tamis: {bad}: no rubric; at version: Field required")
    assert len(ran.err.splitlines()) == 1


def test_a_judge_that_is_none_is_one_line(tamis: Run) -> None:
    ran = tamis("judge", "magic")
    assert (ran.status, len(ran.err.splitlines())) == (2, 1)


def test_what_it_needs_is_asked_for_before_a_judge_is(tamis: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    gone = "tamis.evals.judging.agreement.find_spec"
    monkeypatch.setattr(gone, lambda name: None if name == "krippendorff" else find(name))
    monkeypatch.setattr("tamis.cli.judge._ask", lambda *_, **__: pytest.fail("it was asked"))
    ran = tamis("judge", "offline")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "pip install 'tamis[evals]'" in ran.err
