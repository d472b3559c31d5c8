"""Learning worth: the same sessions give the same bytes, and too few of them are said."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from evals.summed_up import summed_up
from tamis.compactors.brief.choice.signals import FLAGS, Signals
from tamis.compactors.brief.choice.worth import worth_from_json, worth_to_json
from tamis.compactors.brief.reading.statement import KINDS
from tamis.errors import InputError
from tamis.evals.training.examples import Example, examples_of
from tamis.evals.training.worth_model import (
    MIN_POINTS,
    MIN_SESSIONS,
    Rows,
    auc,
    half_of,
    held_out_auc,
    learn,
    log_odds,
)
from tamis.messages import ExactCounter

COUNTER = ExactCounter()


@cache
def of_session(number: int) -> tuple[Example, ...]:
    return tuple(examples_of(summed_up(number), COUNTER, set_name="nights"))


def examples(sessions: int = 12) -> tuple[Example, ...]:
    return tuple(e for n in range(sessions) for e in of_session(n))


def test_another_process_learns_the_same_bytes() -> None:
    script = (
        "from evals.learning.test_worth_model import examples\n"
        "from tamis.compactors.brief.choice.worth import worth_to_json\n"
        "from tamis.evals.training.worth_model import learn\n"
        "print(worth_to_json(learn(examples())), end='')\n"
    )
    for_another = os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-c", script], env=for_another, capture_output=True, text=True, check=True
    )
    assert ran.stdout == worth_to_json(learn(examples()))


def test_what_was_learned_reads_back_and_says_what_it_came_from() -> None:
    weights = learn(examples())
    assert worth_from_json(worth_to_json(weights), "mine.json") == weights
    assert weights.learned_from == {
        "nights": {
            "points": len(examples()),
            "sessions": 12,
            "statements": sum(len(e.needed) for e in examples()),
            "needed": sum(int(e.needed.sum()) for e in examples()),
        }
    }


def test_other_examples_have_another_version() -> None:
    assert learn(examples()).version != learn(examples(13)).version


def test_what_is_summed_up_later_is_learned_to_matter_more() -> None:
    """In these sessions causes are told again, and what the agent only looks at is not."""
    worth = learn(examples())
    for example in of_session(20):
        odds = log_odds(worth, example)
        assert odds[example.needed].min() > np.quantile(odds[~example.needed], 0.9)


def test_what_was_never_seen_has_no_weight() -> None:
    weights = learn(examples())
    kinds = {KINDS[k] for e in examples() for k in e.kinds}
    flags = {flag for e in examples() for flag, column in zip(FLAGS, e.flags.T, strict=True) if column.any()}
    assert (set(weights.kinds), set(weights.flags)) == (kinds, flags)
    assert kinds < set(KINDS)


def test_log_odds_are_those_that_a_compactor_goes_by() -> None:
    weights, example = learn(examples()), examples()[0]
    for at, odds in enumerate(log_odds(weights, example)):
        flags = frozenset(flag for flag, holds in zip(FLAGS, example.flags[at], strict=True) if holds)
        signals = Signals(KINDS[example.kinds[at]], tuple(example.numbers[at]), flags)
        assert weights.chance(signals) == pytest.approx(1 / (1 + math.exp(-odds)))


def test_a_point_counts_the_same_however_many_statements_stand_before_it() -> None:
    one, two = examples()[:2]
    weights = Rows.of([one, two]).weights
    assert len(one.needed) < len(two.needed)
    assert weights[: len(one.needed)].sum() == pytest.approx(weights[len(one.needed) :].sum())


def test_too_few_points_or_sessions_are_said() -> None:
    with pytest.raises(InputError, match=f"learning needs {MIN_POINTS} in {MIN_SESSIONS}"):
        learn(examples()[: MIN_POINTS - 1])
    crowded = [replace(e, cluster=f"nights/{n % (MIN_SESSIONS - 1)}") for n, e in enumerate(examples())]
    assert len(crowded) >= MIN_POINTS
    with pytest.raises(InputError, match=f"in {MIN_SESSIONS - 1} sessions"):
        learn(crowded)


def test_two_sets_are_two_in_the_provenance() -> None:
    renamed = [replace(e, set="other", cluster=f"other/{e.cluster}") for e in examples()[:6]]
    assert list(learn([*examples(), *renamed]).learned_from) == ["nights", "other"]


def test_halves_are_of_tasks_and_both_are_there() -> None:
    assert {half_of(f"set/{i}") for i in range(20)} == {0, 1}
    assert half_of("set/1") == half_of("set/1")


def with_random_needs(seed: int) -> list[Example]:
    draw = np.random.default_rng(seed)
    return [replace(e, needed=draw.permutation(e.needed)) for e in examples(26)]


def test_held_out_auc_is_high_where_there_is_something_to_learn_and_a_coin_where_there_is_nothing() -> None:
    told = held_out_auc(examples(26))
    assert told is not None
    assert told > 0.95
    by_chance = held_out_auc(with_random_needs(1))
    assert by_chance is not None
    assert abs(by_chance - 0.5) < 0.1


def test_of_too_few_sessions_nobody_can_tell_how_well_it_learned() -> None:
    assert held_out_auc(examples()[: MIN_POINTS + 2]) is None


def test_the_area_is_that_of_all_pairs() -> None:
    scores, needed = np.array([0.1, 0.4, 0.4, 0.8, 0.2]), np.array([False, True, False, True, False])
    pairs = [(a > b) + (a == b) / 2 for a in scores[needed] for b in scores[~needed]]
    assert auc(scores, needed) == pytest.approx(sum(pairs) / len(pairs))
