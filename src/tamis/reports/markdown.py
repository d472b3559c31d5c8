"""A run as Markdown: the summary that goes into a pull request."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence

from tamis.evals.results import Run
from tamis.evals.summary import Cell
from tamis.reports.scopes import Scope, budget_label, is_control, scopes_of
from tamis.reports.wording import (
    RECALL,
    REGRET,
    Measure,
    absences,
    command_of,
    counted,
    coverage,
    interval,
    mean,
    skipped_reasons,
    tokenizer,
)

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def render_markdown(run: Run) -> str:
    """Recall and regret over all points, recall of each set, what was not measured, and how to repeat it."""
    everything, *sets = scopes_of(run)
    blocks = [
        "## What survived compaction",
        f"{coverage(everything)}. Read: {counted(run.sessions, 'session')}, "
        f"{counted(run.messages, 'message')}. Tokens: {tokenizer(run)}.",
        "**Hindsight recall**: the share of the names that the agent went on to use which can still be read, "
        "with its 95 % interval.",
        _figures(everything, RECALL),
        f"**Regret rate**: {REGRET.means}.",
        _figures(everything, REGRET),
    ]
    for scope in sets:
        summary = f"<summary>{html.escape(scope.name or '')}: {coverage(scope)}</summary>"
        blocks += [f"<details>{summary}", _figures(scope, RECALL), "</details>"]
    blocks += _not_measured(run, everything)
    blocks.append(f"`{command_of(run)}` · tamis {run.tamis}")
    return "\n\n".join(blocks) + "\n"


def _figures(scope: Scope, measure: Measure) -> str:
    heading = ["method", *(budget_label(b) for b in scope.budgets)]
    rows = (
        [_method(m), *(_cell(scope, scope.cell(m, b), measure) for b in scope.budgets)] for m in scope.methods
    )
    return _table(heading, rows)


def _cell(scope: Scope, cell: Cell | None, measure: Measure) -> str:
    estimate = measure.of(cell)
    if estimate is None:
        return mean(None)
    points = f", {counted(estimate.points, 'point')}" if scope.is_partial(estimate) else ""
    return f"{mean(estimate, measure)} ({interval(estimate, measure)}{points})"


def _method(method: str) -> str:
    return f"*{_escaped(method)}* (control)" if is_control(method) else _escaped(method)


def _not_measured(run: Run, scope: Scope) -> Iterator[str]:
    rows = [
        [
            _escaped(a.method),
            a.budgets,
            f"{a.points:,}",
            ("failed: " if a.failed else "") + _escaped(a.reason),
        ]
        for a in absences(scope)
    ]
    rows += [["", "", f"{count:,}", _escaped(reason)] for reason, count in skipped_reasons(run).items()]
    if rows:
        yield "<details><summary>What was not measured</summary>"
        yield _table(["method", "budget", "count at each", "why"], rows)
        yield "</details>"


def _table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _escaped(text: str) -> str:
    """Text that Markdown and its HTML show as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
