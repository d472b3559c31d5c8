"""A run as Markdown: the summary that goes into a pull request."""

import html
import re
from collections.abc import Iterable, Iterator, Sequence

from tamis.evals.controls import is_control
from tamis.evals.figures.summary import Cell
from tamis.evals.inference.method_comparisons import Family
from tamis.evals.rundir.results import Run
from tamis.reports import figure_labels as wording
from tamis.reports.conclusions import Conclusions
from tamis.reports.figure_labels import MISSING, Scope, budget_label, interval, mean, scopes_of
from tamis.reports.findings import Findings, find
from tamis.reports.number_format import difference_bounds, half_life_text, p_text, signed
from tamis.reports.reading_groups import SOURCE, DimensionTable, QuestionTable, ReadingGroup, distrust


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
    blocks += [*_reading(found), *_acting(found), *_conclusions(found)]
    for scope in sets:
        summary = f"{html.escape(scope.name or '')}: {wording.coverage(scope)}"
        blocks += folded(summary, _figures(scope, wording.RECALL))
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
    cells = {m: [_cell(scope, scope.cell(m, b), measure) for b in scope.budgets] for m in scope.methods}
    return markdown_table(heading, ([method_name(m), *row] for m, row in cells.items()))


def _cell(scope: Scope, cell: Cell | None, measure: wording.FigureLabel) -> str:
    estimate = measure.of(cell)
    if estimate is None:
        return mean(None)
    points = f", {wording.counted(estimate.points, 'point')}" if scope.is_partial(estimate) else ""
    return f"{mean(estimate, measure)} ({interval(estimate, measure)}{points})"


def _not_measured(run: Run, scope: Scope) -> Iterator[str]:
    rows = []
    for a in wording.absences(scope):
        why = ("failed: " if a.failed else "") + escaped(a.reason)
        rows.append([escaped(a.method), a.budgets, f"{a.points:,}", why])
    for reason, count in wording.skipped_reasons(run).items():
        rows.append(["", "", f"{count:,}", escaped(reason)])
    if rows:
        table = markdown_table(["method", "budget", "count at each", "why"], rows)
        yield from folded("What was not measured", table)


_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def markdown_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; all columns but the first are set to the right."""
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def escaped(text: str) -> str:
    r"""Text that Markdown and its HTML show as it is, on one line.

    >>> escaped("a_b <c>")
    'a\\_b \\<c\\>'
    """
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def method_name(method: str) -> str:
    """A method, marked where it is a control arm."""
    return f"*{escaped(method)}* (control)" if is_control(method) else escaped(method)


def folded(summary: str, *blocks: str) -> Iterable[str]:
    """Blocks that are folded away under a line of HTML."""
    yield f"<details><summary>{summary}</summary>"
    yield from blocks
    yield "</details>"


def _reading(found: Findings) -> Iterator[str]:
    """The dimensions by judge, with how far it can be trusted, the kinds of questions, and the drift."""
    for table in found.judged:
        who = f"answered by {escaped(table.reader)}, judged by {escaped(table.judge)}"
        yield f"**Six dimensions**, 0 to 5, {who}."
        yield _judged(table)
        yield _verdict(table)
    for asked in found.asked:
        summary = f"Questions by kind, 0 to 1, answered by {escaped(asked.reader)}"
        yield from folded(summary, _asked(asked))
    if found.curves:
        yield from folded("What survives cycle after cycle", _drift(found))


def _acting(found: Findings) -> Iterator[str]:
    """What the agent's next act costs behind each context, and how far next calls agree."""
    for table in found.acting:
        yield f"**{escaped(table.title)}**. {escaped(table.note)}."
        rows = ([method_name(row.method), *row.figures] for row in table.rows)
        yield markdown_table(["method", *table.headings], rows)
        if table.missing:
            missing = "\n".join(f"- {escaped(reason)}" for reason in table.missing)
            yield from folded("What was not measured there", missing)


def _conclusions(found: Findings) -> Iterator[str]:
    """Each method less the baseline, and what nothing else beats."""
    said = found.conclusions
    if said.baseline is not None and said.overall:
        yield f"**Each method less {escaped(said.baseline)}**, with the 95 % interval and Holm’s p."
        yield _differences(said.overall)
    for one in said.unsaid:
        yield f"{one.figure.capitalize()} is not compared: {escaped(one.reason)}."
    fronts = list(_fronts(said))
    if fronts:
        yield "**Beaten by nothing in quality and price together**, cheapest first:"
        yield "\n".join(fronts)


def _judged(table: DimensionTable) -> str:
    names = [name.replace("_", " ") for name in table.dimensions]
    rows = [
        [
            budget_label(group.budget),
            method_name(cell.place.method),
            *(mean(cell.dimensions.get(name)) for name in table.dimensions),
            f"{mean(cell.overall)} ({interval(cell.overall)})",
            f"{cell.overall.points:,}" if cell.overall else "0",
        ]
        for group in _first(table.groups)
        for cell in group.cells
    ]
    rows += [
        [
            "published",
            f"*{row.method}, {row.by}*",
            *(f"{row.dimensions[name]:.2f}" for name in table.dimensions),
            f"{row.overall:.2f} (mean {row.mean_of_dimensions:.4g})",
            MISSING,
        ]
        for row in table.published
    ]
    return markdown_table(["budget", "method", *names, "overall (95 %)", "points"], rows)


def _verdict(table: DimensionTable) -> str:
    known, doubt = table.calibration, distrust(table.calibration)
    said = f"is **not to be relied on**: {escaped(doubt)}" if doubt or not known else escaped(known.verdict)
    trust = f"The judge {escaped(table.judge)} {said}."
    if known:
        trust += f" {escaped(known.set)}: {escaped(known.evidence)}."
    if table.above_full:
        left_out = ", ".join(table.above_full).replace("_", " ")
        trust += f" Not reported, because some method was above full: {left_out}."
    if table.published:
        trust += f" Published rows: {SOURCE}; not measured here; their overall is not the mean of "
        trust += "their six dimensions."
    return trust


def _asked(table: QuestionTable) -> str:
    rows = (
        [
            budget_label(group.budget),
            method_name(cell.place.method),
            f"{mean(cell.exact)} ({interval(cell.exact)})",
            mean(cell.answered),
            mean(cell.held),
            *(mean(cell.by_kind.get(kind)) for kind in table.kinds),
            f"{cell.answers:,}",
        ]
        for group in _first(table.groups)
        for cell in group.cells
    )
    columns = ["budget", "method", "exact (95 %)", "answered", "held", *table.kinds, "answers"]
    return markdown_table(columns, rows)


def _drift(found: Findings) -> str:
    whole = [curve for curve in found.curves if ":" not in curve.what]
    cycles = [f"cycle {n}" for n in range(1, len(whole[0].cycles) + 1)]
    rows = (
        [
            budget_label(c.budget),
            method_name(c.method),
            escaped(f"{c.what}, {c.reader}" if c.reader else c.what),
            *(mean(estimate) for estimate in c.cycles),
            half_life_text(c.half_life),
        ]
        for c in whole
    )
    return markdown_table(["budget", "method", "of", *cycles, "half-life in cycles"], rows)


def _differences(families: Sequence[Family]) -> str:
    rows: dict[tuple[str, str], list[str]] = {}
    for family in families:
        for row in family.rows:
            said, made = MISSING, row.comparison
            if made is not None:
                said = f"{signed(made.difference)} ({difference_bounds(made)}), p {p_text(row.p_holm)}"
            rows.setdefault((row.budget, row.method), []).append(said)
    names = [f.figure.replace("_", " ") for f in families]
    cells = ([budget_label(budget), method_name(method), *found] for (budget, method), found in rows.items())
    return markdown_table(["budget", "method", *names], cells)


def _fronts(said: Conclusions) -> Iterator[str]:
    for front in said.fronts:
        leaders = sorted((s for s in front.standings if not s.dominated_by), key=lambda s: s.tokens.mean)
        named = (f"{escaped(s.arm.method)} {budget_label(s.arm.budget)} ({mean(s.quality)})" for s in leaders)
        price = "dollars per task" if front.price == "cost_usd" else "tokens"
        yield f"- {front.figure} against {price}: {', '.join(named) or MISSING}"


def _first(groups: Sequence[ReadingGroup]) -> list[ReadingGroup]:
    """The first cycle. In later ones fewer questions are asked, so that their rows are none to put beside."""
    return [group for group in groups if group.cycle == 1]
