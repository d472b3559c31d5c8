"""A run as Markdown: the summary that goes into a pull request."""

import html
from collections.abc import Iterator

from tamis.evals.figures.summary import Cell
from tamis.evals.rundir.results import Run
from tamis.reports import figure_labels as wording
from tamis.reports.findings import find
from tamis.reports.markdown_findings import acting_blocks, conclusion_blocks, reading_blocks
from tamis.reports.markdown_text import escaped, markdown_table, method_name
from tamis.reports.scopes import Scope, budget_label, scopes_of


def render_markdown(run: Run) -> str:
    """The figures, what reading told, what may be concluded, each set, what is missing, the command."""
    found = find(run)
    everything, *sets = scopes_of(run)
    blocks = [
        "## What survived compaction",
        f"{wording.coverage(everything)}. Read: {wording.counted(run.sessions, 'session')}, "
        f"{wording.counted(run.messages, 'message')}. Tokens: {wording.tokenizer(run)}.",
        *_statements(everything),
        "**Hindsight recall**: the share of the names that the agent went on to use which can still be read, "
        "with its 95 % interval.",
        _figures(everything, wording.RECALL),
        f"**Regret rate**: {wording.REGRET.means}.",
        _figures(everything, wording.REGRET),
    ]
    blocks += reading_blocks(found)
    blocks += acting_blocks(found)
    blocks += conclusion_blocks(found)
    for scope in sets:
        summary = f"<summary>{html.escape(scope.name or '')}: {wording.coverage(scope)}</summary>"
        blocks += [f"<details>{summary}", _figures(scope, wording.RECALL), "</details>"]
    blocks += _not_measured(run, everything)
    blocks.append(f"`{wording.command_of(run)}` · tamis {run.tamis}")
    return "\n\n".join(blocks) + "\n"


def _statements(scope: Scope) -> Iterator[str]:
    if not wording.stated_points(scope):
        yield f"**Statement recall**: {wording.MISSING} ({wording.stated(scope)})."
        return
    yield f"**Statement recall**: {wording.STATEMENTS.means}, with its 95 % interval."
    yield _figures(scope, wording.STATEMENTS)


def _figures(scope: Scope, measure: wording.FigureLabel) -> str:
    heading = ["method", *(budget_label(b) for b in scope.budgets)]
    rows = (
        [method_name(m), *(_cell(scope, scope.cell(m, b), measure) for b in scope.budgets)]
        for m in scope.methods
    )
    return markdown_table(heading, rows)


def _cell(scope: Scope, cell: Cell | None, measure: wording.FigureLabel) -> str:
    estimate = measure.of(cell)
    if estimate is None:
        return wording.mean(None)
    points = f", {wording.counted(estimate.points, 'point')}" if scope.is_partial(estimate) else ""
    return f"{wording.mean(estimate, measure)} ({wording.interval(estimate, measure)}{points})"


def _not_measured(run: Run, scope: Scope) -> Iterator[str]:
    rows = [
        [escaped(a.method), a.budgets, f"{a.points:,}", ("failed: " if a.failed else "") + escaped(a.reason)]
        for a in wording.absences(scope)
    ]
    rows += [
        ["", "", f"{count:,}", escaped(reason)] for reason, count in wording.skipped_reasons(run).items()
    ]
    if rows:
        yield "<details><summary>What was not measured</summary>"
        yield markdown_table(["method", "budget", "count at each", "why"], rows)
        yield "</details>"
