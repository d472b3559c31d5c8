"""What survives cycle after cycle as an SVG: one line per method, with intervals, its name at the end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tamis.evals.controls import is_control
from tamis.evals.figures.drift import Survival
from tamis.evals.inference.intervals import Estimate
from tamis.reports import svg
from tamis.reports.figure_labels import RECALL, budget_label, counted, interval
from tamis.reports.template_engine import Markup

_TOP, _BOTTOM, _LEFT = 34.0, 44.0, 40.0
_STEPS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def draw_survival(
    curves: Sequence[Survival], *, title: str, size: svg.Size, key: str, classes: Mapping[str, str]
) -> Markup:
    """Curves of the same thing at the same budget; `key` makes the drawing's ids unique in the page."""
    plot = _DriftPlot(curves=curves, size=size, classes=classes, title=title)
    said = "; ".join(f"{c.method}: {', '.join(f'{e.mean:.2f}' for e in c.cycles)}" for c in curves)
    return svg.drawing(plot.elements(), size=size, key=key, title=title, told=f"Share by cycle. {said}.")


@dataclass(frozen=True, kw_only=True)
class _DriftPlot:
    curves: Sequence[Survival]
    size: svg.Size
    classes: Mapping[str, str]
    title: str

    def elements(self) -> Iterator[Markup]:
        yield from svg.grid(_STEPS, left=_LEFT, right=self._right, y_of=self._y)
        yield svg.text("axis", 0, 13, f"{self.title}, 95 % interval")
        base = self.size.height - _BOTTOM
        for cycle in range(1, self._cycles + 1):
            yield svg.text("tick middle", self._x(cycle), base + 18, str(cycle))
        yield svg.text("axis middle", (_LEFT + self._right) / 2, base + 37, "cycle of compaction")
        for curve in sorted(self.curves, key=lambda c: not is_control(c.method)):
            yield self._line(curve)
        ends = (
            svg.LineEnd(
                method=c.method, x=self._x(self._cycles) + self._shift(c), y=self._y(c.cycles[-1].mean)
            )
            for c in self.curves
        )
        yield from svg.end_labels(
            ends, right=self._right, top=_TOP, bottom=base, size=self.size, classes=self.classes
        )

    @property
    def _cycles(self) -> int:
        return len(self.curves[0].cycles)

    @property
    def _right(self) -> float:
        return self.size.width - 20 - svg.label_room((c.method for c in self.curves), self.size)

    def _x(self, cycle: int) -> float:
        return _LEFT + 18 + (cycle - 1) / (self._cycles - 1) * (self._right - _LEFT - 36)

    def _y(self, share: float) -> float:
        return _TOP + (self.size.height - _TOP - _BOTTOM) * (1 - share)

    def _shift(self, curve: Survival) -> float:
        """Methods stand a little beside each other, so that their intervals can be told apart."""
        step = min(4.0, 24 / len(self.curves))
        return (self.curves.index(curve) - (len(self.curves) - 1) / 2) * step

    def _line(self, curve: Survival) -> Markup:
        places = [(self._x(cycle) + self._shift(curve), cycle, e) for cycle, e in enumerate(curve.cycles, 1)]
        line = svg.polyline((x, self._y(e.mean)) for x, _, e in places)
        marks = Markup("").join(self._mark(curve, x, cycle, e) for x, cycle, e in places)
        return Markup('<g class="series {}">{}{}</g>').format(self.classes[curve.method], line, marks)

    def _mark(self, curve: Survival, x: float, cycle: int, share: Estimate) -> Markup:
        said = (
            f"{curve.method} at {budget_label(curve.budget)}, cycle {cycle}: {RECALL.text(share.mean)}, "
            f"95 % interval {interval(share)}, {counted(share.points, 'point')}"
        )
        shape = svg.marker_of(curve.method, [c.method for c in self.curves])
        mark = svg.marker(shape, x, self._y(share.mean), hollow=False)
        return svg.told(said, svg.whisker(share.low, share.high, x, self._y), mark)
