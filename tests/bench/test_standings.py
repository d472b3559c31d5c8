from __future__ import annotations

import shlex
from dataclasses import replace
from itertools import pairwise

import pytest

from bench.boards import SETTINGS, run
from tamis.bench.aggregation import CaseScore, CycleScore, RunScore
from tamis.bench.board import BoardRow
from tamis.bench.standings import Segment, command_of, pseudo_values, stand
from tamis.cli.bench import run as run_command

METHODS = ("head-tail", "truncate", "index", "full", "nothing")


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, BoardRow]:
    folder = tmp_path_factory.mktemp("runs")
    return {method: run(folder / method, method) for method in METHODS}


@pytest.fixture(scope="module")
def segment(rows: dict[str, BoardRow]) -> Segment:
    (found,) = stand(list(rows.values()))
    return found


def test_intervals_are_over_templates_not_over_cases(segment: Segment) -> None:
    score = segment.standings[0].score
    assert score is not None
    assert (score.points, score.clusters) == (8, 4)
    assert score.low is not None
    assert score.high is not None
    assert score.low <= score.mean <= score.high


def test_controls_and_what_is_too_large_take_no_place(segment: Segment) -> None:
    places = {standing.row.setup.method: standing.place for standing in segment.standings}
    assert sorted(places) == sorted(METHODS)
    assert (places["index"], places["nothing"], places["full"]) == (None, None, None)
    assert sorted(place for place in places.values() if place) == [1, 2]


def test_a_reader_that_cannot_answer_with_everything_in_view_gives_nobody_a_place(
    rows: dict[str, BoardRow],
) -> None:
    weak = replace(rows["full"], score=replace(rows["full"].score, overall=0.2))
    (found,) = stand([*(row for name, row in rows.items() if name != "full"), weak])
    assert [standing.place for standing in found.standings] == [None] * len(METHODS)
    assert found.warning is not None
    assert "scores 0.200" in found.warning


def test_without_full_nobody_knows_what_the_reader_can_do(rows: dict[str, BoardRow]) -> None:
    (found,) = stand([rows["head-tail"]])
    assert (found.ceiling, found.warning, found.standings[0].place) == (None, None, 1)


def test_what_reaches_the_ratio_stands_before_what_does_not(segment: Segment) -> None:
    groups = [standing.row.group for standing in segment.standings]
    assert groups == ["floor missed"] * 4 + ["too large"]


def test_what_does_not_qualify_is_ordered_by_score_not_by_elite(rows: dict[str, BoardRow]) -> None:
    steady = replace(
        rows["head-tail"], least=replace(rows["head-tail"].least, overall=0.1, drift_resistance=1.0)
    )
    better = replace(
        rows["truncate"], least=replace(rows["truncate"].least, overall=0.3, drift_resistance=0.0)
    )
    (found,) = stand([steady, better])
    assert [standing.row.setup.method for standing in found.standings] == ["truncate", "head-tail"]


def test_a_run_that_was_given_up_stands_last_however_good_it_is(rows: dict[str, BoardRow]) -> None:
    (found,) = stand([*rows.values(), replace(rows["full"], complete=False)])
    assert found.standings[-1].row.group == "unfinished"
    assert found.standings[-1].place is None


def test_a_lead_is_over_the_next_row_and_corrected_for_all_leads(segment: Segment) -> None:
    leads = [standing.margin for standing in segment.standings]
    for (above, below), margin in zip(pairwise(segment.standings[:4]), leads, strict=False):
        assert margin is not None
        assert margin.over == below.row.setup.method
        assert margin.figure == "score"
        assert margin.comparison.difference == pytest.approx(
            above.row.score.overall - below.row.score.overall
        )
        assert margin.p_holm is not None
        assert margin.comparison.p_value is not None
        assert margin.p_holm >= margin.comparison.p_value
    assert leads[3:] == [None, None]


def test_a_lead_in_every_template_is_told_apart(rows: dict[str, BoardRow]) -> None:
    def scoring(name: str, value: float) -> BoardRow:
        cycle = CycleScore(items=(), score=value, contradiction_rate=0.0, ratio=4.0)
        cases = tuple(
            CaseScore(case=f"{n}:{slot}", template=str(n), family="f", slot=slot, cycles=(cycle,))
            for n in range(8)
            for slot in range(2)
        )
        row = rows["head-tail"]
        score = replace(row.score, cases=cases, overall=value)
        return replace(row, setup=replace(row.setup, method=name), score=score)

    (found,) = stand([scoring("worse", 0.1), scoring("better", 0.9)])
    margin = found.standings[0].margin
    assert margin is not None
    assert margin.over == "worse"
    assert margin.is_told_apart
    assert margin.p_holm == 2 / 2**8


def test_the_same_answers_cannot_be_told_apart(rows: dict[str, BoardRow]) -> None:
    row = rows["head-tail"]
    (found,) = stand([row, replace(row, setup=replace(row.setup, method="twin"))])
    margin = found.standings[0].margin
    assert margin is not None
    assert margin.comparison.difference == 0.0
    assert not margin.is_told_apart


def test_what_qualifies_is_compared_in_what_it_is_ranked_by(rows: dict[str, BoardRow]) -> None:
    qualified = [replace(rows[name], reasons=()) for name in ("head-tail", "truncate")]
    (found,) = stand(qualified)
    margin = found.standings[0].margin
    assert margin is not None
    assert margin.figure == "elite"
    assert margin.comparison.clusters == 4


def test_there_is_no_lead_over_what_is_ranked_by_another_figure(rows: dict[str, BoardRow]) -> None:
    (found,) = stand([replace(rows["truncate"], reasons=()), rows["head-tail"]])
    assert [standing.row.setup.method for standing in found.standings] == ["truncate", "head-tail"]
    assert found.standings[0].margin is None


def test_pseudo_values_of_a_figure_that_is_a_mean_are_what_its_templates_say(
    rows: dict[str, BoardRow],
) -> None:
    row = rows["head-tail"]
    found = pseudo_values(row.score, row.setup.tier)
    assert len(found) == 4
    assert sum(found.values()) / 4 == pytest.approx(rows["head-tail"].elite, abs=0.1)


def test_an_elite_score_that_was_not_measured_has_no_interval(segment: Segment) -> None:
    (nothing,) = (s for s in segment.standings if s.row.setup.method == "nothing")
    assert nothing.elite is None
    assert nothing.drift is None


def test_what_is_beaten_in_both_is_not_on_the_front(rows: dict[str, BoardRow]) -> None:
    def row(name: str, score: RunScore, overall: float, ratio: float) -> BoardRow:
        base = rows["head-tail"]
        return replace(
            base, setup=replace(base.setup, method=name), least=replace(score, overall=overall, ratio=ratio)
        )

    score = rows["head-tail"].score
    (found,) = stand(
        [row("good", score, 0.9, 8.0), row("worse", score, 0.5, 5.0), row("tiny", score, 0.1, 9)]
    )
    assert {s.row.setup.method: s.beaten_by for s in found.standings} == {
        "good": (),
        "worse": ("good",),
        "tiny": (),
    }


def test_scores_are_told_for_every_cycle(segment: Segment) -> None:
    assert all(len(standing.by_cycle) == SETTINGS["cycles"] + 1 for standing in segment.standings)


def test_the_command_of_a_row_asks_for_the_same_run(rows: dict[str, BoardRow]) -> None:
    setup = replace(rows["head-tail"].setup, position="end", per_family=2, reader="model gguf:a.gguf")
    tamis, bench, run_, *words = shlex.split(command_of(setup))
    assert (tamis, bench, run_) == ("tamis", "bench", "run")
    asked = run_command.make_context("run", words).params
    for name in (
        "tier",
        "difficulty",
        "length_tokens",
        "position",
        "slots",
        "cycles",
        "seed_group",
        "per_family",
    ):
        assert asked[name] == getattr(setup, name)
    assert (asked["suite_name"], asked["method"], asked["reader"]) == ("practice", "head-tail", "gguf:a.gguf")


def test_a_command_names_a_submitted_method_as_it_was_called(rows: dict[str, BoardRow]) -> None:
    setup = replace(rows["head-tail"].setup, called="my method.py:Best", method="best")
    assert "-m 'my method.py:Best'" in command_of(setup)


def test_a_row_tells_what_is_handed_on_and_what_is_withheld(rows: dict[str, BoardRow]) -> None:
    assert rows["head-tail"].handed_on_tokens > 0
    assert rows["nothing"].handed_on_tokens < rows["head-tail"].handed_on_tokens
    assert rows["nothing"].withheld_tokens == 0


def test_segments_of_some_templates_and_of_all_are_not_mixed(rows: dict[str, BoardRow]) -> None:
    some = replace(rows["truncate"], setup=replace(rows["truncate"].setup, per_family=1))
    assert len(stand([rows["head-tail"], some])) == 2
