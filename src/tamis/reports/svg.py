"""The elements of every drawing: sizes, markers, lines, words, and labels that do not lie on each other.

Colours come from the page's style sheet by class, so that one drawing serves light, dark and print.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tamis.evals.controls import is_control
from tamis.messages.reprs import shortened
from tamis.reports.template_engine import Markup

COLOURS = 7
"""How many colours the style sheet has; further methods begin again with another marker."""

MARKERS = ("circle", "square", "triangle", "diamond", "down", "pentagon")
LABEL_LINE = 15.0
NAME_LINE = 14.0
CHAR_WIDTH = 6.9
"""About how wide a character of a label is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Size:
    """The drawing's own units; `label_chars` is how much of a method's name stands at its line."""

    width: float
    height: float
    label_chars: int = 18


WIDE = Size(width=860, height=400)
NARROW = Size(width=358, height=360, label_chars=11)
SMALL = Size(width=420, height=265, label_chars=12)


def drawing(body: Iterable[Markup], *, size: Size, key: str, title: str, told: str) -> Markup:
    """An `<svg>` element with its title, and in words what it shows; `key` makes its ids unique."""
    return Markup(
        '<svg class="chart" viewBox="0 0 {w:g} {h:g}" role="img" aria-labelledby="{key}-t {key}-d">'
        '<title id="{key}-t">{title}</title><desc id="{key}-d">{told}</desc>{body}</svg>'
    ).format(w=size.width, h=size.height, key=key, title=title, told=told, body=Markup("").join(body))


def series_classes(methods: Sequence[str]) -> dict[str, str]:
    """The style class of each method: controls are grey, the others take the colours in turn."""
    coloured = [m for m in methods if not is_control(m)]
    return {m: "control" if is_control(m) else f"s{coloured.index(m) % COLOURS}" for m in methods}


def marker_of(method: str, methods: Sequence[str]) -> str:
    """The marker of a method: the control arms have theirs, the others too."""
    of_kind = [m for m in methods if is_control(m) == is_control(method)]
    return MARKERS[of_kind.index(method) % len(MARKERS)]


def grid(
    steps: Sequence[float], *, left: float, right: float, y_of: Callable[[float], float]
) -> Iterator[Markup]:
    """Lines across, the lowest as the base, each with its value before it."""
    for value in steps:
        y = y_of(value)
        yield Markup('<line class="{}" x1="{:.1f}" x2="{:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>').format(
            "base" if value == steps[0] else "grid", left, right, y=y
        )
        yield text("tick end", left - 8, y + 4, f"{value:g}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Box:
    """A rectangle in the drawing."""

    left: float
    top: float
    width: float
    height: float

    def overlaps(self, other: Box) -> bool:
        """Whether the two lie on each other anywhere."""
        return (
            self.left < other.left + other.width
            and other.left < self.left + self.width
            and self.top < other.top + other.height
            and other.top < self.top + self.height
        )


def around_marks(places: Iterable[tuple[float, float]]) -> list[Box]:
    """The room that markers take."""
    return [Box(left=x - 6, top=y - 6, width=12.0, height=12.0) for x, y in places]


def take_free(
    places: Iterable[tuple[float, float]], name: str, taken: list[Box], *, inside: Box
) -> Box | None:
    """Take the first of the places (left, top) where a name lies inside a box and on nothing taken."""
    for left, top in places:
        box = Box(left=left, top=top, width=len(name) * CHAR_WIDTH, height=NAME_LINE)
        fits = inside.left <= left and left + box.width <= inside.left + inside.width and inside.top <= top
        if fits and not any(box.overlaps(other) for other in taken):
            taken.append(box)
            return box
    return None


def whisker(low: float | None, high: float | None, x: float, y_of: Callable[[float], float]) -> Markup:
    """An interval as a line; nothing where there is none, or it is a point."""
    if low is None or high is None or low >= high:
        return Markup("")
    return Markup('<line class="whisker" x1="{x:.1f}" x2="{x:.1f}" y1="{:.1f}" y2="{:.1f}"/>').format(
        y_of(low), y_of(high), x=x
    )


def polyline(places: Iterable[tuple[float, float]], css: str = "") -> Markup:
    """A line through places."""
    drawn = Markup(' class="{}"').format(css) if css else Markup("")
    return Markup('<polyline{} points="{}"/>').format(drawn, " ".join(f"{x:.1f},{y:.1f}" for x, y in places))


def stairs(places: Sequence[tuple[float, float]], corner: Callable[[int], tuple[float, float]]) -> Markup:
    """A front as stairs: from each place to the next by way of a corner."""
    path = [at for i, place in enumerate(places) for at in ([corner(i), place] if i else [place])]
    return polyline(path, "front")


def told(said: str, *drawn: Markup) -> Markup:
    """Elements that say in words what they show."""
    return Markup("<g><title>{}</title>{}</g>").format(said, Markup("").join(drawn))


def series(css: str, said: str, *drawn: Markup) -> Markup:
    """Such elements in the colours of a method."""
    return Markup('<g class="series {}"><title>{}</title>{}</g>').format(css, said, Markup("").join(drawn))


LineEnd: TypeAlias = tuple[str, float, float]
"""A method, and where its line ends (x, y) in the drawing's units."""


def end_labels(
    ends: Iterable[LineEnd],
    size: Size,
    classes: Mapping[str, str],
    *,
    right: float,
    top: float,
    bottom: float,
) -> Iterator[Markup]:
    """The methods' names behind the ends of their lines, none on another."""
    placed = sorted(ends, key=lambda end: end[2])
    heights = spread([y for _, _, y in placed], gap=LABEL_LINE, low=top, high=bottom)
    for (method, x, y), at in zip(placed, heights, strict=True):
        leader = polyline([(x + 7, y), (right, at), (right + 7, at)], "leader")
        yield Markup('<g class="series {}">{}</g>').format(classes[method], leader)
        css = "label control-label" if is_control(method) else "label"
        yield text(css, right + 11, at + 4, shortened(method, size.label_chars))


def label_room(methods: Iterable[str], size: Size) -> float:
    """How wide the longest name is, as it is written."""
    return max((len(shortened(m, size.label_chars)) for m in methods), default=0) * CHAR_WIDTH


def spread(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Places near the wanted ones (sorted), at least `gap` apart, within the limits as far as they go.

    >>> spread([10.0, 11.0, 50.0], gap=15, low=0, high=100)
    [3.0, 18.0, 50.0]
    """
    groups: list[list[float]] = []
    for want in wanted:
        groups.append([want])
        while len(groups) > 1 and _start(groups[-1], gap, low, high) < (
            _start(groups[-2], gap, low, high) + gap * len(groups[-2])
        ):
            groups[-2:] = [groups[-2] + groups[-1]]
    return [_start(group, gap, low, high) + gap * i for group in groups for i in range(len(group))]


def _start(group: Sequence[float], gap: float, low: float, high: float) -> float:
    """Where a group of labels begins, so that each is as near to its place as it can be."""
    middle = sum(want - gap * i for i, want in enumerate(group)) / len(group)
    return max(low, min(middle, high - gap * (len(group) - 1)))


def text(classes: str, x: float, y: float, said: str) -> Markup:
    """Words, where their base line begins."""
    return Markup('<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>').format(classes.strip(), x, y, said)


def marker(shape: str, x: float, y: float, *, hollow: bool) -> Markup:
    """A marker around a place."""
    css = "mark hollow" if hollow else "mark"
    if shape == "circle":
        return Markup('<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="4.2"/>').format(css, x, y)
    turns = {"square": (4, 0.125), "triangle": (3, 0.25), "diamond": (4, 0.0), "down": (3, 0.75)}
    corners, start = turns.get(shape, (5, 0.25))
    points = " ".join(
        f"{x + 5.2 * math.cos(2 * math.pi * (start + i / corners)):.1f},"
        f"{y - 5.2 * math.sin(2 * math.pi * (start + i / corners)):.1f}"
        for i in range(corners)
    )
    return Markup('<polygon class="{}" points="{}"/>').format(css, points)
