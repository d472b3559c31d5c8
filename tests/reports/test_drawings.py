"""Curves over the cycles and fronts: inside the drawing, told in words, each arm once."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tamis.evals.figures.drift import Survival
from tamis.evals.hindsight import NotMeasured
from tamis.evals.inference.intervals import Estimate
from tamis.evals.inference.pareto import Arm, ParetoFront, ParetoPoint, pareto_front
from tamis.reports.chart import draw_survival
from tamis.reports.front_chart import draw_front
from tamis.reports.svg import SMALL, series_classes


def an_estimate(mean: float) -> Estimate:
    return Estimate(mean=mean, low=max(0.0, mean - 0.1), high=min(1.0, mean + 0.1), points=9, clusters=9)


def a_front(*arms: tuple[str, float, float]) -> ParetoFront:
    """A front of (method, quality, tokens)."""
    keys = {Arm(method=m, budget="5%"): (q, -t) for m, q, t in arms}
    beaten = pareto_front(keys)
    standings = tuple(
        ParetoPoint(
            arm=arm, quality=an_estimate(q), tokens=an_estimate(-t), tokens_per_task=None, cost_usd=None,
            dominated_by=beaten[arm],
        )
        for arm, (q, t) in keys.items()
    )  # fmt: skip
    return ParetoFront(
        figure="recall", price="tokens", standings=standings, points=9, points_left_out=0, left_out=()
    )


def drawn_front(front: ParetoFront) -> ElementTree.Element:
    classes = series_classes([s.arm.method for s in front.standings])
    return ElementTree.fromstring(
        draw_front(front, title="recall", most=1.0, size=SMALL, key="k", classes=classes)
    )


def titles(drawing: ElementTree.Element) -> list[str]:
    return [title.text or "" for group in drawing.iter("g") for title in group.findall("title")]


def inside(drawing: ElementTree.Element) -> bool:
    xs, ys = [], []
    for node in drawing.iter():
        xs += [float(node.attrib[k]) for k in ("x", "x1", "x2", "cx") if k in node.attrib]
        ys += [float(node.attrib[k]) for k in ("y", "y1", "y2", "cy") if k in node.attrib]
        for point in node.attrib.get("points", "").split():
            x, y = map(float, point.split(","))
            xs, ys = [*xs, x], [*ys, y]
    return all(0 <= x <= SMALL.width for x in xs) and all(0 <= y <= SMALL.height for y in ys)


FRONT = a_front(("nothing", 0.0, 0), ("small", 0.6, 100), ("large", 0.9, 9_000), ("wasteful", 0.6, 500))


def test_every_arm_of_a_front_is_drawn_inside_and_says_who_beats_it() -> None:
    drawing = drawn_front(FRONT)
    assert inside(drawing)
    assert len(titles(drawing)) == 4
    assert "wasteful 5 %: 0.60 for 500; beaten in both by small 5 %" in titles(drawing)


def test_a_front_is_told_in_words_cheapest_first() -> None:
    told = drawn_front(FRONT).findtext("desc") or ""
    assert told.index("nothing") < told.index("small") < told.index("large")
    assert "wasteful" not in told


def test_what_is_beaten_is_hollow_and_has_no_name() -> None:
    drawing = drawn_front(FRONT)
    labels = [t.text or "" for t in drawing.iter("text") if t.attrib["class"].startswith("label")]
    assert not any("wasteful" in label for label in labels)
    assert any("large" in label for label in labels)


def test_what_costs_nothing_stands_at_nothing() -> None:
    ticks = [t.text for t in drawn_front(FRONT).iter("text") if t.attrib["class"] == "tick middle"]
    assert ticks[0] == "0"


@pytest.mark.parametrize("arms", [[("only", 0.5, 10)], [("none", 0.0, 0)], [("a", 0.5, 10), ("b", 0.5, 10)]])
def test_few_arms_are_drawn_too(arms: list[tuple[str, float, float]]) -> None:
    drawing = drawn_front(a_front(*arms))
    assert inside(drawing)
    assert len(titles(drawing)) == len(arms)


def test_curves_are_drawn_inside_with_every_cycle_told() -> None:
    curves = [
        Survival(
            method=method, budget="5%", what="names", reader=None,
            cycles=tuple(map(an_estimate, shares)), half_life=NotMeasured(reason="nothing was lost"),
        )
        for method, shares in (("ledger", (1.0, 0.9, 0.8)), ("mask", (0.5, 0.1, 0.0)))
    ]  # fmt: skip
    classes = series_classes(["ledger", "mask"])
    drawing = ElementTree.fromstring(
        draw_survival(curves, title="names", size=SMALL, key="k", classes=classes)
    )
    assert inside(drawing)
    assert len(titles(drawing)) == 6
    assert "ledger: 1.00, 0.90, 0.80" in (drawing.findtext("desc") or "")
    assert [t.text for t in drawing.iter("text") if t.attrib["class"] == "tick middle"] == ["1", "2", "3"]
