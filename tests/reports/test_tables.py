from __future__ import annotations

from dataclasses import replace

from rich.console import Console

from evals.test_prices import PRICE
from tamis.evals import NotMeasured, Run
from tamis.evals.figures.summary import summarise
from tamis.reports import run_tables


def printed(run: Run, width: int = 100) -> list[str]:
    console = Console(width=width, highlight=False)
    with console.capture() as captured:
        for table in run_tables(run, width=width):
            console.print(table)
    return captured.get().splitlines()


def rows(lines: list[str], block: str) -> dict[str, list[str]]:
    """The rows of the first block with this heading, by method."""
    start = next(i for i, line in enumerate(lines) if line.strip() == block)
    found: dict[str, list[str]] = {}
    for line in lines[start + 1 :]:
        if not line.strip():
            return found
        method, *cells = line.replace(" *", "").split()
        found[method] = cells
    return found


def test_recall_stands_with_its_interval_for_every_method_and_budget(run: Run) -> None:
    recall = rows(printed(run), "recall")
    for cell in summarise(run):
        if cell.recall and cell.recall.low is not None and cell.budget == "20%":
            said = [f"{cell.recall.mean:.2f}", f"{cell.recall.low:.2f}–{cell.recall.high:.2f}"]
            assert recall[cell.method][-2:] == said


def test_what_was_not_measured_is_a_dash_and_no_zero(run: Run) -> None:
    lines = printed(run)
    assert rows(lines, "recall")["broken"] == ["–", "–", "–"]
    assert rows(lines, "tokens per task")["recorded"] == ["–", "–", "–"]


def test_an_average_over_fewer_points_says_so(run: Run) -> None:
    covered = rows(printed(run), "points (sessions)")
    assert covered["index"][-2:] == ["4", "(4)"]
    assert covered["broken"] == ["0", "0", "0"]


def test_control_arms_are_marked(run: Run) -> None:
    text = "\n".join(printed(run))
    assert "index *" in text
    assert "nothing *" in text
    assert "ledger *" not in text


def test_failures_and_their_reasons_stand_in_the_table(run: Run) -> None:
    line = next(line for line in printed(run, 200) if "RuntimeError" in line)
    assert "failed: " in line
    assert "no <b>luck</b> today" in line


def test_each_set_has_a_table_of_its_own(run: Run) -> None:
    lines = [line.strip() for line in printed(run)]
    assert "plain: 3 points in 3 sessions" in lines
    assert "odd <set>: 1 point in 1 session" in lines


def test_in_a_narrow_terminal_no_line_is_too_long_and_no_budget_is_lost(run: Run) -> None:
    lines = printed(run, 44)
    assert max(len(line) for line in lines) <= 44
    headings = [line.strip() for line in lines if line.strip() in ("1 %", "5 %", "20 %")]
    assert headings[:3] == ["1 %", "5 %", "20 %"]


def test_costs_stand_in_the_table_where_they_were_asked_for(run: Run) -> None:
    assert "USD per task" not in "\n".join(printed(run))
    lines = printed(replace(run, settings=replace(run.settings, price=PRICE)), width=200)
    assert rows(lines, "USD per task")["broken"] == ["–", "–", "–"]
    cached, uncached = (float(rows(lines, f"USD {of}")["index"][-1]) for of in ("per task", "without cache"))
    assert 0 < cached < uncached
    assert "priced as maker:model on 2026-06-01 (a test)" in " ".join(" ".join(lines).split())


def test_a_price_that_is_not_known_is_said(run: Run) -> None:
    unknown = NotMeasured(reason="nobody knows a price of x:y")
    lines = printed(replace(run, settings=replace(run.settings, price=unknown)), width=200)
    assert set(rows(lines, "USD per task")["index"]) == {"–"}
    assert "nobody knows a price of x:y" in " ".join(" ".join(lines).split())
