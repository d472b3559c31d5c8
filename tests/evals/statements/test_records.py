from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import TypeAdapter
from rich.console import Console

from evals.inference.made_runs import point, result
from tamis.evals import NotMeasured, Result, Run, Settings, StatementRecall
from tamis.evals.figures.summary import summarise
from tamis.evals.inference.outcome_measures import get_figure
from tamis.reports import render_markdown, run_tables

NONE = NotMeasured(reason="nothing behind the cut sums up what was done")


def said(recall: float) -> StatementRecall:
    return StatementRecall(recall=recall, coverage=recall / 2, points=2, missing=(1,))


def run_of(*statements: StatementRecall | NotMeasured | None) -> Run:
    """A run of one method with one point for each."""
    points = [point(i) for i in range(len(statements))]
    results = [replace(result(p, "mask", 0.9), statements=s) for p, s in zip(points, statements, strict=True)]
    return Run(
        tamis="0", settings=Settings(methods=("mask",), budgets=("5%",)), exact_tokens=True, sessions=3,
        messages=9, points=points, results=results, skipped=(),
    )  # fmt: skip


def printed(run: Run) -> str:
    console = Console(width=140, highlight=False)
    with console.capture() as captured:
        for table in run_tables(run, width=140):
            console.print(table)
    return captured.get()


@pytest.mark.parametrize("statements", [said(0.5), NONE, None])
def test_a_result_is_read_back_as_it_was_written(statements: StatementRecall | NotMeasured | None) -> None:
    adapter = TypeAdapter(Result)
    written = replace(result(point(1), "mask", 0.9), statements=statements)
    assert adapter.validate_json(adapter.dump_json(written)).statements == statements


def test_what_was_not_measured_is_counted_and_is_no_zero() -> None:
    (cell,) = summarise(run_of(said(0.4), said(0.8), NONE))
    assert cell.statements is not None
    assert cell.statement_coverage is not None
    assert (cell.statements.mean, cell.statements.points) == (pytest.approx(0.6), 2)
    assert cell.statement_coverage.mean == pytest.approx(0.3)
    assert cell.statements_not_measured == {NONE.reason: 1}
    assert cell.not_measured == {}


def test_methods_can_be_compared_in_it() -> None:
    observed = get_figure("statements").observe(run_of(said(0.4), NONE, None))
    assert [one.value for one in observed] == [0.4]


def test_the_table_says_at_how_many_points_it_was_measured() -> None:
    text = printed(run_of(said(0.4), said(0.8), NONE))
    assert "statement recall" in text
    assert "statement recall at the 2 of 3 points with a later recap" in " ".join(text.split())
    assert "0.60" in text


def test_without_any_recap_there_is_no_row_and_the_table_says_why() -> None:
    text = " ".join(printed(run_of(NONE, NONE)).split())
    assert "statement recall not measured: no recap behind a cut" in text
    assert "0.00" not in text.partition("regret")[0]


def test_the_summary_has_it_before_the_names() -> None:
    text = render_markdown(run_of(said(0.4), said(0.8)))
    assert text.index("**Statement recall**") < text.index("**Hindsight recall**")
    assert "| mask | 0.60" in text
    assert "**Statement recall**: – (" in render_markdown(run_of(NONE, NONE))
