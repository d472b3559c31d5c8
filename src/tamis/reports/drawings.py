"""Every drawing of a report: against the budget, over the cycles, and the fronts."""

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.evals.figures.drift import NAMES, PROBES, Survival
from tamis.evals.inference.pareto import ParetoFront
from tamis.reports import figure_labels as wording
from tamis.reports.chart import draw
from tamis.reports.drift_chart import draw_survival
from tamis.reports.front_chart import draw_front
from tamis.reports.scopes import Scope, budget_label
from tamis.reports.svg import NARROW, SMALL, WIDE, series_classes
from tamis.reports.template_engine import Markup

FRONT_TITLES = {"recall": "recall", "reading": "questions answered", "overall": "overall"}
"""What a front's quality is called on its axis."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CurveChart:
    """Curves of the same thing at the same budget, and the drawing of them."""

    what: str
    reader: str | None
    budget: str
    drawn: Markup


@dataclass(frozen=True, kw_only=True, slots=True)
class FrontChart:
    """A front, and the drawing of it."""

    front: ParetoFront
    drawn: Markup


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


def curve_charts(curves: Sequence[Survival], methods: Sequence[str]) -> list[CurveChart]:
    """What survives of names, and of answers by every reader, at every budget; kinds stand in the table."""
    classes = series_classes(methods)
    groups: dict[tuple[str, str, str | None], list[Survival]] = {}
    for curve in curves:
        if curve.what in (NAMES, PROBES):
            groups.setdefault((curve.budget, curve.what, curve.reader), []).append(curve)
    charts = []
    for i, ((budget, what, reader), of_group) in enumerate(groups.items()):
        title = "names" if what == NAMES else f"answers by {reader}"
        drawn = draw_survival(
            of_group,
            title=f"{title} that survive at {budget_label(budget)}",
            size=SMALL,
            key=f"curve-{i}",
            classes=classes,
        )
        charts.append(CurveChart(what=what, reader=reader, budget=budget, drawn=drawn))
    return charts


def front_charts(fronts: Sequence[ParetoFront], methods: Sequence[str]) -> list[FrontChart]:
    """Every front that has anything on it."""
    classes = series_classes(methods)
    return [
        FrontChart(
            front=front,
            drawn=draw_front(
                front,
                title=FRONT_TITLES[front.figure],
                most=5.0 if front.figure == "overall" else 1.0,
                size=SMALL,
                key=f"front-{i}",
                classes=classes,
            ),
        )
        for i, front in enumerate(fronts)
        if front.standings
    ]
