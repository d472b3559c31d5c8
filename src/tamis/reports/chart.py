"""Lines by method as an SVG: a measure against the budget, or what survives cycle after cycle.

Each line has its intervals, and the method's name at its end. Colours come from the page's style sheet by
class, so that one drawing serves light, dark and print. Methods are told apart by marker and by name too, not
by colour alone. A hollow marker covers fewer points.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tamis.compactors.budget import parse_budget
from tamis.errors import BadBudget
from tamis.evals.controls import is_control
from tamis.evals.figures.drift import Survival
from tamis.evals.inference.intervals import Estimate
from tamis.reports import svg
from tamis.reports.figure_labels import RECALL, FigureLabel, Scope, budget_label, counted, interval
from tamis.reports.template_engine import Markup

_TOP, _BOTTOM, _LEFT = 34.0, 44.0, 40.0


def draw(
    scope: Scope, measure: FigureLabel, *, size: svg.Size, key: str, classes: Mapping[str, str]
) -> Markup:
    """A measure against the budget as an `<svg>` element; `key` makes its ids unique in the page."""
    places = _places(scope.budgets)
    lines = {
        method: tuple(
            _Dot(
                place=places[b],
                estimate=e,
                said=f"{method} at {budget_label(b)}: {measure.text(e.mean)}, "
                f"95 % interval {interval(e, measure)}, {e.points} of {scope.points} points",
                hollow=scope.is_partial(e),
            )
            for b in scope.budgets
            if (e := measure.of(scope.cell(method, b))) is not None
        )
        for method in scope.methods
    }
    plot = _LinePlot(
        lines=lines,
        steps=_steps(measure, [dot.estimate for dots in lines.values() for dot in dots]),
        ticks=[
            (budget_label(b).replace(" tokens", ""), places[b])
            for b in sorted(places, key=places.__getitem__)
        ],
        titles=(f"{measure.title}, 95 % interval", _axis_title(scope.budgets)),
        beside=(5.0, 36.0),
        size=size,
        classes=classes,
    )
    title = f"{measure.title} against budget, {scope.name or 'all sets'}"
    return svg.drawing(plot.elements(), size=size, key=key, title=title, told=_told(scope, measure))


def draw_survival(
    curves: Sequence[Survival], *, title: str, size: svg.Size, key: str, classes: Mapping[str, str]
) -> Markup:
    """Curves of the same thing at the same budget; `key` makes the drawing's ids unique in the page."""
    cycles = len(curves[0].cycles)
    lines = {
        c.method: tuple(
            _Dot(
                place=(cycle - 1) / (cycles - 1),
                estimate=e,
                said=f"{c.method} at {budget_label(c.budget)}, cycle {cycle}: {RECALL.text(e.mean)}, "
                f"95 % interval {interval(e)}, {counted(e.points, 'point')}",
            )
            for cycle, e in enumerate(c.cycles, 1)
        )
        for c in curves
    }
    plot = _LinePlot(
        lines=lines,
        steps=[0.0, 0.2, 0.4, 0.6, 0.8, 1.0],
        ticks=[(str(cycle), (cycle - 1) / (cycles - 1)) for cycle in range(1, cycles + 1)],
        titles=(f"{title}, 95 % interval", "cycle of compaction"),
        beside=(4.0, 24.0),
        size=size,
        classes=classes,
    )
    said = "; ".join(f"{c.method}: {', '.join(f'{e.mean:.2f}' for e in c.cycles)}" for c in curves)
    return svg.drawing(plot.elements(), size=size, key=key, title=title, told=f"Share by cycle. {said}.")


def _told(scope: Scope, measure: FigureLabel) -> str:
    """The chart in words, for whoever does not see it."""
    said = []
    for method in scope.methods:
        found = {b: e for b in scope.budgets if (e := measure.of(scope.cell(method, b)))}
        figures = ", ".join(f"{measure.text(e.mean)} at {budget_label(b)}" for b, e in found.items())
        said.append(f"{method}: {figures or 'not measured'}")
    return f"{measure.title}: {measure.means}. {'; '.join(said)}."


@dataclass(frozen=True, kw_only=True, slots=True)
class _Dot:
    """An estimate at a place from 0 to 1 along the axis, and what it says in words."""

    place: float
    estimate: Estimate
    said: str
    hollow: bool = False


@dataclass(frozen=True, kw_only=True)
class _LinePlot:
    """One drawing: where things go, and the elements in the order in which they are painted.

    `titles` are of the axis upwards and of the one across; `beside` is how far methods stand beside each
    other at most, and how far all of them do, so that their intervals can be told apart.
    """

    lines: Mapping[str, Sequence[_Dot]]
    steps: Sequence[float]
    ticks: Sequence[tuple[str, float]]
    titles: tuple[str, str]
    beside: tuple[float, float]
    size: svg.Size
    classes: Mapping[str, str]

    def elements(self) -> Iterator[Markup]:
        base = self.size.height - _BOTTOM
        yield from svg.grid(self.steps, left=_LEFT, right=self._right, y_of=self._y)
        yield svg.text("axis", 0, 13, self.titles[0])
        free_from = -math.inf
        for label, place in self.ticks:
            x, half = self._x(place), len(label) * svg.CHAR_WIDTH / 2
            if x - half < free_from:
                continue  # there is no room for it; its marks stand there, and the table names it
            free_from = x + half
            yield svg.text("tick middle", x, base + 18, label)
        yield svg.text("axis middle", (_LEFT + self._right) / 2, base + 37, self.titles[1])
        drawn = [method for method, dots in self.lines.items() if dots]
        for method in sorted(drawn, key=lambda m: not is_control(m)):
            yield self._line(method)
        last = {method: self.lines[method][-1] for method in drawn}
        ends = (
            (method, self._x(dot.place) + self._shift(method), self._y(dot.estimate.mean))
            for method, dot in last.items()
        )
        yield from svg.end_labels(ends, self.size, self.classes, right=self._right, top=_TOP, bottom=base)

    @property
    def _right(self) -> float:
        return self.size.width - 20 - svg.label_room((m for m, dots in self.lines.items() if dots), self.size)

    def _x(self, place: float) -> float:
        return _LEFT + 18 + place * (self._right - _LEFT - 36)

    def _y(self, value: float) -> float:
        return _TOP + (self.size.height - _TOP - _BOTTOM) * (1 - value / self.steps[-1])

    def _shift(self, method: str) -> float:
        order = sorted(self.lines, key=is_control)
        most, all_of_them = self.beside
        return (order.index(method) - (len(order) - 1) / 2) * min(most, all_of_them / len(order))

    def _line(self, method: str) -> Markup:
        shape, dx = svg.marker_of(method, list(self.lines)), self._shift(method)
        places = [(self._x(dot.place) + dx, dot) for dot in self.lines[method]]
        drawn = [svg.polyline((x, self._y(dot.estimate.mean)) for x, dot in places)]
        for x, dot in places:
            interval = svg.whisker(dot.estimate.low, dot.estimate.high, x, self._y)
            mark = svg.marker(shape, x, self._y(dot.estimate.mean), hollow=dot.hollow)
            drawn.append(svg.told(dot.said, interval, mark))
        return Markup('<g class="series {}">{}</g>').format(self.classes[method], Markup("").join(drawn))


def _steps(measure: FigureLabel, estimates: Sequence[Estimate]) -> list[float]:
    """The grid: up to 1 for recall; for what is smaller, up to where the highest interval ends."""
    highest = max((max(e.mean, e.high or 0) for e in estimates), default=1.0)
    if measure.figure == "recall":
        highest = 1.0
    step = 0.1 if highest <= 0.5 else 0.2
    return [round(i * step, 1) for i in range(max(1, math.ceil(highest / step - 1e-9)) + 1)]


def _places(budgets: Sequence[str]) -> dict[str, float]:
    """Where each budget stands on the axis, from 0 to 1: by its logarithm where all are of one unit."""
    sizes: dict[str, float] = {}
    units = set()
    for budget in budgets:
        try:
            parsed = parse_budget(budget)
        except BadBudget:
            break
        units.add(parsed.share is None)
        sizes[budget] = math.log(parsed.share if parsed.share is not None else parsed.tokens or 1)
    if len(sizes) < len(budgets) or len(units) > 1 or len(set(sizes.values())) < len(budgets):
        sizes = {budget: float(i) for i, budget in enumerate(budgets)}
    low, high = min(sizes.values(), default=0.0), max(sizes.values(), default=0.0)
    return {b: (size - low) / (high - low) if high > low else 0.5 for b, size in sizes.items()}


def _axis_title(budgets: Sequence[str]) -> str:
    labels = [budget_label(b) for b in budgets]
    if all(label.endswith("%") for label in labels):
        return "budget, share of the span’s tokens"
    return "budget, tokens" if all(label.endswith("tokens") for label in labels) else "budget"
