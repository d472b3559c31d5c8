"""A run in one small table: methods down, budgets across, the share of the needed names that was kept."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from tamis.evals.controls import is_control

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


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptShare:
    """The share of the needed names that a method kept at one point; None where that was not measured."""

    method: str
    budget: str
    cluster: str
    share: float | None


def short_table(kept: Iterable[KeptShare], *, budgets: Sequence[str]) -> ShortTable:
    """The table, its budgets in this order; what was not measured is a dash, never zero."""
    cells: dict[tuple[str, str], list[KeptShare]] = {}
    for one in kept:
        measured = cells.setdefault((one.method, one.budget), [])
        if one.share is not None:
            measured.append(one)
    order = {budget: i for i, budget in enumerate(budgets)}
    cells = dict(sorted(cells.items(), key=lambda cell: order.get(cell[0][1], len(order))))
    means = {arm: f"{fmean(one.share or 0.0 for one in some):.2f}" for arm, some in cells.items() if some}
    shown = tuple(dict.fromkeys(budget for _, budget in cells))
    rows = tuple(
        (f"{method} *" if is_control(method) else method, *(means.get((method, b), MISSING) for b in shown))
        for method in dict.fromkeys(method for method, _ in cells)
    )
    covered = max(cells.values(), key=len, default=[])
    sessions = len({one.cluster for one in covered})
    over = f"sessions: {sessions:,}, points: {len(covered):,}" if covered else "nothing measured"
    return ShortTable(
        budgets=shown,
        rows=rows,
        note=f"kept of the names that the agent went on to use; {over}; {MISSING} not measured; * control",
    )


def _set(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    first, *rest = zip(line, widths, strict=True)
    return [first[0].ljust(first[1]), *(text.rjust(wide) for text, wide in rest)]
