"""Putting cases to a judge: the order, the repeats, and judgements that cannot be used."""

from __future__ import annotations

import asyncio
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.judging.judged import CREATED, OPEN, PORT, RUBRIC, SaysAlways, case, judgement
from tamis.errors import UnknownModel
from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.judge import Judgement
from tamis.evals.judging.judge_runs import ask_judge, get_judge, judge_cases, shuffled
from tamis.evals.judging.offline import OfflineJudge

CASES = [case(PORT, f"{port}") for port in range(9080, 9100)]
FULL = {criterion.id: 3.0 for criterion in RUBRIC.for_probe(PORT)}


def test_judgements_come_back_in_the_order_of_the_cases() -> None:
    (said,) = asyncio.run(judge_cases(OfflineJudge(RUBRIC), CASES))
    alone = tuple(asyncio.run(ask_judge(OfflineJudge(RUBRIC), c)) for c in CASES)
    assert said == alone


def test_cases_are_asked_in_an_order_that_gives_nothing_away() -> None:
    judge = SaysAlways(3.0)
    asyncio.run(judge_cases(judge, CASES, repeats=2, concurrency=1))
    first, second = judge.asked[: len(CASES)], judge.asked[len(CASES) :]
    told = [c.answer.text for c in CASES]
    assert [text for text, _ in first] != told
    assert [text for text, _ in first] != [text for text, _ in second]
    assert sorted(text for text, _ in first) == sorted(told)
    assert ({r for _, r in first}, {r for _, r in second}) == ({0}, {1})


def test_the_same_seed_gives_the_same_order() -> None:
    orders = []
    for seed in (1, 1, 2):
        judge = SaysAlways(3.0)
        asyncio.run(judge_cases(judge, CASES, seed=seed, concurrency=1))
        orders.append(judge.asked)
    assert orders[0] == orders[1] != orders[2]


@given(st.integers(0, 50), st.integers(), st.integers(0, 5))
def test_an_order_holds_every_case_once(count: int, seed: int, repeat: int) -> None:
    assert sorted(shuffled(count, seed=seed, repeat=repeat)) == list(range(count))


@given(st.integers(1, 8), st.integers(0, 9))
def test_neither_the_order_nor_the_concurrency_changes_a_judgement(concurrency: int, seed: int) -> None:
    cases = [case(CREATED, "src/a.py"), case(OPEN, None), *CASES[8:12]]
    plain = asyncio.run(judge_cases(OfflineJudge(RUBRIC), cases))
    assert asyncio.run(judge_cases(OfflineJudge(RUBRIC), cases, seed=seed, concurrency=concurrency)) == plain


def test_it_tells_after_every_case() -> None:
    told: list[int] = []
    asyncio.run(judge_cases(SaysAlways(3.0), CASES[:3], repeats=2, done=lambda: told.append(1)))
    assert len(told) == 6


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (FULL | {"accuracy_factual": 7.0}, "always gave 7 for 'accuracy_factual'; scores go from 0 to 5"),
        (FULL | {"accuracy_factual": -0.5}, "gave -0.5"),
        (FULL | {"accuracy_factual": math.nan}, "gave nan"),
        (FULL | {"accuracy_factual": math.inf}, "gave inf"),
        ({k: v for k, v in FULL.items() if k != "accuracy_factual"}, "left out 'accuracy_factual'"),
        (FULL | {"charm": 3.0}, "judged 'charm', which does not go with this question"),
        ({}, "left out"),
    ],
)
def test_a_judgement_out_of_bounds_is_not_measured(scores: dict[str, float | None], reason: str) -> None:
    said = asyncio.run(ask_judge(SaysAlways(judgement(scores)), case(PORT, "9090")))
    assert isinstance(said, NotMeasured)
    assert reason in said.reason


def test_a_criterion_judged_twice_is_not_measured() -> None:
    once = judgement(FULL)
    twice = Judgement(results=(*once.results, once.results[0]))
    said = asyncio.run(ask_judge(SaysAlways(twice), case(PORT, "9090")))
    assert isinstance(said, NotMeasured)
    assert "more than once" in said.reason


def test_a_judge_that_raises_costs_one_judgement() -> None:
    (said,) = asyncio.run(judge_cases(SaysAlways(RuntimeError("boom")), CASES[:2]))
    assert said == (NotMeasured(reason="RuntimeError: boom"),) * 2


def test_what_a_judge_cannot_judge_is_no_fault() -> None:
    said = asyncio.run(ask_judge(SaysAlways(judgement(FULL | {"accuracy_factual": None})), case(PORT, "9")))
    assert isinstance(said, Judgement)


def test_a_judge_is_had_by_name() -> None:
    assert get_judge("offline", RUBRIC).name == "offline"
    with pytest.raises(UnknownModel, match="no model is called 'magic'"):
        get_judge("magic", RUBRIC)
