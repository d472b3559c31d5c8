"""Reading, drift, parts and conclusions as they are laid out for every form of the report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reports import runs
from tamis.evals import Run, read_run
from tamis.evals.figures.drift import HalfLife
from tamis.evals.figures.reading_summary import summarise_reading
from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.calibration import Calibration
from tamis.reports.conclusions import baseline_of, conclude
from tamis.reports.figure_labels import command_of
from tamis.reports.findings import LENGTH, SET, Findings, find, parts_of
from tamis.reports.number_format import half_life_text
from tamis.reports.reading_groups import PUBLISHED, distrust, judged_tables


@pytest.fixture(scope="module")
def found(run: Run) -> Findings:
    return find(run)


@pytest.fixture(scope="module")
def cycled(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return read_run(runs.write(tmp_path_factory.mktemp("cycled"), jobs=2, cycles=2))


def test_there_is_a_table_for_every_judge_with_its_calibration(found: Findings, run: Run) -> None:
    (table,) = found.judged
    assert (table.reader, table.judge) == ("lexical", "offline")
    assert table.calibration == next(iter(run.calibrations))
    assert [group.budget for group in table.groups] == ["1%", "5%", "20%"]


def test_the_published_rows_are_as_printed_and_their_mean_is_another() -> None:
    assert [row.overall for row in PUBLISHED] == [3.70, 3.44, 3.35]
    assert [round(row.mean_of_dimensions, 3) for row in PUBLISHED] == [3.955, 3.77, 3.72]


def test_the_published_rows_stand_beside_the_same_dimensions_only(run: Run, found: Findings) -> None:
    assert found.judged[0].published == PUBLISHED
    assert set(found.judged[0].dimensions) == set(PUBLISHED[0].dimensions)
    cells = [
        replace(cell, dimensions={f"my_{name}": e for name, e in cell.dimensions.items()})
        for cell in summarise_reading(run)
    ]
    assert judged_tables(run, cells)[0].published == ()


def test_a_control_arm_is_never_the_best(found: Findings) -> None:
    best = {method for group in found.judged[0].groups for method in group.best()}
    assert best <= {"truncate", "ledger", "recorded"}


def test_a_judge_of_whom_nothing_is_known_is_not_trusted(run: Run) -> None:
    (calibration,) = run.calibrations
    assert distrust(calibration) == ""
    assert "nobody found out" in distrust(None)
    bad: Calibration = replace(calibration, reliable=False, verdict="takes 90% of wrong answers for right")
    assert distrust(bad) == "takes 90% of wrong answers for right"


def test_methods_are_compared_with_the_first_that_is_no_control(run: Run, found: Findings) -> None:
    assert baseline_of(run) == found.conclusions.baseline == "truncate"
    assert [family.figure for family in found.conclusions.overall] == [
        "recall", "regret_rate", "reading", "overall",
    ]  # fmt: skip
    assert {row.method for row in found.conclusions.overall[0].rows} >= {"index", "ledger", "nothing"}


def test_with_one_method_there_is_nothing_to_compare(run: Run) -> None:
    one = replace(run, results=tuple(r for r in run.results if r.method == "ledger"))
    one = replace(one, answers=tuple(a for a in run.answers if a.result in {r.key for r in one.results}))
    said = conclude(replace(one, judgements=()))
    assert (said.baseline, said.overall) == (None, ())
    assert [unsaid.figure for unsaid in said.unsaid] == ["statements", "overall"]


def test_a_run_without_questions_says_so(run: Run) -> None:
    said = conclude(replace(run, probes=(), answers=(), judgements=()))
    assert [(one.figure, one.reason) for one in said.unsaid] == [
        ("reading", "no questions were asked"),
        ("statements", "no recap behind a cut says what could be known from the span only"),
    ]
    assert [family.figure for family in said.overall] == ["recall", "regret_rate"]


def test_fronts_are_drawn_against_tokens_and_without_a_price_not_against_dollars(found: Findings) -> None:
    assert [(front.figure, front.price) for front in found.conclusions.fronts] == [
        ("recall", "tokens"), ("reading", "tokens"), ("overall", "tokens"),
    ]  # fmt: skip


def test_parts_are_the_sets_and_where_they_differ_the_lengths(run: Run) -> None:
    assert [(part.by, part.name, part.points) for part in parts_of(run)] == [
        (SET, "odd <set>", 1), (SET, "plain", 3),
    ]  # fmt: skip
    points = [replace(p, span_tokens=20_000 if i else 500) for i, p in enumerate(run.points)]
    lengths = [part for part in parts_of(replace(run, points=tuple(points))) if part.by == LENGTH]
    assert [(part.name, part.points) for part in lengths] == [
        ("under 10k tokens", 1),
        ("10k to 50k tokens", 3),
    ]


def test_curves_of_the_same_thing_stand_together(cycled: Run) -> None:
    curves = find(cycled).curves
    places = [(curve.budget, curve.what) for curve in curves]
    assert len(dict.fromkeys(places)) == sum(a != b for a, b in zip(places, [None, *places], strict=False))


def test_half_lives_are_open_above_where_nothing_may_be_lost() -> None:
    life = HalfLife(cycles=2.0, low=1.0, high=None, rate=0.3, points=3, clusters=3)
    assert half_life_text(life) == "2.0 (1.0–…)"
    assert half_life_text(NotMeasured(reason="nothing was lost")) == "–"


def test_a_run_of_several_cycles_can_be_written_in_every_form(cycled: Run, tmp_path: Path) -> None:
    from tamis.reports import render_markdown, run_report

    assert "What survives cycle after cycle" in render_markdown(cycled)
    assert run_report(cycled).survival == find(cycled).curves


def test_the_command_that_is_told_measures_the_same_again(run: Run) -> None:
    plain = command_of(run)
    assert "--reader" not in plain
    settings = replace(
        run.settings, cycles=3, readers=("lexical", "openai:m"), judges=("openai:m",), repeats=2
    )
    told = command_of(replace(run, settings=settings))
    assert told.endswith("--cycles 3 --reader lexical --reader openai:m --judge openai:m --repeats 2")
    assert "--no-probes" in command_of(replace(run, settings=replace(run.settings, readers=(), judges=())))
