from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evals import Need, PointRecord, Result, Run, Settings, Texts
from tamis.evals.hindsight import Hindsight
from tamis.evals.probing.exact_scorer import AnswerScore
from tamis.evals.probing.probes import Expected
from tamis.reports.excerpts import EXCERPT_CHARS, alternate, apart, find_evidence
from tamis.reports.worst_answers import WorstPoint, by_badness, passages, worst_answers, worst_points


def marked(text: str, *expected: Expected) -> list[str]:
    return list(alternate(text, find_evidence(expected, text)))[1::2]


def test_a_path_is_marked_as_itself() -> None:
    assert marked("io.py, radio.py", Expected(type="path", value="io.py")) == ["io.py"]


def test_an_amount_is_marked_however_it_is_written() -> None:
    assert marked("took 1.2k tokens", Expected(type="number", value="1200")) != []


def test_a_text_is_marked_across_its_line_breaks() -> None:
    assert marked("Never\n  touch it. So.", Expected(type="text", value="Never touch it.")) == [
        "Never\n  touch it."
    ]


def test_of_a_text_that_is_told_otherwise_the_nearest_line_is_marked() -> None:
    told = "we chose sqlite for the archive\nnothing to see"
    assert marked(told, Expected(type="text", value="sqlite was chosen for the archive, not postgres")) == [
        "we chose sqlite for the archive"
    ]


def test_what_shares_too_little_is_no_evidence() -> None:
    assert marked("the sky is blue", Expected(type="text", value="sqlite holds the archive")) == []


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).map(lambda p: (min(p), max(p)))))
def test_places_never_lie_on_each_other(places: list[tuple[int, int]]) -> None:
    assert all(a[1] <= b[0] for a, b in pairwise(apart(places)))


@given(st.text(alphabet="ab \n", max_size=300), st.data())
def test_passages_lose_no_mark_of_the_first_lines(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    (found, *_) = passages(text, [(place, place)], (0, len(text)))
    assert "".join(found.pieces).strip("…") in text


def test_the_worst_come_by_kind_in_turn_and_never_an_answered_one(run: Run, texts: Texts) -> None:
    found = worst_answers(run, ["truncate", "ledger"], "5%", texts.__getitem__, most=3)
    assert set(found) == {"truncate", "ledger"}
    shown = found["truncate"].shown
    assert 0 < len(shown) <= 3
    assert all(one.score.value < 0.5 for one in shown)
    kinds = [one.probe.kind for one in shown]
    assert len(set(kinds)) == min(3, len({one.probe.kind for one in shown} | set(kinds)))


def test_counts_say_what_was_left_out(run: Run, texts: Texts) -> None:
    keys = {r.key for r in run.results if (r.method, r.budget) == ("truncate", "5%")}
    scores = [a.exact.value for a in run.answers if a.result in keys and isinstance(a.exact, AnswerScore)]
    found = worst_answers(run, ["truncate"], "5%", texts.__getitem__, most=1)["truncate"]
    assert (found.answers, found.wrong) == (len(scores), sum(value < 0.5 for value in scores))
    assert len(found.shown) == 1


def test_none_are_shown_where_none_are_wanted(run: Run, texts: Texts) -> None:
    found = worst_answers(run, ["truncate"], "5%", texts.__getitem__, most=0)["truncate"]
    assert found.shown == ()
    assert found.answers > 0


def test_every_shown_answer_has_its_judgement_and_its_source(run: Run, texts: Texts) -> None:
    for one in worst_answers(run, ["ledger", "truncate"], "1%", texts.__getitem__, most=5)["truncate"].shown:
        assert one.judgements
        assert bool(one.sources) == bool(one.probe.sources)


def test_a_run_without_questions_has_none(run: Run) -> None:
    from dataclasses import replace

    assert worst_answers(replace(run, answers=()), ["ledger"], "5%", pytest.fail, most=3) == {}


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
