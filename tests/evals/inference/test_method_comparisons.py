from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.inference.made_runs import asked, judged, made, point, result, run_of
from tamis.errors import InputError
from tamis.evals.inference.method_comparisons import Family, compare_methods
from tamis.evals.inference.outcome_measures import get_figure
from tamis.evals.judging.rubric import load_rubric

RECALL, READING, OVERALL = (get_figure(name) for name in ("recall", "reading", "overall"))


def differences(family: Family) -> dict[str, float | None]:
    return {row.group: row.comparison and round(row.comparison.difference, 9) for row in family.rows}


def test_every_method_is_compared_with_the_baseline_at_the_same_points() -> None:
    run = run_of({"mask": [0.5, 0.4, 0.6], "index": [0.7, 0.4, 0.9], "ledger": [0.8, 0.8, None]})
    family = compare_methods(run, RECALL, "mask")
    found = [
        (row.method, row.comparison and (row.comparison.difference, row.comparison.pairs))
        for row in family.rows
    ]
    assert found == [("index", (pytest.approx(0.5 / 3), 3)), ("ledger", (pytest.approx(0.35), 2))]
    assert [row.comparison.unpaired for row in family.rows if row.comparison] == [0, 1]


def test_p_values_are_corrected_for_all_comparisons_shown() -> None:
    better = [0.9 + i / 1000 for i in range(10)]
    run = run_of({"mask": [0.5] * 10, "index": better, "ledger": better, "extractive": [0.5, 0.6] * 5})
    rows = compare_methods(run, RECALL, "mask").rows
    raw = [row.comparison.p_value for row in rows if row.comparison]
    assert raw[:2] == [2 / 2**10] * 2
    assert [row.p_holm for row in rows][:2] == [pytest.approx(3 * 2 / 2**10)] * 2
    alone = compare_methods(run, RECALL, "mask", methods=["index"]).rows
    assert [row.p_holm for row in alone] == raw[:1]


def test_budgets_are_compared_each_with_its_own() -> None:
    points = [point(i) for i in range(3)]
    results = [
        result(p, method, recall, budget=budget)
        for p in points
        for method, budget, recall in (("a", "1%", 0.1), ("a", "5%", 0.5), ("b", "1%", 0.3), ("b", "5%", 0.6))
    ]
    rows = compare_methods(made(points, results), RECALL, "a").rows
    assert [(r.budget, r.comparison and round(r.comparison.difference, 9)) for r in rows] == [
        ("1%", 0.2),
        ("5%", 0.1),
    ]


def test_groups_by_set_and_length() -> None:
    points = [
        point(1, set_="x", span_tokens=5_000),
        point(2, set_="x", span_tokens=60_000),
        point(3, set_="y", span_tokens=20_000),
    ]
    results = [result(p, "a", 0.5) for p in points]
    results += [result(p, "b", recall) for p, recall in zip(points, (0.6, 0.8, 0.4), strict=True)]
    run = made(points, results)
    assert differences(compare_methods(run, RECALL, "a", by="set")) == {"x": 0.2, "y": -0.1}
    assert differences(compare_methods(run, RECALL, "a", by="length")) == {
        "under 10k tokens": 0.1,
        "50k tokens and more": 0.3,
        "10k to 50k tokens": -0.1,
    }


def test_later_cycles_are_looked_at_only_by_cycle() -> None:
    points = [point(i) for i in range(2)]
    results = [result(p, "a", 0.5, cycle=cycle) for p in points for cycle in (1, 2)]
    results += [result(p, "b", 0.5 + 0.1 * cycle, cycle=cycle) for p in points for cycle in (1, 2)]
    run = made(points, results)
    assert differences(compare_methods(run, RECALL, "a")) == {"all": 0.1}
    assert differences(compare_methods(run, RECALL, "a", by="cycle")) == {"cycle 1": 0.1, "cycle 2": 0.2}


def test_reading_is_compared_over_what_both_were_asked() -> None:
    """Where one answer is missing, the other's answer to the same question does not count."""
    run = run_of({"a": [0.5, 0.5], "b": [0.5, 0.5]})
    run = asked(run, {"a": {"recall": 0.2, "decision": 1.0}, "b": {"recall": 0.6, "decision": None}})
    assert differences(compare_methods(run, READING, "a")) == {"all": 0.4}
    assert differences(compare_methods(run, READING, "a", by="kind")) == {"recall": 0.4, "decision": None}
    assert differences(compare_methods(run, get_figure("reading:recall"), "a")) == {"all": 0.4}


def test_questions_without_an_answer_are_a_figure_of_their_own() -> None:
    run = asked(
        run_of({"a": [0.5], "b": [0.5]}),
        {"a": {"recall": 0.2, "unanswerable": 1.0}, "b": {"recall": 0.6, "unanswerable": 0.0}},
    )
    assert differences(compare_methods(run, READING, "a")) == {"all": 0.4}
    assert differences(compare_methods(run, get_figure("reading:unanswerable"), "a")) == {"all": -1.0}


def test_what_a_judge_gave_is_compared_by_dimension_and_over_all() -> None:
    rubric = load_rubric()
    run = asked(run_of({"a": [0.5] * 2, "b": [0.5] * 2}), {"a": {"recall": 0.2}, "b": {"recall": 0.6}})
    run = judged(run, {"accuracy_factual": 4.0, "completeness_coverage": 2.0}, rubric=rubric.id)
    assert len({one.unit.stratum for one in OVERALL.observe(run)}) == 2
    assert differences(compare_methods(run, OVERALL, "a")) == {"all": 0.0}
    by_dimension = differences(compare_methods(run, OVERALL, "a", by="dimension"))
    assert by_dimension == {"accuracy": 0.0, "completeness": 0.0}
    one = compare_methods(run, get_figure("overall:accuracy"), "a")
    assert differences(one) == {"all": 0.0}


def test_judgements_by_another_rubric_are_not_taken_for_this_one() -> None:
    run = asked(run_of({"a": [0.5], "b": [0.5]}), {"a": {"recall": 0.2}, "b": {"recall": 0.6}})
    with pytest.raises(InputError, match="judged by mine@7"):
        compare_methods(judged(run, {"accuracy_factual": 4.0}, rubric="mine@7"), OVERALL, "a")


def test_what_several_readers_said_is_not_averaged() -> None:
    run = run_of({"a": [0.5], "b": [0.5]})
    for reader in ("lexical", "other"):
        run = asked(run, {"a": {"recall": 0.2}, "b": {"recall": 0.6}}, reader=reader)
    with pytest.raises(InputError, match=r"several readers \(lexical, other\)"):
        compare_methods(run, READING, "a")


def test_a_run_without_answers_says_so() -> None:
    with pytest.raises(InputError, match="no readers"):
        compare_methods(run_of({"a": [0.5], "b": [0.5]}), READING, "a")


def test_a_figure_without_kinds_cannot_be_grouped_by_them() -> None:
    with pytest.raises(InputError, match="no kind to group by"):
        compare_methods(run_of({"a": [0.5], "b": [0.5]}), RECALL, "a", by="kind")


def test_a_method_that_was_not_measured_is_named() -> None:
    with pytest.raises(InputError, match="no method 'c'; it has a, b"):
        compare_methods(run_of({"a": [0.5], "b": [0.5]}), RECALL, "c")


@pytest.mark.parametrize("name", ["speed", "recall:path", "overal"])
def test_a_figure_that_is_none_is_refused_with_those_that_are(name: str) -> None:
    with pytest.raises(InputError, match=r"no figure .*recall.*overall:DIMENSION"):
        get_figure(name)


recalls = st.lists(st.floats(0, 1, width=16), min_size=1, max_size=6)


@given(recalls, recalls)
def test_the_other_baseline_gives_the_mirror_image(a: list[float], b: list[float]) -> None:
    run = run_of({"a": a, "b": b}, per_session=2)
    (one,) = compare_methods(run, RECALL, "a").rows
    (other,) = compare_methods(run, RECALL, "b").rows
    assert one.comparison is not None
    assert other.comparison is not None
    assert one.comparison.difference == pytest.approx(-other.comparison.difference)
    assert one.comparison.p_value == other.comparison.p_value
