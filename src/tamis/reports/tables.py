"""An evaluation as tables for a terminal: methods down, budgets across, one block of rows per measure."""

from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from tamis.evals.controls import is_control
from tamis.evals.figures.summary import Cell
from tamis.evals.rundir.results import Run
from tamis.reports import figure_labels as wording
from tamis.reports.figure_labels import Scope, budget_label, scopes_of

_OF_A_SET = (wording.STATEMENTS, wording.RECALL, wording.REGRET)
_OVER_ALL = (*_OF_A_SET, wording.REFETCH, wording.PER_TASK, wording.KEPT, wording.CACHED)
_COSTS = (wording.COST, wording.COST_UNCACHED)
_WITH_INTERVAL = (wording.STATEMENTS, wording.RECALL)
_CELL_CHARS = len("0.57 0.44–0.68") + 3
_LABEL_CHARS = max(len(m.title) for m in (*_OVER_ALL, *_COSTS)) + 3


def run_tables(run: Run, *, width: int = 80) -> Iterator[Table]:
    """All points together, then each set, then what was not measured.

    Where the budgets do not fit side by side into so many columns of the terminal, a table is followed by
    another with the rest of them.
    """
    scopes = scopes_of(run)
    for scope in scopes:
        measures = _OF_A_SET if scope.name else (*_OVER_ALL, *(_COSTS if run.settings.price else ()))
        for i, budgets in enumerate(_fitting(scope, width)):
            title = _title(run, scope) if i == 0 else None
            yield _figures(run, scope, budgets, measures, title=title)
    if missing := wording.absences(scopes[0]):
        yield _absences(missing)


def new_table(title: str | None, *columns: str | Column, caption: str = "") -> Table:
    """An empty table; a column whose name begins with `>` is set to the right, the others fold."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left", title_style="bold")
    table.title, table.caption = title and escape(title), escape(caption) or None
    table.caption_justify = "left"
    for column in columns:
        if isinstance(column, Column):
            table.add_column(column.header, justify=column.justify, overflow=column.overflow)
        elif column.startswith(">"):
            table.add_column(column[1:], justify="right")
        else:
            table.add_column(column, overflow="fold")
    return table


def method_label(method: str) -> str:
    """A method, with a star where it is a control arm."""
    return f"{method} *" if is_control(method) else method


def _fitting(scope: Scope, width: int) -> Iterator[tuple[str, ...]]:
    room = width - max(_LABEL_CHARS, *(len(method_label(m)) + 3 for m in scope.methods))
    per_table = max(1, room // _CELL_CHARS)
    for start in range(0, len(scope.budgets), per_table):
        yield scope.budgets[start : start + per_table]


def _title(run: Run, scope: Scope) -> str:
    if scope.name:
        return f"{scope.name}: {wording.coverage(scope)}"
    of_all = f"{wording.counted(run.sessions, 'session')}, {wording.counted(run.messages, 'message')}"
    return f"All: {wording.coverage(scope)} (of {of_all}; tokens {wording.tokenizer(run)})"


def _figures(
    run: Run,
    scope: Scope,
    budgets: Sequence[str],
    measures: Sequence[wording.FigureLabel],
    *,
    title: str | None,
) -> Table:
    caption = _caption(scope, measures, wording.pricing(run))
    table = new_table(title, "", *(f">{budget_label(budget)}" for budget in budgets), caption=caption)
    for measure in measures:
        if measure is wording.STATEMENTS and not wording.stated_points(scope):
            continue  # a block of dashes; the caption says why
        rows = {m: [_figure(measure, scope.cell(m, b)) for b in budgets] for m in scope.methods}
        _add_block(table, measure.title, rows)
    if _is_any_partial(scope, budgets):
        covered = {m: [_covered(scope.cell(m, b)) for b in budgets] for m in scope.methods}
        _add_block(table, "points (sessions)", covered)
    return table


def _add_block(table: Table, title: str, rows: Mapping[str, Sequence[str]]) -> None:
    table.add_row(Text(title, style="bold"))
    for method, cells in rows.items():
        table.add_row(escape(method_label(method)), *cells)
    table.add_section()


def _figure(measure: wording.FigureLabel, cell: Cell | None) -> str:
    estimate = measure.of(cell)
    said = wording.mean(estimate, measure)
    return f"{said} {wording.interval(estimate)}" if measure in _WITH_INTERVAL and estimate else said


def _covered(cell: Cell | None) -> str:
    return f"{cell.recall.points:,} ({cell.recall.clusters:,})" if cell and cell.recall else "0"


def _is_any_partial(scope: Scope, budgets: Sequence[str]) -> bool:
    cells = [scope.cell(m, b) for m in scope.methods for b in budgets]
    return any(c is None or c.recall is None or scope.is_partial(c.recall) for c in cells)


def _caption(scope: Scope, measures: Sequence[wording.FigureLabel], priced: str) -> str:
    notes = ["recall with its 95 % interval"] if wording.RECALL in measures else []
    if wording.STATEMENTS in measures:
        notes.append(wording.stated(scope))
    if any(is_control(m) for m in scope.methods):
        notes.append("* control arm")
    notes.append(f"{wording.MISSING} not measured")
    if priced and wording.COST in measures:
        notes.append(priced)
    return "; ".join(notes)


def _absences(missing: Sequence[wording.Absence]) -> Table:
    table = new_table("Not measured", Column("method"), Column("budget"), ">points each", "why")
    for absence in missing:
        why = f"failed: {absence.reason}" if absence.failed else absence.reason
        table.add_row(escape(absence.method), absence.budgets, f"{absence.points:,}", escape(why))
    return table
