from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evals import Run
from tamis.reports.chart import draw
from tamis.reports.figure_labels import RECALL, REGRET, Scope, scopes_of
from tamis.reports.svg import NARROW, SMALL, WIDE, Size, series_classes, spread


def drawn(scope: Scope, size: Size = WIDE) -> ElementTree.Element:
    classes = series_classes(scope.methods)
    return ElementTree.fromstring(draw(scope, RECALL, size=size, key="k", classes=classes))


def renamed(run: Run, budgets: dict[str, str]) -> Run:
    """The same run, as if it had been asked for other budgets."""
    results = tuple(replace(r, budget=budgets[r.budget]) for r in run.results)
    settings = replace(run.settings, budgets=tuple(budgets.values()))
    return replace(run, results=results, settings=settings)


def ticks(run: Run) -> list[float]:
    """Where the budgets stand on the axis."""
    texts = drawn(scopes_of(run)[0]).iter("text")
    return [float(t.attrib["x"]) for t in texts if t.attrib["class"] == "tick middle"]


@pytest.mark.parametrize("size", [WIDE, NARROW, SMALL])
def test_everything_is_drawn_inside_the_drawing(run: Run, size: Size) -> None:
    for node in drawn(scopes_of(run)[0], size).iter():
        xs = [float(node.attrib[k]) for k in ("x", "x1", "x2", "cx") if k in node.attrib]
        ys = [float(node.attrib[k]) for k in ("y", "y1", "y2", "cy") if k in node.attrib]
        for point in node.attrib.get("points", "").split():
            x, y = map(float, point.split(","))
            xs, ys = [*xs, x], [*ys, y]
        assert all(0 <= x <= size.width for x in xs)
        assert all(0 <= y <= size.height for y in ys)


def test_it_can_be_read_without_being_seen(run: Run) -> None:
    scope = scopes_of(run)[0]
    chart = drawn(scope)
    assert chart.attrib["role"] == "img"
    assert chart.attrib["aria-labelledby"] == "k-t k-d"
    told = chart.findtext("desc") or ""
    recall = RECALL.of(scope.cell("ledger", "5%"))
    assert recall is not None
    assert f"{recall.mean:.2f} at 5 %" in told
    assert "broken: not measured" in told


def test_a_method_without_figures_has_no_line_and_no_label(run: Run) -> None:
    labels = [t.text for t in drawn(scopes_of(run)[0]).iter("text") if "label" in t.attrib["class"]]
    assert sorted(filter(None, labels)) == ["index", "ledger", "nothing", "truncate"]


def test_a_name_with_markup_in_it_stays_text(run: Run) -> None:
    results = tuple(replace(r, method="<b>&\"'") if r.method == "ledger" else r for r in run.results)
    chart = drawn(scopes_of(replace(run, results=results))[0])
    assert "<b>&\"'" in [t.text for t in chart.iter("text")]
    assert list(chart.iter("b")) == []


def test_an_average_over_fewer_points_is_hollow(run: Run) -> None:
    partial = replace(
        run,
        results=tuple(
            r for r in run.results if r.method != "ledger" or r.point != next(iter(run.points)).key
        ),
    )
    marks = {
        (title.text or "").split(" at ")[0]: mark.attrib["class"]
        for group in drawn(scopes_of(partial)[0]).iter("g")
        if (title := group.find("title")) is not None and (title.text or "").count("at 20 %")
        for mark in group
        if mark.attrib.get("class", "").startswith("mark")
    }
    assert marks["ledger"] == "mark hollow"
    assert marks["index"] == "mark"


def test_budgets_of_one_unit_stand_by_their_logarithm(run: Run) -> None:
    low, middle, high = ticks(run)
    assert (middle - low) / (high - low) == pytest.approx(0.537, abs=0.01)  # log 5 / log 20


def test_budgets_of_several_units_stand_at_equal_distances(run: Run) -> None:
    low, middle, high = ticks(renamed(run, {"1%": "500", "5%": "own", "20%": "50%"}))
    assert middle - low == pytest.approx(high - middle, abs=0.2)


def test_of_budgets_that_stand_close_not_all_are_labelled(run: Run) -> None:
    assert len(ticks(renamed(run, {"1%": "1%", "5%": "1.1%", "20%": "20%"}))) == 2


def test_one_budget_is_drawn_too(run: Run) -> None:
    results = tuple(r for r in run.results if r.budget == "5%")
    one = replace(run, results=results, settings=replace(run.settings, budgets=("5%",)))
    assert len(ticks(one)) == 1


def test_regret_is_drawn_up_to_the_next_step_of_the_grid(run: Run) -> None:
    scope = scopes_of(run)[0]
    chart = draw(scope, REGRET, size=WIDE, key="k", classes=series_classes(scope.methods))
    highest = max(float(v) for v in re.findall(r'class="tick end"[^>]*>([\d.]+)<', chart))
    values = [c.regret_rate for c in scope.cells.values() if c.regret_rate]
    largest = max(e.high or e.mean for e in values)
    assert largest <= highest < largest + 0.2


@given(st.lists(st.floats(min_value=0, max_value=300), max_size=15))
def test_labels_stand_apart_in_order_and_inside(wanted: list[float]) -> None:
    placed = spread(sorted(wanted), gap=15, low=0, high=300)
    assert len(placed) == len(wanted)
    assert all(b - a >= 15 - 1e-6 for a, b in pairwise(placed))
    assert all(-1e-6 <= y <= 300 + 1e-6 for y in placed)
