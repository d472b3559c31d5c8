"""A run as one HTML file: no request leaves it, and nothing from a session can run in it.

Everything is escaped by the template; the script sets text, never markup; a content security policy admits
this style sheet and this script by their hashes and nothing else.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tamis.evals.controls import CONTROLS
from tamis.evals.figures.drift import NAMES, PROBES, Survival
from tamis.evals.inference.pareto import ParetoFront
from tamis.evals.rundir.records import TextsByKey
from tamis.evals.rundir.results import Run
from tamis.reports import figure_labels as wording
from tamis.reports import number_format as amounts
from tamis.reports.chart import draw, draw_survival
from tamis.reports.figure_labels import Scope, budget_label, scopes_of
from tamis.reports.findings import find
from tamis.reports.front_chart import draw_front, price_text
from tamis.reports.headline import by_chance, headline
from tamis.reports.inline_texts import InlineTexts
from tamis.reports.reading_groups import SOURCE, distrust
from tamis.reports.svg import NARROW, SMALL, WIDE, series_classes
from tamis.reports.template_engine import Markup, content_policy, page_asset, page_template
from tamis.reports.worst_answers import by_badness, reference_budget, worst_answers, worst_points
from tamis.sessions import write_atomic
from tamis.text.names import KINDS

MAX_BYTES = 25_000_000
"""How large the file may get, unless points were asked for by number: what mail and browsers still take."""
ANSWERS = 5
"""How many of the worst answers of each method are shown, unless told."""
_LOST_BY_DEFINITION = frozenset({"full", "nothing"})
"""Their losses are not shown one by one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """A page that was written: where, and how many of the run's points can be read in it."""

    path: Path
    points: int
    points_embedded: int


def render_html(
    run: Run,
    texts: TextsByKey,
    path: Path,
    *,
    points: int | None = None,
    answers: int = ANSWERS,
    max_bytes: float = MAX_BYTES,
    force: bool = False,
) -> Page:
    """Write the report of a run.

    At most `points` are embedded, the worst first; None: as many as `max_bytes` allows (`math.inf`: no
    limit). What does not depend on their number is written in any case. `answers` of the worst answers of
    each method are shown.

    Raises:
        OutputExists: `path` is there already, and no `force`.
    """
    scopes = scopes_of(run)
    found = find(run)
    reference = reference_budget(scopes[0])
    best = scopes[0].best(reference)
    methods = [method for method in scopes[0].methods if method not in _LOST_BY_DEFINITION]
    shown = sorted(methods, key=lambda method: method not in best)
    first = headline(scopes[0], found.conclusions)
    shelf = InlineTexts(run, texts.__getitem__, order=by_badness(run), most=points, room=max_bytes)
    script, style = page_asset("page.js"), page_asset("page.css")
    shelf.room -= len(script) + 2_000
    page = page_template(
        address=_address, amounts=amounts, budget_label=budget_label, price_text=price_text, wording=wording
    ).generate(
        run=run,
        scopes=scopes,
        everything=scopes[0],
        controls=CONTROLS,
        first=first,
        measures=[m for m in wording.measures_of(run) if any(map(m.of, scopes[0].cells.values()))],
        by_chance=by_chance(found.conclusions.overall),
        charts=budget_charts(scopes, first.measure),
        curves=curve_charts(found.curves, scopes[0].methods),
        fronts=front_charts(found.conclusions.fronts, scopes[0].methods),
        found=found,
        distrust=distrust,
        published_source=SOURCE,
        answers=worst_answers(run, shown, reference, texts.__getitem__, most=answers),
        kinds=_kinds(run, scopes[0]),
        worst={m: worst_points(run, m, reference, texts.__getitem__) for m in shown},
        reference=reference,
        shelf=shelf,
        script=script,
        style=style,
        policy=content_policy(style, script),
    )
    write_atomic(path, _taking_room(page, shelf), force=force)
    return Page(path=path, points=len(run.points), points_embedded=len(shelf.embedded))


def _taking_room(page: Iterator[str], shelf: InlineTexts) -> Iterator[str]:
    for piece in page:
        if not shelf.embedded:
            shelf.room -= len(piece.encode("utf-8", "replace"))
        yield piece


def _address(*parts: str) -> str:
    """The link that opens a point, a method and a budget in the reader of the page."""
    return f"#read={'/'.join(quote(part, safe='') for part in parts)}"


def _kinds(run: Run, scope: Scope) -> dict[str, object]:
    """How many names of each kind were needed; by budget and method, how many of those it lost."""
    needed = Counter(need.kind for point in run.points for need in point.needs)
    rows = {
        budget: {
            method: {kind.kind: (kind.needed - kind.found, kind.needed) for kind in kinds}
            for method in scope.methods
            if method not in _LOST_BY_DEFINITION and (kinds := scope.kinds.get((method, budget)))
        }
        for budget in scope.budgets
    }
    return {"needed": {kind: needed[kind] for kind in KINDS if needed[kind]}, "rows": rows}


def budget_charts(scopes: Sequence[Scope], first: wording.FigureLabel) -> dict[str, Markup]:
    """The first measure, recall and regret against the budget in two widths; small for each set."""
    classes = series_classes(scopes[0].methods)
    drawn = {}
    for measure in dict.fromkeys((first, wording.RECALL, wording.REGRET)):
        for name, size in (("wide", WIDE), ("narrow", NARROW)):
            key = f"{measure.figure}-{name}"
            drawn[key] = draw(scopes[0], measure, size=size, key=key, classes=classes)
    for i, scope in enumerate(scopes[1:], 1):
        for measure in (wording.RECALL, wording.REGRET):
            key = f"{measure.figure}-set-{i}"
            drawn[key] = draw(scope, measure, size=SMALL, key=key, classes=classes)
    return drawn


def curve_charts(curves: Sequence[Survival], methods: Sequence[str]) -> dict[str, list[Markup]]:
    """What survives of names, and of answers by every reader, by budget; kinds stand in the table."""
    classes = series_classes(methods)
    shown = [curve for curve in curves if curve.what in (NAMES, PROBES)]
    charts: dict[str, list[Markup]] = {}
    for i, (budget, what, reader) in enumerate(dict.fromkeys((c.budget, c.what, c.reader) for c in shown)):
        of_group = [c for c in shown if (c.budget, c.what, c.reader) == (budget, what, reader)]
        of_what = "names" if what == NAMES else f"answers by {reader}"
        title = f"{of_what} that survive at {budget_label(budget)}"
        drawn = draw_survival(of_group, title=title, size=SMALL, key=f"curve-{i}", classes=classes)
        charts.setdefault(budget, []).append(drawn)
    return charts


def front_charts(
    fronts: Sequence[ParetoFront], methods: Sequence[str]
) -> dict[str, list[tuple[ParetoFront, Markup]]]:
    """Every front that has anything on it, with its drawing, by its figure."""
    classes = series_classes(methods)
    charts: dict[str, list[tuple[ParetoFront, Markup]]] = {}
    for i, front in enumerate(fronts):
        if front.standings:
            title = "questions answered" if front.figure == "reading" else front.figure
            most = 5.0 if front.figure == "overall" else 1.0
            drawn = draw_front(front, title=title, most=most, size=SMALL, key=f"front-{i}", classes=classes)
            charts.setdefault(front.figure, []).append((front, drawn))
    return charts
