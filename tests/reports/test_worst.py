from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evals import Need, PointRecord, Result, Run, Settings, Texts
from tamis.evals.hindsight import Hindsight
from tamis.reports.excerpts import EXCERPT_CHARS
from tamis.reports.worst import WorstPoint, by_badness, worst_points

BUDGET = "5%"


def a_run(**missing: tuple[tuple[str, ...], tuple[str, ...]]) -> Run:
    """A run of one method: for each point what was needed, and what of it is missing."""
    points, results = [], []
    for key, (needed, gone) in missing.items():
        needs = tuple(Need(name=n, kind="identifier", turn=0, uses=1) for n in needed)
        points.append(
            PointRecord(
                key=key, set="s", source="f", session_id=key, cluster=key, label="50%", cut=3,
                span_tokens=100, turns_after=2, needs=needs, span=key,
            )
        )  # fmt: skip
        score = Hindsight(
            recall=1 - len(gone) / len(needed), weighted_recall=0, regret_rate=0, refetch_tokens=0,
            carried_tokens=0, cached_tokens=0, by_kind={}, missing=gone,
        )  # fmt: skip
        results.append(
            Result(
                point=key, method="m", version="1", budget=BUDGET, budget_tokens=5, tokens_before=100,
                tokens_after=5, outcome="fits", score=score,
            )
        )  # fmt: skip
    return Run(
        tamis="1", settings=Settings(methods=("m",), budgets=(BUDGET,)), exact_tokens=True, sessions=1,
        messages=1, points=tuple(points), results=tuple(results), skipped=(),
    )  # fmt: skip


def the_worst(span: str, *names: str) -> WorstPoint:
    (worst,) = worst_points(a_run(p=(names, names)), "m", BUDGET, {"p": span}.__getitem__)
    return worst


def test_the_points_with_the_lowest_recall_come_first_and_those_without_loss_not_at_all() -> None:
    run = a_run(half=(("a", "b"), ("b",)), all=(("a",), ("a",)), none=(("a",), ()))
    found = worst_points(run, "m", BUDGET, lambda _: "a b")
    assert [w.point.key for w in found] == ["all", "half"]
    assert [p.key for p in by_badness(run)] == ["all", "half", "none"]


def test_of_equal_recalls_the_one_that_lost_more_names_comes_first() -> None:
    run = a_run(few=(("a",), ("a",)), many=(("a", "b"), ("a", "b")))
    assert [w.point.key for w in worst_points(run, "m", BUDGET, lambda _: "a b")] == ["many", "few"]


def test_a_name_is_marked_where_it_stands_as_itself() -> None:
    (excerpt,) = the_worst("### 1 tool t1\nradio.py and io.py, not io.pyc", "io.py").excerpts
    assert excerpt.pieces == ("radio.py and ", "io.py", ", not io.pyc")
    assert excerpt.message == "message 1, tool"


def test_all_missing_names_in_an_excerpt_are_marked_and_shown_once() -> None:
    worst = the_worst("### 1 user u\nload_x calls save_y", "load_x", "save_y")
    assert [e.pieces for e in worst.excerpts] == [("", "load_x", " calls ", "save_y", "")]
    assert worst.unseen == ()


def test_a_name_that_is_written_otherwise_in_the_span_is_told_without_an_excerpt() -> None:
    worst = the_worst('### 1 user u\n{"a": "say \\"load_x\\""}', 'say "load_x"')
    assert worst.excerpts == ()
    assert [n.name for n in worst.unseen] == ['say "load_x"']


def test_an_excerpt_stays_in_its_message() -> None:
    span = "### 1 user u1\nbefore\n\n### 2 tool t1\nload_x\n\n### 3 user u2\nafter"
    (excerpt,) = the_worst(span, "load_x").excerpts
    assert "".join(excerpt.pieces) == "load_x"
    assert excerpt.message == "message 2, tool"


def test_the_last_place_is_shown() -> None:
    (excerpt,) = the_worst("### 1 user u\nold load_x\n\n### 2 tool t\nnew load_x", "load_x").excerpts
    assert "".join(excerpt.pieces) == "new load_x"


def test_of_a_long_line_a_piece_is_shown_and_says_so() -> None:
    (excerpt,) = the_worst("### 1 tool t\n" + "a " * 900 + "load_x" + " b" * 900, "load_x").excerpts
    text = "".join(excerpt.pieces)
    assert text.startswith("…a")
    assert text.endswith("b…")
    assert len(text) <= 2 * EXCERPT_CHARS + len("load_x") + 2


@given(st.text(alphabet="ab \n_", max_size=200), st.text(alphabet="ab \n_", max_size=200))
def test_an_excerpt_is_a_piece_of_the_span(before: str, after: str) -> None:
    span = f"{before} load_x {after}"
    (excerpt,) = the_worst(span, "load_x").excerpts
    assert "".join(excerpt.pieces).strip("…") in span
    assert "load_x" in excerpt.pieces[1::2]


def test_a_real_run_has_excerpts_for_what_was_lost(run: Run, texts: Texts) -> None:
    (first, *_) = worst_points(run, "truncate", "20%", texts.__getitem__)
    assert first.excerpts
    for excerpt in first.excerpts:
        assert set(excerpt.pieces[1::2]) <= set(first.score.missing)


def test_a_method_that_lost_nothing_has_no_worst_point() -> None:
    assert worst_points(a_run(p=(("a",), ())), "m", BUDGET, pytest.fail) == []
