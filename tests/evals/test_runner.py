"""Running an evaluation: every method at every budget at every point, and what could not be measured."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evals.recorded import compacted_by_itself, talk
from tamis.errors import InputError
from tamis.evals import (
    Failure,
    Hindsight,
    NotMeasured,
    SessionFile,
    SessionResults,
    Settings,
    evaluate,
    evaluate_file,
    evaluate_session,
)
from tamis.evals.experiment.runner import measure_files
from tamis.evals.experiment.workers import Serial
from tamis.evals.rundir.results import digest
from tamis.messages import ExactCounter, Session, count_messages


def settings(*methods: str, budgets: tuple[str, ...] = ("10%",), at: tuple[str, ...] = ("50%",)) -> Settings:
    return Settings(methods=methods, budgets=budgets, at=at)


def measured(session: Session, wanted: Settings) -> SessionResults:
    return evaluate_session(session, wanted, source="talk.jsonl", set_name="talks")


def chat_file(path: Path, session: Session) -> Path:
    path.write_text(json.dumps([{"role": m.role, "content": m.text} for m in session.messages]))
    return path


def test_every_method_is_measured_at_every_budget_at_every_point() -> None:
    made = measured(talk(20), settings("index", "truncate", budgets=("5%", "500"), at=("50%", "#14")))
    assert [(r.method, r.budget) for r in made.results] == [
        (method, budget) for _ in range(2) for budget in ("5%", "500") for method in ("index", "truncate")
    ]
    assert len({r.point for r in made.results}) == len(made.points) == 2
    assert (made.sessions, made.messages) == (1, 20)


def test_the_controls_stand_at_both_ends() -> None:
    [full] = measured(talk(20), settings("full")).results  # which takes nothing out, whatever the budget
    [nothing] = measured(talk(20), settings("nothing")).results
    assert isinstance(full.score, Hindsight)
    assert isinstance(nothing.score, Hindsight)
    assert (full.score.recall, nothing.score.recall) == (1.0, 0.0)


def test_every_text_that_a_result_names_is_there() -> None:
    made = measured(talk(20), settings("index", "truncate"))
    [point] = made.points
    named = {point.span, point.view_before, point.view_behind, *(r.context for r in made.results)}
    assert set(made.texts) == named - {None}
    assert "### 1 user m0" in made.texts[point.span]
    for key, text in made.texts.items():
        assert digest(text) == key


def test_no_result_is_over_its_budget() -> None:
    made = measured(talk(20), settings("index", "truncate", "mask", "ledger", budgets=("300", "5%", "30%")))
    for result in made.results:
        if result.outcome == "fits":
            assert result.tokens_after <= result.budget_tokens


def test_a_budget_that_cannot_be_met_is_not_measured() -> None:
    made = measured(talk(20), settings("truncate", budgets=("5",)))
    [score] = [r.score for r in made.results]
    assert isinstance(score, NotMeasured)
    assert score.reason.startswith("budget not met: ")


def test_a_sealed_compaction_is_not_measured(tmp_path: Path) -> None:
    path = tmp_path / "sealed.py"
    path.write_text(
        "from dataclasses import replace\n"
        "from tamis.compactors.methods.nothing import Nothing\n"
        "class Sealed(Nothing):\n"
        "    name = 'sealed'\n"
        "    async def compact(self, request):\n"
        "        return replace(await super().compact(request), readable=False)\n"
    )
    [result] = measured(talk(20), settings(f"{path}:Sealed")).results
    assert isinstance(result.score, NotMeasured)
    assert "cannot be read" in result.score.reason


def test_a_method_that_raises_fails_and_the_others_go_on(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text(
        "class Broken:\n    name, version = 'broken', '1'\n"
        "    async def compact(self, _):\n        raise OSError('gone')\n"
    )
    made = measured(talk(20), settings(f"{path}:Broken", "index"))
    broken, index = made.results
    assert isinstance(broken.score, Failure)
    assert "gone" in broken.score.reason
    assert broken.outcome == "failed"
    assert isinstance(index.score, Hindsight)


def test_the_agents_own_summary_gives_the_budget() -> None:
    session = compacted_by_itself()
    made = measured(session, settings("index", budgets=("own",), at=("own",)))
    with_summary, without = made.results
    assert with_summary.budget_tokens == count_messages([session.messages[8]], ExactCounter())[0]
    assert isinstance(without.score, NotMeasured)
    assert "made no summary here" in without.score.reason


def test_the_recorded_summary_is_measured_like_a_method() -> None:
    made = measured(compacted_by_itself(), settings("recorded", budgets=("own",), at=("own",)))
    [score] = [r.score for r in made.results if r.outcome == "fits"]
    assert isinstance(score, Hindsight)
    assert "src/file_2.py" not in score.missing


def test_a_session_without_a_point_is_skipped_with_the_reason() -> None:
    made = measured(talk(4), settings("index", at=("500k",)))
    assert (made.sessions, made.points, made.results) == (1, (), ())
    [skipped] = made.skipped
    assert (skipped.what, skipped.reason) == ("talk at 500000", "the session ends before this point")


def test_a_file_that_cannot_be_read_is_skipped_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "notes.bin"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    made = evaluate_file(path, settings("index"), set_name="talks")
    assert made.sessions == 0
    [skipped] = made.skipped
    assert (skipped.source, skipped.what) == (str(path), "notes.bin")
    assert "binary" in skipped.reason


def test_files_come_back_one_by_one_each_in_its_set(tmp_path: Path) -> None:
    files = [
        SessionFile(set=name, path=chat_file(tmp_path / f"{name}.json", talk(20))) for name in ("one", "two")
    ]
    both = SessionResults.merged(list(measure_files(files, settings("index"), Serial())))
    assert [p.set for p in both.points] == ["one", "two"]
    assert [p.cluster.partition("/")[0] for p in both.points] == ["one", "two"]
    assert (both.sessions, len(both.results), len({p.key for p in both.points})) == (2, 2, 2)


def test_the_same_sessions_give_the_same_results() -> None:
    one, two = (
        evaluate([talk(20)], methods=["index", "ledger"], budgets=[0.05, 400], at=["30%", "70%"])
        for _ in range(2)
    )
    untimed = [[replace(r, latency_ms=0.0) for r in run.results] for run in (one, two)]
    assert untimed[0] == untimed[1]
    assert (one.points, one.probes, one.answers) == (two.points, two.probes, two.answers)


@pytest.mark.parametrize(
    "wrong",
    [
        {"sessions": []},
        {"budgets": [0]},
        {"methods": ["no-such-method"]},
        {"at": ["half"]},
        {"tokenizer": "p50k"},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_what_cannot_be_evaluated_is_an_error(wrong: dict[str, list[object]]) -> None:
    asked: dict[str, object] = {"sessions": [talk(20)], "methods": ["index"], "budgets": ["5%"], **wrong}
    with pytest.raises(InputError):
        evaluate(asked.pop("sessions"), **asked)  # type: ignore[arg-type]
