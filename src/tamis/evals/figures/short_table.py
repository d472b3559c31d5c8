"""A run in one small table: methods down, budgets across, the share of the needed names that was kept."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from tamis.evals.controls import is_control
from tamis.evals.figures.summary import Cell, summarise
from tamis.evals.rundir.results import Run

MISSING = "–"


@dataclass(frozen=True, kw_only=True)
class ShortTable:
    """The figures as texts: a heading of budgets, a row for each method, and what they are."""

    budgets: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str

    def __str__(self) -> str:
        """Plain text, its columns set to the right."""
        lines = [("", *self.budgets), *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        shown = ["  ".join(_set(line, widths)).rstrip() for line in lines]
        return "\n".join([*shown, self.note])

    def _repr_html_(self) -> str:
        heading = "".join(f"<th>{html.escape(cell)}</th>" for cell in ("", *self.budgets))
        body = "".join(
            f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in self.rows
        )
        return f"<table><tr>{heading}</tr>{body}</table><p>{html.escape(self.note)}</p>"

    __repr__ = __str__


def short_table(run: Run) -> ShortTable:
    """The table of a run; what was not measured is a dash, never zero."""
    cells = {(cell.method, cell.budget): cell for cell in summarise(run)}
    budgets = tuple(dict.fromkeys(budget for _, budget in cells))
    methods = dict.fromkeys(method for method, _ in cells)
    rows = tuple(
        (f"{method} *" if is_control(method) else method, *(_kept(cells.get((method, b))) for b in budgets))
        for method in methods
    )
    covered = max(
        (cell.recall for cell in cells.values() if cell.recall), key=lambda r: r.points, default=None
    )
    over = f"sessions: {covered.clusters:,}, points: {covered.points:,}" if covered else "nothing measured"
    return ShortTable(
        budgets=budgets,
        rows=rows,
        note=f"kept of the names that the agent went on to use; {over}; {MISSING} not measured; * control",
    )


def _kept(cell: Cell | None) -> str:
    return MISSING if cell is None or cell.recall is None else f"{cell.recall.mean:.2f}"


def _set(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    first, *rest = zip(line, widths, strict=True)
    return [first[0].ljust(first[1]), *(text.rjust(wide) for text, wide in rest)]
