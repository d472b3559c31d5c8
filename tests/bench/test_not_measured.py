"""An answer that the reader does not give is no zero, no gain, and can be asked for again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bench.boards import SETTINGS, SUITE
from tamis.bench.aggregation import CaseScore, at_least, cycle_of, missed_for_sure, score_cases
from tamis.bench.board import BoardRow, score_log
from tamis.bench.item_scorer import ItemScore
from tamis.bench.run import READER_PATIENCE, BenchPlan, in_this_process, run_benchmark
from tamis.bench.run_log import read_log
from tamis.bench.standings import stand
from tamis.compactors import get_method
from tamis.errors import (
    ModelError,
    ModelTimeout,
    ModelUnreachable,
    PromptTooLong,
    RequestRejected,
    UnreadableFile,
    UnusableReply,
)
from tamis.evals.probing.readers import Answer, LexicalReader
from tamis.messages import Message

PLAN = BenchPlan(suite=SUITE, **SETTINGS)  # type: ignore[arg-type]
CUT_SHORT = UnusableReply("m: the answer was cut short (length)")


class Failing(LexicalReader):
    """Quotes, and raises what `fails` makes of the number of the question."""

    def __init__(self, fails: Callable[[int], ModelError | None]) -> None:
        super().__init__()
        self.asked = 0
        self._fails = fails

    async def answer(self, question: str, context: Sequence[Message]) -> Answer:
        self.asked += 1
        if error := self._fails(self.asked):
            raise error
        return await super().answer(question, context)


def every_third(number: int) -> ModelError | None:
    return CUT_SHORT if number % 3 == 0 else None


def run(path: Path, reader: LexicalReader, **how: bool) -> BoardRow:
    own = get_method("head-tail")
    list(run_benchmark(PLAN, own, reader, path, compacts=in_this_process(own), **how))  # type: ignore[arg-type]
    return score_log(read_log(path), SUITE)


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cut") / "log"
    run(path, Failing(every_third))
    return path


@pytest.mark.parametrize(
    "error", [CUT_SHORT, ModelTimeout("late"), PromptTooLong("8192"), UnusableReply("refused")]
)
def test_an_answer_that_is_not_given_is_logged_with_its_reason_and_the_run_goes_on(
    error: ModelError, tmp_path: Path
) -> None:
    run(tmp_path / "log", Failing(lambda number: error if number == 2 else None))
    log = read_log(tmp_path / "log")
    assert len(log.cases) == len(SUITE.templates) * PLAN.slots
    reasons = [a.not_measured for case in log.cases for c in case.cycles for a in c.answers if a.not_measured]
    assert reasons == [f"{type(error).__name__}: {error}"]


def test_a_mean_is_over_what_was_measured_and_says_how_much_that_is(cut: Path) -> None:
    row = score_log(read_log(cut), SUITE)
    missing = row.score.answers - row.score.measured
    assert missing == row.score.answers // 3
    scores = [i.score for case in row.score.cases for c in case.cycles for i in c.items]
    assert scores.count(None) == missing
    assert row.least.overall is not None
    assert row.score.overall is not None
    assert row.least.overall < row.score.overall
    assert any(f"{missing} of {row.score.answers} answers not measured" in note for note in row.notes)


def test_a_run_of_which_nothing_was_measured_has_no_score(tmp_path: Path) -> None:
    nothing = run(tmp_path / "log", Failing(lambda number: CUT_SHORT))
    assert nothing.score.overall is None
    assert nothing.published is None
    assert nothing.least.overall == 0.0
    assert nothing.group == "unfinished"
    assert "nothing was measured" in nothing.reasons


def test_missing_answers_are_asked_again_only_where_told(cut: Path, tmp_path: Path) -> None:
    path, reader = tmp_path / "log", LexicalReader()
    path.write_bytes(cut.read_bytes())
    run(path, reader, resume=True)
    assert path.read_bytes() == cut.read_bytes()
    again = run(path, reader, resume=True, retry_missing=True)
    assert again.score == run(tmp_path / "whole", LexicalReader()).score
    assert any("when they were asked for again" in note for note in again.notes)
    assert path.read_bytes().startswith(cut.read_bytes())


def test_what_stays_without_an_answer_can_be_asked_again_later(cut: Path, tmp_path: Path) -> None:
    path, reader = tmp_path / "log", Failing(lambda number: CUT_SHORT)
    path.write_bytes(cut.read_bytes())
    before = score_log(read_log(path), SUITE).score
    after = run(path, reader, resume=True, retry_missing=True).score
    assert reader.asked == before.answers - before.measured
    assert path.read_bytes() == cut.read_bytes()
    assert after == before


def test_an_answer_that_was_given_cannot_be_replaced(cut: Path, tmp_path: Path) -> None:
    path, log = tmp_path / "log", read_log(cut)
    entry = log.cases[0]
    item = next(iter(entry.cycles[0].texts))
    better = {"again": entry.case, "cycle": 0, "answers": [{"item": item, "text": "as expected"}]}
    path.write_bytes(cut.read_bytes() + json.dumps(better, separators=(",", ":")).encode() + b"\n")
    lines = len(log.cases) + 2
    with pytest.raises(UnreadableFile, match=f"line {lines}: .*{item!r} was answered before"):
        read_log(path)


def test_answers_to_a_case_that_was_not_run_are_refused(cut: Path, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(cut.read_bytes() + b'{"again":"nosuch","cycle":0,"answers":[]}\n')
    with pytest.raises(UnreadableFile, match="nosuch, which no line before tells of"):
        read_log(path)


def test_a_reader_that_is_down_ends_the_run_and_what_was_done_stays(tmp_path: Path) -> None:
    down = ModelUnreachable("m cannot be reached")
    reader = Failing(lambda number: down if number > 7 else None)
    with pytest.raises(ModelUnreachable):
        run(tmp_path / "log", reader)
    assert reader.asked == 7 + READER_PATIENCE
    assert read_log(tmp_path / "log").cases
    assert run(tmp_path / "log", LexicalReader(), resume=True).complete


def test_a_key_that_is_refused_ends_the_run_at_the_first_question(tmp_path: Path) -> None:
    reader = Failing(lambda number: RequestRejected("m: status 401: wrong key"))
    with pytest.raises(RequestRejected):
        run(tmp_path / "log", reader)
    assert reader.asked == 1


def test_a_question_that_is_refused_among_others_is_not_measured(tmp_path: Path) -> None:
    refused = RequestRejected("m: status 400: content policy")
    row = run(tmp_path / "log", Failing(lambda number: refused if number > 1 else None))
    assert row.score.measured == 1


def item(key: str, score: float | None, *, contradicts: bool = False) -> ItemScore:
    return ItemScore(
        key=key, type="locked_decision_retention", score=score, contradicts=contradicts, reason=""
    )


def case(*cycles: Sequence[ItemScore]) -> CaseScore:
    made = tuple(cycle_of(items, 8.0) for items in cycles)
    return CaseScore(case="c", template="t", family="f", slot=0, cycles=made)


def test_a_cycle_of_which_nothing_was_measured_is_in_no_mean() -> None:
    one = case([item("a", 1.0)], [item("a", None)])
    assert one.score == 1.0
    assert one.drift_resistance is None


def test_drift_is_over_what_was_measured_in_every_cycle() -> None:
    one = case([item("a", 1.0), item("b", 1.0)], [item("a", 0.5), item("b", None)])
    assert one.drift_resistance == 0.5


@pytest.mark.parametrize(
    ("honest", "failing"),
    [
        ([0.0, 1.0], [None, 1.0]),
        ([1.0, 0.0], [1.0, None]),
        ([1.0, 1.0], [None, 1.0]),
        ([0.0, 0.0], [None, None]),
    ],
)
def test_no_figure_gets_better_for_sure_where_the_reader_fails(
    honest: list[float], failing: list[float | None]
) -> None:
    def figures(scores: Sequence[float | None]) -> list[float]:
        first, later = scores
        least = at_least([case([item("a", first), item("b", 1.0)], [item("a", later), item("b", 1.0)])])
        parts = (least.overall, least.drift_resistance, least.constraint_retention)
        return [*(part or 0.0 for part in parts), -(least.contradiction_rate or 0.0)]

    assert all(a >= b for a, b in zip(figures(honest), figures(failing), strict=True))


def test_a_floor_that_might_be_missed_disqualifies_and_says_so() -> None:
    cases = [case([item("a", 1.0), item("b", 1.0)], [item("a", 1.0), item("b", None)])]
    measured = score_cases(cases)
    assert missed_for_sure(measured, measured, "mid") == []
    assert missed_for_sure(measured, at_least(cases), "mid") == [
        "1 of 4 answers not measured; at worst: 25.0% of the answers contradict what holds, above 10%"
    ]


def test_places_go_by_what_is_sure(cut: Path, tmp_path: Path) -> None:
    whole = run(tmp_path / "log", LexicalReader())
    flattered = score_log(read_log(cut), SUITE)
    shown = replace(flattered, score=replace(flattered.score, overall=0.99))
    twin = replace(shown, setup=replace(shown.setup, method="a twin that is shown more"))
    (found,) = stand([twin, whole])
    assert found.standings[0].row.setup.method == "head-tail"
