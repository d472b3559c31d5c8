"""What passes the gate, what does not, and what cannot be compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from evals.inference.made_runs import asked, judged, made, point, result, run_of
from tamis.errors import InputError, NotComparable
from tamis.evals import Need, Run
from tamis.evals.inference.outcome_measures import get_figure
from tamis.evals.judging.rubric import load_rubric
from tamis.evals.regression_gate import GateVerdict, gate

RECALL, READING = get_figure("recall"), get_figure("reading")
BEFORE = [0.5, 0.6, 0.7, 0.6, 0.5, 0.8, 0.7, 0.6, 0.5, 0.6]


def moved(by: Sequence[float]) -> GateVerdict:
    """What a method gets that differs by so much at each of ten points."""
    after = [value + d for value, d in zip(BEFORE, by, strict=True)]
    return gate(run_of({"a": after}), run_of({"a": BEFORE}), RECALL, margin=0.1)


def test_the_same_again_passes() -> None:
    verdict = moved([0.0] * 10)
    assert verdict.passed
    assert verdict.reason == "recall of a at 5%: not lower by 0.1: +0 (+0 to +0) over 10 sessions"


def test_a_little_worse_passes_within_the_margin() -> None:
    assert moved([-0.02, -0.04, -0.03, -0.01, -0.02, -0.03, -0.04, -0.02, -0.01, -0.03]).passed


def test_worse_by_more_than_the_margin_fails_and_says_so() -> None:
    verdict = moved([-0.22, -0.24, -0.23, -0.21, -0.22, -0.23, -0.24, -0.22, -0.21, -0.23])
    assert not verdict.passed
    assert verdict.reason.startswith("recall of a at 5%: lower by more than 0.1: -0.225 (")


def test_what_cannot_be_told_fails_and_says_what_could_have_been_seen() -> None:
    verdict = moved([-0.3, 0.3, -0.2, 0.2, -0.4, 0.4, 0.0, 0.1, -0.1, 0.0])
    assert not verdict.passed
    assert "not shown: may be lower by 0.1 or more: +0 (" in verdict.reason
    assert verdict.reason.endswith("could have been seen")


def test_few_sessions_show_nothing_however_much_they_agree() -> None:
    verdict = gate(run_of({"a": [0.5] * 4}), run_of({"a": [0.5] * 4}), RECALL, margin=0.1)
    assert not verdict.passed
    assert verdict.reason == "recall of a at 5%: not shown: 4 sessions are too few, 5 are the least"


def test_many_points_of_few_sessions_are_few_sessions() -> None:
    run = run_of({"a": [0.5] * 40}, per_session=10)
    assert not gate(run, run, RECALL, margin=0.1).passed


def test_a_method_that_now_fails_somewhere_does_not_pass_by_its_easy_points() -> None:
    after = run_of({"a": [*BEFORE[:9], None]})
    verdict = gate(after, run_of({"a": BEFORE}), RECALL, margin=0.1)
    assert not verdict.passed
    assert "not measured at 1 point where the baseline is" in verdict.reason
    assert [row.lost for row in verdict.rows] == [1]


def test_where_the_baseline_failed_too_nothing_is_lost() -> None:
    run = run_of({"a": [*BEFORE, None]})
    assert gate(run, run, RECALL, margin=0.1).passed


def test_where_nothing_was_measured_nothing_is_shown() -> None:
    run = run_of({"a": [None] * 6})
    verdict = gate(run, run, RECALL, margin=0.1)
    assert (verdict.passed, verdict.rows[0].before) == (False, None)
    assert "no point with a value in both" in verdict.reason


def test_every_method_of_the_baseline_has_to_pass_unless_one_is_named() -> None:
    before = run_of({"a": BEFORE, "b": BEFORE})
    after = run_of({"a": BEFORE, "b": [value - 0.3 for value in BEFORE]})
    verdict = gate(after, before, RECALL, margin=0.1)
    assert [(row.method, row.shown) for row in verdict.rows] == [("a", True), ("b", False)]
    assert not verdict.passed
    assert gate(after, before, RECALL, margin=0.1, method="a").passed


def test_a_method_can_be_judged_by_another_in_one_run() -> None:
    run = run_of({"old": BEFORE, "new": [value + 0.01 for value in BEFORE]})
    verdict = gate(run, run, RECALL, margin=0.05, against="old")
    assert [row.method for row in verdict.rows] == ["new"]
    assert verdict.passed
    assert (verdict.rows[0].before, verdict.rows[0].after) == (pytest.approx(0.61), pytest.approx(0.62))


def test_a_figure_that_should_be_low_is_judged_the_other_way_round() -> None:
    tokens = get_figure("tokens_per_task")
    points = [point(i) for i in range(6)]

    def run(carried: int) -> Run:
        results = [result(p, "a", 0.5) for p in points]
        scores = [replace(r, score=replace(r.score, carried_tokens=carried)) for r in results]  # type: ignore[type-var]
        return made(points, scores)

    assert gate(run(900), run(1_000), tokens, margin=50).passed
    worse = gate(run(1_100), run(1_000), tokens, margin=50)
    assert worse.reason.startswith("tokens_per_task of a at 5%: higher by more than 50")


def test_sessions_that_lie_elsewhere_are_the_same_sessions() -> None:
    before = run_of({"a": BEFORE})
    names = {p.key: f"other-{p.key}" for p in before.points}
    after = replace(
        before,
        points=tuple(replace(p, key=names[p.key], source=f"/elsewhere/{p.source}") for p in before.points),
        results=tuple(replace(r, point=names[r.point]) for r in before.results),
    )
    assert gate(after, before, RECALL, margin=0.1).passed


READ = asked(run_of({"a": BEFORE}), {"a": {"recall": 0.5}})
JUDGED = judged(READ, {"accuracy_factual": 4.0}, rubric=load_rubric().id)
NEED = Need(name="x.py", kind="path", turn=0, uses=1)


@pytest.mark.parametrize(
    ("other", "figure", "said"),
    [
        (lambda: run_of({"a": BEFORE[:9]}), "recall", "other points: only the baseline has session-9 at 50%"),
        (
            lambda: _with_points(lambda p: replace(p, span="9" * 24)),
            "recall",
            "and 8 more, only the baseline has",
        ),
        (lambda: _with_points(lambda p: replace(p, needs=(NEED,))), "recall", "other names needed"),
        (lambda: run_of({"b": BEFORE}), "recall", "the run has no method 'a'; it has b"),
        (
            lambda: replace(READ, settings=replace(READ.settings, tokenizer="cl100k_base")),
            "recall",
            "other tokenizer: only the run has cl100k_base, only the baseline has o200k_base",
        ),
        (
            lambda: asked(run_of({"a": BEFORE}), {"a": {"recall": 0.5}}, reader="gpt"),
            "reading",
            "other readers: only the run has gpt 1, only the baseline has lexical 1",
        ),
        (lambda: asked(READ, {"a": {"decision": 0.5}}), "reading", "other probes"),
        (lambda: _reworded(), "reading", "a probe has been edited"),
        (
            lambda: judged(READ, {"accuracy_factual": 4.0}, rubric=load_rubric().id, judge="gpt"),
            "overall",
            "other judges: only the run has gpt 1 with rubric",
        ),
    ],
)
def test_runs_that_were_measured_in_other_ways_are_named(
    other: Callable[[], Run], figure: str, said: str
) -> None:
    with pytest.raises(NotComparable) as refused:
        gate(other(), JUDGED, get_figure(figure), margin=0.1)
    assert said in str(refused.value)


def _with_points(change: Callable[..., object]) -> Run:
    return replace(READ, points=tuple(change(p) for p in READ.points))  # type: ignore[misc]


def _reworded() -> Run:
    probes = tuple(replace(p, probe=replace(p.probe, expected=())) for p in READ.probes)
    return replace(READ, probes=probes)


def test_another_judge_is_no_matter_to_what_no_judge_was_asked() -> None:
    other = judged(READ, {"accuracy_factual": 4.0}, rubric=load_rubric().id, judge="gpt")
    assert gate(other, JUDGED, READING, margin=0.1).passed


def test_other_budgets_are_named() -> None:
    points = [point(i) for i in range(5)]
    one, other = (made(points, [result(p, "a", 0.5, budget=b) for p in points]) for b in ("1%", "5%"))
    with pytest.raises(
        NotComparable, match="other budgets of a: only the run has 1%, only the baseline has 5%"
    ):
        gate(one, other, RECALL, margin=0.1)


def test_a_session_in_two_files_is_two_points() -> None:
    twice = [point(1, cluster="x"), replace(point(1, cluster="y"), key="p002")]
    run = made(twice, [result(p, "a", 0.5) for p in twice])
    assert gate(run, run, RECALL, margin=0.1).rows[0].comparison.pairs == 2  # type: ignore[union-attr]


@pytest.mark.parametrize("margin", [-0.1, float("nan"), float("inf")])
def test_a_margin_that_is_none_is_refused(margin: float) -> None:
    run = run_of({"a": BEFORE})
    with pytest.raises(InputError, match="margin"):
        gate(run, run, RECALL, margin=margin)


def test_a_method_that_is_worse_by_just_the_margin_seldom_passes() -> None:
    """At the margin itself 2.5 in a hundred pass, if the interval holds what it claims."""
    rng, passed = np.random.default_rng(2), 0
    for _ in range(150):
        before = rng.uniform(0.3, 0.7, 20)
        after = before - 0.1 + rng.normal(0, 0.1, 20)
        passed += gate(run_of({"a": list(after)}), run_of({"a": list(before)}), RECALL, margin=0.1).passed
    assert passed <= 9
