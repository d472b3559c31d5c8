"""A measure against the budget as an SVG: one line per method, intervals, names at the ends of the lines.

Colours come from the page's style sheet by class, so that one drawing serves light, dark and print. Methods
are told apart by marker and by name too, not by colour alone. A hollow marker covers fewer points.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tamis.compactors.budget import parse_budget
from tamis.errors import BadBudget
from tamis.evals.controls import is_control
from tamis.evals.inference.intervals import Estimate
from tamis.reports import svg
from tamis.reports.figure_labels import FigureLabel, Scope, budget_label, interval
from tamis.reports.template_engine import Markup

_TOP, _BOTTOM, _LEFT = 34.0, 44.0, 40.0


def draw(
    scope: Scope, measure: FigureLabel, *, size: svg.Size, key: str, classes: Mapping[str, str]
) -> Markup:
    """The chart as an `<svg>` element; `key` makes its ids unique in the page."""
    plot = _BudgetPlot(scope=scope, measure=measure, size=size, classes=classes)
    name = scope.name or "all sets"
    title = f"{measure.title} against budget, {name}"
    return svg.drawing(plot.elements(), size=size, key=key, title=title, told=_told(scope, measure))


def _told(scope: Scope, measure: FigureLabel) -> str:
    """The chart in words, for whoever does not see it."""
    said = []
    for method in scope.methods:
        figures = [
            f"{measure.text(e.mean)} at {budget_label(b)}"
            for b in scope.budgets
            if (e := measure.of(scope.cell(method, b)))
        ]
        said.append(f"{method}: {', '.join(figures) or 'not measured'}")
    return f"{measure.title}: {measure.means}. {'; '.join(said)}."


@dataclass(frozen=True, kw_only=True)
class _BudgetPlot:
    """One drawing: where things go, and the elements in the order in which they are painted."""

    scope: Scope
    measure: FigureLabel
    size: svg.Size
    classes: Mapping[str, str]

    def elements(self) -> Iterator[Markup]:
        yield from self._axes()
        for method in sorted(self.scope.methods, key=lambda m: not is_control(m)):
            yield from self._line(method)
        yield from svg.end_labels(
            self._ends(),
            right=self._right,
            top=_TOP,
            bottom=self.size.height - _BOTTOM,
            size=self.size,
            classes=self.classes,
        )

    @property
    def _right(self) -> float:
        drawn = [m for m in self.scope.methods if any(self._estimate(m, b) for b in self.scope.budgets)]
        return self.size.width - 20 - svg.label_room(drawn, self.size)

    @property
    def _steps(self) -> list[float]:
        """The grid: up to 1 for recall; for what is smaller, up to where the highest interval ends."""
        cells = self.scope.cells.values()
        estimates = [e for c in cells if (e := self.measure.of(c)) is not None]
        highest = max((max(e.mean, e.high or 0) for e in estimates), default=1.0)
        if self.measure.figure == "recall":
            highest = 1.0
        step = 0.1 if highest <= 0.5 else 0.2
        return [round(i * step, 1) for i in range(max(1, math.ceil(highest / step - 1e-9)) + 1)]

    def _estimate(self, method: str, budget: str) -> Estimate | None:
        return self.measure.of(self.scope.cell(method, budget))

    def _x(self, budget: str) -> float:
        places = _places(self.scope.budgets)
        return _LEFT + 18 + places[budget] * (self._right - _LEFT - 36)

    def _y(self, value: float) -> float:
        room = self.size.height - _TOP - _BOTTOM
        return _TOP + room * (1 - value / self._steps[-1])

    def _shift(self, method: str) -> float:
        """Methods stand a little beside each other, so that their intervals can be told apart."""
        measured = [m for m in self.scope.methods if not is_control(m)] + [
            m for m in self.scope.methods if is_control(m)
        ]
        step = min(5.0, 36 / max(1, len(measured)))
        return (measured.index(method) - (len(measured) - 1) / 2) * step

    def _axes(self) -> Iterator[Markup]:
        yield from svg.grid(self._steps, left=_LEFT, right=self._right, y_of=self._y)
        yield svg.text("axis", 0, 13, f"{self.measure.title}, 95 % interval")
        base = self.size.height - _BOTTOM
        free_from = -math.inf
        for budget in sorted(self.scope.budgets, key=self._x):
            label, x = budget_label(budget).replace(" tokens", ""), self._x(budget)
            if x - len(label) * svg.CHAR_WIDTH / 2 < free_from:
                continue  # there is no room for it; its marks stand there, and the table names it
            free_from = x + len(label) * svg.CHAR_WIDTH / 2
            yield svg.text("tick middle", x, base + 18, label)
        yield svg.text("axis middle", (_LEFT + self._right) / 2, base + 37, _axis_title(self.scope.budgets))

    def _line(self, method: str) -> Iterator[Markup]:
        dx = self._shift(method)
        found = [
            (self._x(b) + dx, b, e)
            for b in self.scope.budgets
            if (e := self._estimate(method, b)) is not None
        ]
        if not found:
            return
        line = svg.polyline((x, self._y(e.mean)) for x, _, e in found)
        marks = Markup("").join(self._mark(method, budget, x, e) for x, budget, e in found)
        yield Markup('<g class="series {}">{}{}</g>').format(self.classes[method], line, marks)

    def _mark(self, method: str, budget: str, x: float, estimate: Estimate) -> Markup:
        said = (
            f"{method} at {budget_label(budget)}: {self.measure.text(estimate.mean)}, "
            f"95 % interval {interval(estimate, self.measure)}, "
            f"{estimate.points} of {self.scope.points} points"
        )
        shape, hollow = svg.marker_of(method, self.scope.methods), self.scope.is_partial(estimate)
        mark = svg.marker(shape, x, self._y(estimate.mean), hollow=hollow)
        return svg.told(said, svg.whisker(estimate.low, estimate.high, x, self._y), mark)

    def _ends(self) -> Iterator[svg.LineEnd]:
        for method in self.scope.methods:
            for budget in reversed(self.scope.budgets):
                if (e := self._estimate(method, budget)) is not None:
                    x = self._x(budget) + self._shift(method)
                    yield svg.LineEnd(method=method, x=x, y=self._y(e.mean))
                    break


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
    low, high = min(sizes.values()), max(sizes.values())
    return {b: (size - low) / (high - low) if high > low else 0.5 for b, size in sizes.items()}


def _axis_title(budgets: Sequence[str]) -> str:
    labels = [budget_label(b) for b in budgets]
    if all(label.endswith("%") for label in labels):
        return "budget, share of the span’s tokens"
    return "budget, tokens" if all(label.endswith("tokens") for label in labels) else "budget"
