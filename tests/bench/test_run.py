from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tamis.bench.board import BoardRow, rank, score_log
from tamis.bench.run import PATIENCE, BenchPlan, in_this_process, run_benchmark, without_side_channel
from tamis.bench.run_log import read_log
from tamis.bench.suite import Suite, load_suite
from tamis.compactors import Compaction, CompactionRequest, get_method, run_compactor
from tamis.errors import InputError, MethodFailed, NotComparable, OutputExists, UnreadableFile
from tamis.evals.probing.readers import LexicalReader
from tamis.messages import get_counter

WHOLE = load_suite("practice")
SUITE = replace(WHOLE, templates=WHOLE.templates[:2])


def plan(suite: Suite = SUITE, **settings: object) -> BenchPlan:
    return BenchPlan(suite=suite, **{"slots": 2, "cycles": 1, "length_tokens": 1_000, **settings})  # type: ignore[arg-type]


def run(path: Path, method: str = "head-tail", *, resume: bool = False, **settings: object) -> BoardRow:
    made = plan(**settings)
    own = get_method(method)
    list(run_benchmark(made, own, LexicalReader(), path, resume=resume, compacts=in_this_process(own)))
    return score_log(read_log(path), made.suite)


def test_every_case_is_in_the_log_with_its_artifacts_and_answers(tmp_path: Path) -> None:
    run(tmp_path / "log")
    log = read_log(tmp_path / "log")
    assert len(log.cases) == 4
    assert all(len(case.cycles) == 2 for case in log.cases)
    assert all(cycle.artifact and cycle.answers for case in log.cases for cycle in case.cycles)


def test_a_run_that_is_resumed_after_a_cut_line_is_the_same_run(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole")
    data = (tmp_path / "whole").read_bytes()
    (tmp_path / "cut").write_bytes(data[: len(data) * 2 // 3])
    assert run(tmp_path / "cut", resume=True).score == whole.score


def test_a_finished_run_is_resumed_without_doing_anything(tmp_path: Path) -> None:
    run(tmp_path / "log")
    before = (tmp_path / "log").read_bytes()
    run(tmp_path / "log", resume=True)
    assert (tmp_path / "log").read_bytes() == before


def test_a_log_is_never_written_over(tmp_path: Path) -> None:
    run(tmp_path / "log")
    with pytest.raises(OutputExists, match="--resume"):
        run(tmp_path / "log")


@pytest.mark.parametrize("other", [{"slots": 3}, {"tier": "light"}, {"seed_group": "x"}, {"cycles": 2}])
def test_other_settings_do_not_resume_a_run(other: dict[str, object], tmp_path: Path) -> None:
    run(tmp_path / "log")
    with pytest.raises(NotComparable, match=f"other settings \\({next(iter(other))} "):
        run(tmp_path / "log", resume=True, **other)


def test_another_method_does_not_resume_a_run(tmp_path: Path) -> None:
    run(tmp_path / "log")
    with pytest.raises(NotComparable, match="method 'head-tail', now 'mask'"):
        run(tmp_path / "log", "mask", resume=True)


def test_a_suite_that_was_changed_is_another_one(tmp_path: Path) -> None:
    run(tmp_path / "log")
    changed = replace(SUITE, templates=SUITE.templates[:1])
    with pytest.raises(NotComparable, match="run it again"):
        score_log(read_log(tmp_path / "log"), changed)


def test_a_run_for_another_scorer_is_refused(tmp_path: Path) -> None:
    run(tmp_path / "log")
    log = read_log(tmp_path / "log")
    with pytest.raises(NotComparable, match="scorer 'tamis-0'"):
        score_log(replace(log, setup=replace(log.setup, scorer="tamis-0")), SUITE)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"hello\n", "line 1: not JSON"),
        (b"{}\n", "line 1"),
        (b'{"format": "tamis-bench/9"}\n', "tamis-bench/9"),
    ],
)
def test_what_is_no_log_is_named(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    with pytest.raises((UnreadableFile, NotComparable), match=said):
        read_log(path)


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    run(tmp_path / "log")
    lines = (tmp_path / "log").read_text().splitlines()
    lines[2] = json.dumps({"case": "x"})
    (tmp_path / "log").write_text("\n".join(lines) + "\n")
    with pytest.raises(UnreadableFile, match="line 3: cycles"):
        read_log(tmp_path / "log")


def test_a_later_cycle_gets_the_artifact_and_the_continuation_and_nothing_else(tmp_path: Path) -> None:
    asked: list[CompactionRequest] = []
    own = get_method("ledger")

    def spy(request: CompactionRequest) -> Compaction:
        asked.append(request)
        return run_compactor(own, request)

    made = plan(slots=1, cycles=1)
    list(run_benchmark(made, own, LexicalReader(), tmp_path / "log", compacts=spy))
    case = next(iter(SUITE.cases(made.spots, cycles=1)))
    first, second = asked[:2]
    assert first.span == case.messages
    assert second.span == case.continuations[0]
    assert second.previous is not None
    assert not second.previous.carry
    assert second.previous.state is None


def test_what_a_method_carries_besides_its_messages_is_taken_from_it() -> None:
    case = next(iter(SUITE.cases(plan().spots, cycles=1)))
    request = CompactionRequest(span=case.messages, budget_tokens=300, counter=get_counter("cl100k_base"))
    made = run_compactor(get_method("ledger"), request)
    assert made.carry
    assert without_side_channel(made).carry == {}


def test_a_method_that_fails_again_and_again_is_given_up(tmp_path: Path) -> None:
    def fails(request: CompactionRequest) -> Compaction:
        raise MethodFailed("no idea")

    list(run_benchmark(plan(), get_method("mask"), LexicalReader(), tmp_path / "log", compacts=fails))
    row = score_log(read_log(tmp_path / "log"), SUITE)
    assert len(read_log(tmp_path / "log").cases) == PATIENCE
    assert "1 of 4 slots not run" in row.reasons
    assert f"{PATIENCE} failures of the method, most often: no idea" in row.reasons


def test_one_cycle_measures_no_drift_and_does_not_qualify(tmp_path: Path) -> None:
    row = run(tmp_path / "log", cycles=0)
    assert row.elite is None
    assert any("drift not measured" in reason for reason in row.reasons)


def test_segments_are_never_mixed(tmp_path: Path) -> None:
    rows = [run(tmp_path / "a"), run(tmp_path / "b", slots=1), run(tmp_path / "c", "mask")]
    assert sorted(len(found) for found in rank(rows).values()) == [1, 2]


def test_a_method_that_qualifies_stands_before_one_that_does_not(tmp_path: Path) -> None:
    row = run(tmp_path / "a")
    good = replace(row, reasons=())
    bad = replace(row, reasons=("too large",), least=replace(row.least, overall=0.99))
    (ranked,) = rank([bad, good]).values()
    assert ranked == (good, bad)


def test_ties_are_broken_as_published(tmp_path: Path) -> None:
    row = replace(run(tmp_path / "a"), reasons=("too large",))
    steady = replace(row, least=replace(row.least, drift_resistance=0.9, constraint_retention=0.1))
    strict = replace(row, least=replace(row.least, drift_resistance=0.8, constraint_retention=0.9))
    (ranked,) = rank([strict, steady]).values()
    assert ranked == (steady, strict)


def test_the_last_of_ties_goes_to_the_run_that_was_begun_first(tmp_path: Path) -> None:
    row = run(tmp_path / "a")
    first, second = (
        replace(row, setup=replace(row.setup, begun=begun, method=method))
        for begun, method in [("2026-01-02T10:00:00+00:00", "z"), ("2026-01-03T10:00:00+00:00", "a")]
    )
    untold = replace(row, setup=replace(row.setup, method="_"))
    (ranked,) = rank([untold, second, first]).values()
    assert ranked == (first, second, untold)


@pytest.mark.parametrize("wrong", [{"slots": 0}, {"cycles": -1}])
def test_a_plan_without_slots_or_cycles_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match="at least 1 slot"):
        plan(**wrong)


def test_what_a_method_would_have_carried_is_counted_in_the_log(tmp_path: Path) -> None:
    row = run(tmp_path / "log", "ledger")
    assert row.withheld_tokens is not None
    assert row.withheld_tokens > 0


def test_a_log_without_what_was_withheld_tells_nothing_of_it(tmp_path: Path) -> None:
    run(tmp_path / "log")
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    for case in lines[1:]:
        for cycle in case["cycles"]:
            del cycle["withheld_tokens"]
    (tmp_path / "old").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert score_log(read_log(tmp_path / "old"), SUITE).withheld_tokens is None


def test_a_method_that_leaves_the_text_as_it_was_is_noted(tmp_path: Path) -> None:
    row = run(tmp_path / "log", "recorded")
    assert any("left the text as it was in 8 of 8 compactions" in note for note in row.notes)


def test_the_published_floors_are_told_beside_ours(tmp_path: Path) -> None:
    row = run(tmp_path / "log", "nothing")
    assert any("category-diversity guard" in reason for reason in row.published_reasons) or (
        len(row.score.families) < 2
    )
    assert row.published is not None
    assert row.published_floor == row.published.overall_score


def test_resuming_a_run_that_was_called_otherwise_is_allowed(tmp_path: Path) -> None:
    run(tmp_path / "log")
    made, own = plan(), get_method("head-tail")
    again = run_benchmark(
        made, own, LexicalReader(), tmp_path / "log",
        resume=True, compacts=in_this_process(own), called="other",
    )  # fmt: skip
    assert list(again) == []
