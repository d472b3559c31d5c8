"""Worth: weights as a file, applied by hand-checkable addition, and the ones that ship."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tamis.compactors.brief.choice.grade import default_grade
from tamis.compactors.brief.choice.signals import FLAGS, NUMBERS, Signals
from tamis.compactors.brief.choice.steps import Steps
from tamis.compactors.brief.choice.worth import (
    CHANCE_TOKENS,
    LEARNED_SHARE,
    Worth,
    default_worth,
    prior_worth,
    read_worth,
    worth_from_json,
    worth_to_json,
)
from tamis.compactors.brief.reading.statement import KINDS
from tamis.errors import UnreadableFile

WEIGHTS = Worth(
    version="hand",
    learned_from={"here": {"points": 1}},
    intercept=-1.0,
    kinds={"found": 0.5, "ran": -0.25},
    flags={"cause": 0.75},
    steps={
        "tokens": Steps(edges=(10.0,), scores=(0.0, 2.0)),
        "age": Steps(edges=(5.0,), scores=(1.0, 0.0)),
    },
)


def seen(kind: str, *flags: str, **numbers: float) -> Signals:
    """What is seen of a statement of twenty tokens in the last message, unless told."""
    values = dict.fromkeys(NUMBERS, 0.0) | {"tokens": 20.0} | numbers
    return Signals(kind, tuple(values[name] for name in NUMBERS), frozenset(flags))


def log_odds(worth: Worth, signals: Signals) -> float:
    chance = worth.chance(signals)
    return math.log(chance / (1 - chance))


@pytest.mark.parametrize(
    ("signals", "odds"),
    [
        (seen("found", "cause"), -1.0 + 0.5 + 0.75 + 2.0 + 1.0),
        (seen("found", age=9.0), -1.0 + 0.5 + 2.0 + 0.0),
        (seen("ran", tokens=3.0), -1.0 - 0.25 + 0.0 + 1.0),
        (seen("said", "question"), -1.0 + 2.0 + 1.0),  # a kind and a flag without a weight add nothing
    ],
)
def test_the_chance_is_the_logistic_of_what_kind_flags_and_steps_add_up_to(
    signals: Signals, odds: float
) -> None:
    assert log_odds(WEIGHTS, signals) == pytest.approx(odds)


@pytest.mark.parametrize(("value", "score"), [(-5, 0.5), (1.9, 0.5), (2, 0.0), (9, 0.0), (10, -1.0)])
def test_a_step_holds_from_its_edge_on(value: float, score: float) -> None:
    steps = Steps(edges=(2, 10), scores=(0.5, 0.0, -1.0))
    assert steps(value) == score
    assert steps.span == 1.5


def test_worth_lies_between_the_prior_and_what_was_learned() -> None:
    signals = seen("found", "cause")
    learned = CHANCE_TOKENS * WEIGHTS.chance(signals)
    logs = (
        (1 - LEARNED_SHARE) * math.log(prior_worth(signals, works=False)),
        LEARNED_SHARE * math.log(learned),
    )
    assert WEIGHTS(signals, talks=True) == pytest.approx(math.exp(sum(logs)))


def test_where_somebody_works_half_of_it_is_what_readers_grade() -> None:
    signals = seen("found", "cause")
    under_way = (prior_worth(signals) / prior_worth(signals, works=False)) ** (1 - LEARNED_SHARE)
    graded = under_way * WEIGHTS(signals, talks=True) * default_grade()(signals)
    assert under_way > 1
    assert WEIGHTS(signals) == pytest.approx(math.sqrt(graded))


def test_what_services_gave_back_goes_by_no_grade() -> None:
    signals = seen("ran", "record")
    assert WEIGHTS(signals) == WEIGHTS(signals, talks=True)


def test_of_short_messages_of_the_users_and_of_copied_text_the_prior_alone_decides() -> None:
    surer = replace(WEIGHTS, intercept=3.0)
    for signals in (seen("asked", "whole"), seen("asked", "fact"), seen("noted"), seen("passage")):
        assert surer(signals) == WEIGHTS(signals) == prior_worth(signals)
    assert surer(seen("found")) > WEIGHTS(seen("found"))


def test_sentences_of_a_long_request_go_by_their_grade() -> None:
    signals = seen("asked", "detail")
    assert WEIGHTS(signals) == default_grade()(signals)
    assert WEIGHTS(signals, talks=True) == prior_worth(signals)


def test_what_only_announces_is_worth_less_than_a_cause() -> None:
    assert default_worth()(seen("said", "announces")) < default_worth()(seen("found", "cause"))


def test_weights_read_back_the_same() -> None:
    text = worth_to_json(default_worth())
    assert worth_to_json(worth_from_json(text, "copy")) == text
    assert worth_from_json(text, "copy") == default_worth()


def edited(**changes: Any) -> str:
    return json.dumps({**json.loads(worth_to_json(WEIGHTS)), **changes})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("not json", "no weights of statements .file"),
        ("[]", "no weights of statements"),
        (edited(extra=1), "no weights of statements .extra"),
        (edited(format="tamis-worth/99"), "weights of format 'tamis-worth/99'"),
        (edited(steps={"shoe_size": {"edges": [], "scores": [1]}}), "do not fit this tamis .shoe_size"),
        (edited(steps={"age": {"edges": [1], "scores": [1]}}), "do not fit this tamis .age"),
        (edited(flags={"tall": 1.0}), "do not fit this tamis .tall"),
        (edited(kinds={"sung": 1.0}), "do not fit this tamis .sung"),
    ],
)
def test_weights_that_do_not_fit_say_why(text: str, says: str) -> None:
    with pytest.raises(UnreadableFile, match=f"mine.json: .*{says}"):
        worth_from_json(text, "mine.json")


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="name a file of weights"):
        read_worth(tmp_path / "none.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_worth(tmp_path / "binary.json")
    (tmp_path / "mine.json").write_text(worth_to_json(WEIGHTS))
    assert read_worth(tmp_path / "mine.json") == WEIGHTS


def test_the_shipped_weights_are_small_and_say_what_they_were_learned_from() -> None:
    weights = default_worth()
    assert len(worth_to_json(weights)) < 50_000
    assert weights.learned_from
    assert all(counts["points"] > 0 for counts in weights.learned_from.values())


def test_the_shipped_weights_know_every_kind_that_is_read_every_flag_and_every_number() -> None:
    weights = default_worth()
    assert set(KINDS) - set(weights.kinds) <= {"noted", "passage", "demanded"}  # judged by the prior alone
    assert set(weights.steps) == set(NUMBERS)
    assert set(weights.flags) <= set(FLAGS)  # what is not learned counts by the prior alone


def test_weights_apply_without_what_learning_needs() -> None:
    """Weights are learned with numpy and its kin; whoever only compacts has none of them."""
    script = (
        "import sys\n"
        "for name in ('numpy', 'scipy'): sys.modules[name] = None\n"
        "import tamis\n"
        "talk = [{'role': r, 'content': f'Part {n}: the build of src/a{n}.py fails.'}\n"
        "        for n in range(40) for r in ('user', 'assistant')]\n"
        "print(tamis.compact(talk, budget=400).compaction.outcome)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "fits"


def test_where_an_agent_works_alone_an_outline_of_an_edit_is_worth_less_than_its_lines() -> None:
    full, outline = seen("changed", "alone", "source"), seen("changed", "alone", "source", "outline")
    assert prior_worth(outline) < prior_worth(full) / 2
    assert prior_worth(seen("changed", "source", "outline")) == prior_worth(seen("changed", "source"))
