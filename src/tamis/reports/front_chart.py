"""Quality against its price as an SVG: every method at every budget, and the line that nothing beats.

What is on the front is filled and named; what something else beats in both is hollow, and named in the table.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tamis.evals.inference.intervals import Estimate
from tamis.evals.inference.pareto import ParetoFront, ParetoPoint
from tamis.messages.reprs import shortened
from tamis.reports import svg
from tamis.reports.figure_labels import budget_label
from tamis.reports.template_engine import Markup

_TOP, _BOTTOM, _LEFT, _SIDE = 34.0, 44.0, 40.0, 22.0
_FREE = 46.0
"""How far what costs nothing stands from the cheapest of the others."""


def price_text(value: float, price: str) -> str:
    """A price as people read it.

    >>> price_text(1234.6, "tokens"), price_text(0.0331, "cost_usd")
    ('1,235', '$0.033')
    """
    if price != "cost_usd":
        return f"{round(value):,}"
    return f"${value:.3f}" if value < 0.1 else f"${value:.2f}"


def draw_front(
    front: ParetoFront, *, title: str, most: float, size: svg.Size, key: str, classes: Mapping[str, str]
) -> Markup:
    """A front; `most` is the highest that the quality can be, `key` makes the ids unique in the page."""
    plot = _FrontPlot(front=front, title=title, most=most, size=size, classes=classes)
    told = f"On the front, cheapest first: {'; '.join(map(plot.told, plot.leaders))}."
    return svg.drawing(plot.elements(), size=size, key=key, title=title, told=told)


def _name(standing: ParetoPoint) -> str:
    if standing.arm.method in ("full", "nothing"):
        return standing.arm.method  # the same at every budget
    return f"{standing.arm.method} {budget_label(standing.arm.budget)}"


@dataclass(frozen=True, kw_only=True)
class _FrontPlot:
    front: ParetoFront
    title: str
    most: float
    size: svg.Size
    classes: Mapping[str, str]

    def elements(self) -> Iterator[Markup]:
        steps = [round(self.most * i / 5, 2) for i in range(6)]
        right = self.size.width - _SIDE
        yield from svg.grid(steps, left=_LEFT, right=right, y_of=self._y)
        yield svg.text("axis", 0, 13, self.title)
        base = self.size.height - _BOTTOM
        for value in self._ticks():
            yield svg.text("tick middle", self._x(value), base + 18, price_text(value, self.front.price))
        unit = "US dollars per task" if self.front.price == "cost_usd" else "tokens of the compacted context"
        yield svg.text("axis middle", (_LEFT + right) / 2, base + 37, unit)
        yield self._steps()
        for standing in sorted(self.front.standings, key=lambda s: not s.dominated_by):
            yield self._mark(standing)
        yield from self._names()

    def price(self, standing: ParetoPoint) -> float:
        found: Estimate | None = getattr(standing, self.front.price)
        return found.mean if found else 0.0

    def told(self, standing: ParetoPoint) -> str:
        price = price_text(self.price(standing), self.front.price)
        return f"{_name(standing)}: {standing.quality.mean:.2f} for {price}"

    @property
    def leaders(self) -> list[ParetoPoint]:
        """What is on the front, cheapest first."""
        return sorted((s for s in self.front.standings if not s.dominated_by), key=self.price)

    @property
    def _paid(self) -> list[float]:
        return [price for s in self.front.standings if (price := self.price(s)) > 0]

    def _x(self, price: float) -> float:
        """By the logarithm, as prices lie orders apart; what costs nothing stands before it all."""
        left, right = _LEFT + _SIDE, self.size.width - 2 * _SIDE
        if len(self._paid) < len(self.front.standings):
            if price <= 0:
                return left
            left += _FREE
        low, high = math.log10(min(self._paid)), math.log10(max(self._paid))
        share = (math.log10(price) - low) / (high - low) if high > low else 0.5
        return left + share * (right - left)

    def _y(self, quality: float) -> float:
        return _TOP + (self.size.height - _TOP - _BOTTOM) * (1 - quality / self.most)

    def _at(self, standing: ParetoPoint) -> tuple[float, float]:
        return self._x(self.price(standing)), self._y(standing.quality.mean)

    def _ticks(self) -> Sequence[float]:
        """Nothing, and round prices: 1, 2 and 5 of every power of ten, as far as there is room for them."""
        free = [0.0] if len(self._paid) < len(self.front.standings) else []
        if not self._paid:
            return free
        low, high = min(self._paid), max(self._paid)
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        rounded = (step * 10.0**power for power in powers for step in (1, 2, 5))
        within = [*free, *(value for value in rounded if low <= value <= high)]
        shown: list[float] = []
        for value in within:
            room = len(price_text(value, self.front.price)) * svg.CHAR_WIDTH + 6
            if not shown or self._x(value) - self._x(shown[-1]) >= room:
                shown.append(value)
        return shown

    def _steps(self) -> Markup:
        """The front as stairs: so much quality is had for a price until the next arm's is paid."""
        places = [self._at(standing) for standing in self.leaders]
        return svg.stairs(places, lambda i: (places[i][0], places[i - 1][1]))

    def _mark(self, standing: ParetoPoint) -> Markup:
        method = standing.arm.method
        methods = list(dict.fromkeys(s.arm.method for s in self.front.standings))
        beaten = ", ".join(f"{a.method} {budget_label(a.budget)}" for a in standing.dominated_by)
        told = f"{self.told(standing)}; {f'beaten in both by {beaten}' if beaten else 'on the front'}"
        shape = svg.marker(svg.marker_of(method, methods), *self._at(standing), hollow=bool(beaten))
        return svg.series(self.classes[method], told, shape)

    def _names(self) -> Iterator[Markup]:
        """The names of what is on the front, where they lie on no mark and on no other name."""
        taken = svg.around_marks(map(self._at, self.front.standings))
        room = self.size.width - _LEFT
        inside = svg.Box(left=_LEFT, top=_TOP - svg.NAME_LINE, width=room, height=self.size.height)
        for standing in {_name(s): s for s in self.leaders}.values():
            name = shortened(_name(standing), self.size.label_chars + 8)
            x, y = self._at(standing)
            width, line = len(name) * svg.CHAR_WIDTH, svg.NAME_LINE
            places = (
                (x + 4, y - 4 - line),  # above the stair that goes on to the right
                (x - 10 - width, y - line / 2),
                (x - width / 2, y - 8 - line),
                (x + 9, y - line / 2),
                (x - width / 2, y + 10),
            )
            if box := svg.take_free(places, name, taken, inside=inside):
                css, at = ("label end", x - 10) if box.left + width < x else ("label", box.left)
                yield svg.text(css, at, box.top + line - 3, name)
