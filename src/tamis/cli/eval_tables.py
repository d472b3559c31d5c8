"""An evaluation as tables: figures with their intervals, per budget and method, and recall per set."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from tamis.cli.output import number, table
from tamis.evals import Run
from tamis.evals.statistics import Estimate
from tamis.evals.summary import Cell, sets_of, summarise

COLUMNS = ["budget", "method", ">kept", ">recall", ">95 %", ">weighted", ">regret", ">refetch", ">points"]


def run_tables(run: Run) -> Iterator[Table]:
    """All sets together; where there are several, the recall of each beside it."""
    cells = summarise(run)
    exact = "" if run.exact_tokens else ", tokens estimated"
    title = (
        f"Hindsight over {number(len(run.points))} points in {number(run.sessions)} sessions"
        f" ({number(run.messages)} messages, {run.settings.tokenizer}{exact})"
    )
    yield table(title, COLUMNS, [_row(cell) for cell in cells])
    if missing := [cell for cell in cells if cell.not_measured or cell.failed]:
        rows = [
            (cell.budget, cell.method, number(count), reason)
            for cell in missing
            for reason, count in (*cell.failed.items(), *cell.not_measured.items())
        ]
        yield table("Not measured", ["budget", "method", ">points", "why"], rows)
    names = sets_of(run)
    if len(names) > 1:
        by_set = [{(c.budget, c.method): c for c in summarise(run, set_name=name)} for name in names]
        rows_by_set = [
            (cell.budget, cell.method, *(_recall(found.get((cell.budget, cell.method))) for found in by_set))
            for cell in cells
        ]
        yield table("Recall by set", ["budget", "method", *(f">{name}" for name in names)], rows_by_set)


def _row(cell: Cell) -> tuple[str, ...]:
    return (
        cell.budget,
        cell.method,
        _share(cell.kept_share),
        _mean(cell.recall),
        _interval(cell.recall),
        _mean(cell.weighted_recall),
        _mean(cell.regret_rate),
        number(round(cell.refetch_tokens.mean)) if cell.refetch_tokens else "-",
        number(cell.recall.points) if cell.recall else "0",
    )


def _mean(estimate: Estimate | None) -> str:
    return f"{estimate.mean:.2f}" if estimate else "-"


def _share(estimate: Estimate | None) -> str:
    return f"{estimate.mean:.1%}" if estimate else "-"


def _interval(estimate: Estimate | None) -> str:
    if estimate is None or estimate.low is None or estimate.high is None:
        return "-"
    return f"{estimate.low:.2f}-{estimate.high:.2f}"


def _recall(cell: Cell | None) -> str:
    return f"{_mean(cell.recall)} ({cell.recall.points})" if cell and cell.recall else "-"
