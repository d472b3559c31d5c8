"""A run in one small table: methods down, budgets across, what was kept of statements and of names."""

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from tamis.evals.controls import is_control

MISSING = "–"

_FIGURES = {
    "said": "said of what was summed up later",
    "share": "kept of the names that were used again",
}


@dataclass(frozen=True, kw_only=True)
class ShortTable:
    """The figures as texts: a heading of budgets, a row for each method, and what they are."""

    budgets: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str

    def __str__(self) -> str:
        lines = [("", *self.budgets), *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        shown = []
        for line in lines:
            cells = enumerate(zip(line, widths, strict=True))
            placed = (text.rjust(width) if at else text.ljust(width) for at, (text, width) in cells)
            shown.append("  ".join(placed).rstrip())
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
    """What a method kept at one point; None where that was not measured.

    `share` is of the needed names, `said` of the statements that were summed up later.
    """

    method: str
    budget: str
    cluster: str
    share: float | None
    said: float | None = None


def short_table(kept: Iterable[KeptShare], *, budgets: Sequence[str]) -> ShortTable:
    """The table, its budgets in this order; what was not measured is a dash, never zero."""
    cells: dict[tuple[str, str], list[KeptShare]] = {}
    for one in kept:
        cells.setdefault((one.method, one.budget), []).append(one)
    order = {budget: i for i, budget in enumerate(budgets)}
    cells = dict(sorted(cells.items(), key=lambda cell: order.get(cell[0][1], len(order))))
    measured = [one for some in cells.values() for one in some]
    used = [f for f in _FIGURES if any(getattr(one, f) is not None for one in measured)] or ["share"]
    shown = tuple(dict.fromkeys(budget for _, budget in cells))
    rows = tuple(
        (
            f"{method} *" if is_control(method) else method,
            *(_cell(cells.get((method, b), []), used) for b in shown),
        )
        for method in dict.fromkeys(method for method, _ in cells)
    )
    clusters = {one.cluster for one in measured if one.share is not None}
    told = [f"{_FIGURES[figure]} (points: {_points(cells.values(), figure):,})" for figure in used]
    over = f"sessions: {len(clusters):,}" if clusters else "nothing measured"
    return ShortTable(
        budgets=shown,
        rows=rows,
        note=f"{', '.join(told)}\n{over}; {MISSING} not measured; * control",
    )


def _points(cells: Iterable[Sequence[KeptShare]], figure: str) -> int:
    return max((sum(getattr(one, figure) is not None for one in some) for some in cells), default=0)


def _cell(some: Sequence[KeptShare], used: Sequence[str]) -> str:
    found = [[v for one in some if (v := getattr(one, figure)) is not None] for figure in used]
    return " ".join(f"{fmean(values):.2f}" if values else MISSING for values in found)
