from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.bench.aggregation import CaseScore, CycleScore, score_cases, score_cycle
from tamis.bench.case import CaseQuestions
from tamis.bench.item_scorer import score_answer
from tamis.bench.template import EvaluationItem, GroundTruth


def item(expected: dict[str, Any], kind: str = "immutable_fact_recall") -> EvaluationItem:
    return EvaluationItem.model_validate({"key": "k", "type": kind, "prompt": "?", "expected": expected})


def questions(
    *items: EvaluationItem, forbidden: tuple[str, ...] = (), rivals: tuple[str, ...] = ()
) -> CaseQuestions:
    return CaseQuestions(
        case="c",
        template="t",
        family="f",
        slot=0,
        ground_truth=GroundTruth(forbidden_behaviors=list(forbidden)),
        items=items,
        rivals={"k": rivals},
    )


def worth(expected: dict[str, Any], answer: str, rivals: tuple[str, ...] = ()) -> float:
    asked = item({"check": "contains_normalized", **expected})
    return score_answer(asked, answer, questions(asked, rivals=rivals)).score


@pytest.mark.parametrize(
    ("expected", "answer", "score"),
    [
        ({"value": "8080"}, "It is 8080.", 1.0),
        ({"value": "80"}, "It is 8080.", 0.0),
        ({"value": "1.5"}, "version 1.5.2", 0.0),
        ({"value": "4,000"}, "4000 rows", 1.0),
        ({"value": "Kafka"}, "use `kafka`.", 1.0),
        ({"value": "Kafka"}, "not Kafka", 0.0),
        ({"value": "Kafka"}, "We no longer use Kafka.", 0.0),
        ({"value": "Kafka"}, "Kafka (superseded)", 0.0),
        ({"value": "Kafka"}, "- superseded: use Kafka for the queue", 0.0),
        ({"value": "Kafka"}, "Ben replaced the broker: use Kafka", 1.0),
        ({"value": "8080"}, "已作废：端口是 8080", 0.0),
        ({"value": "new", "superseded": ["old"]}, "No longer holds: it is old.\nIt is new.", 1.0),
        ({"value": "27"}, "It must not be retried more than 27 times.", 1.0),
        ({"value": "NATS"}, "use NATS, not Kafka", 1.0),
        ({"value": "Friday", "forbids": True}, "no release on Friday", 1.0),
        ({"value": "Friday", "forbids": True}, "release on Friday", 0.0),
        ({"value": "orders", "forbids": True}, "Hands off orders, please.", 1.0),
        ({"value": "orders", "forbids": True}, "leave the schema of orders alone", 1.0),
        ({"value": "周五", "forbids": True}, "周五不要上线", 1.0),
        ({"value": "周五", "forbids": True}, "周五上线", 0.0),
        ({"value": "pass", "forms": ["is green"]}, "The test is green.", 1.0),
        ({"value": "new", "superseded": ["old"]}, "It is new.", 1.0),
        ({"value": "new", "superseded": ["old"]}, "It is old.\nIt is new.", 0.5),
        ({"value": "new", "superseded": ["old"]}, "It is new, no longer old.", 1.0),
        ({"value": "new", "superseded": ["old"]}, "It went from old to new.", 1.0),
        ({"value": "new", "superseded": ["old"]}, "It is old.", 0.0),
        ({"check": "set_match", "values": ["a", "b"]}, "a is left", 0.5),
        ({"check": "exact", "value": "A"}, "A\n", 1.0),
        ({"check": "forbidden_absent", "value": "force-push"}, "We never force-push.", 1.0),
        ({"check": "forbidden_absent", "value": "force-push"}, "Then force-push it.", 0.0),
    ],
)
def test_an_answer_is_worth_what_it_says(expected: dict[str, Any], answer: str, score: float) -> None:
    assert worth(expected, answer) == score


@given(st.sampled_from(["contains_normalized", "forbidden_absent", "exact"]))
def test_an_empty_answer_earns_nothing(check: str) -> None:
    assert worth({"check": check, "value": "x"}, " \n") == 0.0


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Ana", 1.0),
        ("Ana owns it.", 1.0),
        ("api, Ana, Ben, orders", 0.0),
        ("api Ana Ben orders", 0.0),
        ("Ana owns the gateway, Ben owns the queue", 1.0),
        ("Ben owns it.\nAna owns it.", 1.0),
    ],
)
def test_a_bare_list_of_candidates_is_no_answer(answer: str, score: float) -> None:
    assert worth({"value": "Ana"}, answer, rivals=("Ben",)) == score


def test_giving_the_superseded_alone_contradicts() -> None:
    asked = item({"check": "contains_normalized", "value": "new", "superseded": ["old"]})
    assert score_answer(asked, "It is old.", questions(asked)).contradicts
    assert not score_answer(asked, "It is new.", questions(asked)).contradicts


def test_saying_to_do_what_is_forbidden_contradicts_and_naming_the_rule_does_not() -> None:
    asked = item({"check": "contains_normalized", "value": "x"}, "planning_soundness")
    of = questions(asked, forbidden=("deploy on Friday",))
    assert score_answer(asked, "Let us deploy on Friday.", of).contradicts
    assert not score_answer(asked, "We must not deploy on Friday.", of).contradicts


def test_doing_what_an_item_forbids_contradicts() -> None:
    asked = item({"check": "forbidden_absent", "value": "SupplierCo"}, "forbidden_behavior_retention")
    of = questions(asked)
    assert score_answer(asked, "SupplierCo, the cheapest.", of).contradicts
    assert not score_answer(asked, "HomeCo, and never SupplierCo.", of).contradicts


def test_the_penalty_takes_the_share_that_contradicts() -> None:
    one = item({"check": "contains_normalized", "value": "new", "superseded": ["old"]})
    two = EvaluationItem.model_validate({**one.model_dump(), "key": "k2"})
    cycle = score_cycle(questions(one, two), {"k": "new", "k2": "old"}, 4.0)
    assert (cycle.score, cycle.contradiction_rate, cycle.penalized) == (0.5, 0.5, 0.25)


def cycles(*scores: float) -> CaseScore:
    made = tuple(CycleScore(items=(), score=s, contradiction_rate=0.0, ratio=4.0) for s in scores)
    return CaseScore(case="c", template="t", family="f", slot=0, cycles=made)


@pytest.mark.parametrize(
    ("scores", "drift"), [((1.0, 0.5, 0.5), 0.5), ((0.5, 1.0), 1.0), ((0.0, 0.0), None), ((1.0,), None)]
)
def test_drift_is_not_measured_where_there_is_nothing_to_lose(
    scores: tuple[float, ...], drift: float | None
) -> None:
    assert cycles(*scores).drift_resistance == drift


def test_a_run_says_over_how_many_cases_drift_was_measured() -> None:
    run = score_cases([cycles(1.0, 0.5), cycles(0.0, 0.0)])
    assert (run.drift_resistance, run.drift_cases) == (0.5, 1)
    assert run.constraint_retention is None
