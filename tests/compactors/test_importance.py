"""Importance: weights as a file, applied by hand-checkable addition, and the ones that ship."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tamis.compactors.importance import (
    FEATURES,
    NEVER,
    Importance,
    Steps,
    default_importance,
    features,
    importance_from_json,
    importance_to_json,
    read_importance,
)
from tamis.errors import UnreadableFile
from tamis.ledger.mentions import Mentions
from tamis.messages import Message, Text

WEIGHTS = Importance(
    version="hand",
    learned_from={"here": {"points": 1}},
    intercept=-1.0,
    kinds={"path": 0.5, "identifier": -0.25},
    steps={
        "mentions": Steps(edges=(2.0,), scores=(0.0, 2.0)),
        "age_messages": Steps(edges=(2.0,), scores=(1.0, 0.0)),
    },
)


def mentions_of(*texts: str) -> Mentions:
    mentions = Mentions()
    for text in texts:
        mentions.read(Message(id="m", role="user", parts=(Text(text=text),)))
    return mentions


def test_a_name_scores_the_sum_of_its_steps() -> None:
    mentions = mentions_of("src/a.py and parse_args", "src/a.py", "nothing more")
    odds = {name: WEIGHTS.log_odds(name, m, mentions) for name, m in mentions.names.items()}
    assert odds == {  # intercept + kind + mentions (2 or more: 2.0) + age (under 2 messages: 1.0)
        "src/a.py": pytest.approx(-1.0 + 0.5 + 2.0 + 0.0),
        "parse_args": pytest.approx(-1.0 - 0.25 + 0.0 + 0.0),
    }


def test_probabilities_are_the_logistic_of_the_odds_in_order_of_appearance() -> None:
    mentions = mentions_of("src/b.py parse_args", "src/a.py")
    likelihood = WEIGHTS.probabilities(mentions)
    assert list(likelihood) == list(mentions.names)
    for name, mention in mentions.names.items():
        odds = WEIGHTS.log_odds(name, mention, mentions)
        assert likelihood[name] == pytest.approx(1 / (1 + math.exp(-odds)))


def test_features_have_a_value_each() -> None:
    mentions = mentions_of("src/a.py", "src/a.py parse_args")
    values = dict(zip(FEATURES, features("src/a.py", mentions.names["src/a.py"], mentions), strict=True))
    assert values["mentions"] == 2
    assert values["mentions_share"] == 1.0
    assert values["age_messages"] == 1
    assert values["age_first_messages"] == 2
    assert (values["crowd"], values["last_crowd"]) == (1, 2)
    assert values["length"] == len("src/a.py")
    assert (values["mentions_request"], values["mentions_user"], values["age_request"]) == (1, 1, 2)
    assert (values["mentions_error"], values["age_error"]) == (0, NEVER)


@pytest.mark.parametrize(
    ("value", "score"), [(-5, 0.5), (1.9, 0.5), (2, 0.0), (9, 0.0), (10, -1.0), (NEVER, -1.0)]
)
def test_a_step_holds_from_its_edge_on(value: float, score: float) -> None:
    steps = Steps(edges=(2, 10), scores=(0.5, 0.0, -1.0))
    assert steps(value) == score
    assert steps.span == 1.5


def test_weights_read_back_the_same() -> None:
    text = importance_to_json(default_importance())
    assert importance_to_json(importance_from_json(text, "copy")) == text
    assert importance_from_json(text, "copy") == default_importance()


def edited(**changes: Any) -> str:
    return json.dumps({**json.loads(importance_to_json(WEIGHTS)), **changes})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("not json", "not importance weights"),
        ("[]", "not importance weights"),
        (edited(extra=1), "not importance weights .extra"),
        (edited(format="tamis-importance/99"), "weights of format 'tamis-importance/99'"),
        (edited(steps={"shoe_size": {"edges": [], "scores": [1]}}), "do not fit this tamis .shoe_size"),
        (edited(steps={"mentions": {"edges": [1], "scores": [1]}}), "do not fit this tamis .mentions"),
    ],
)
def test_weights_that_do_not_fit_say_why(text: str, says: str) -> None:
    with pytest.raises(UnreadableFile, match=f"mine.json: .*{says}"):
        importance_from_json(text, "mine.json")


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="name an importance file"):
        read_importance(tmp_path / "none.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_importance(tmp_path / "binary.json")
    (tmp_path / "mine.json").write_text(importance_to_json(WEIGHTS))
    assert read_importance(tmp_path / "mine.json").version == "hand"


def test_the_shipped_weights_are_small_and_say_what_they_were_learned_from() -> None:
    weights = default_importance()
    assert len(importance_to_json(weights)) < 200_000
    assert weights.version
    assert all(counts["points"] > 0 for counts in weights.learned_from.values())
    assert set(weights.steps) <= set(FEATURES)


def test_the_shipped_weights_hold_a_name_in_use_more_likely_than_one_seen_once_long_ago() -> None:
    fresh = ["look at src/used.py"] * 5
    mentions = mentions_of("src/once.py", *["nothing here"] * 40, *fresh)
    likelihood = default_importance().probabilities(mentions)
    assert likelihood["src/used.py"] > likelihood["src/once.py"]


def test_weights_apply_without_what_learning_needs() -> None:
    """Numbers are learned with numpy and its kin; whoever only compacts has none of them."""
    script = (
        "import sys\n"
        "for name in ('numpy', 'scipy', 'sklearn'): sys.modules[name] = None\n"
        "import tamis\n"
        "talk = [{'role': 'user', 'content': 'fix src/a.py ' * 300}]\n"
        "print(tamis.compact(talk, budget=100).compaction.outcome)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "fits"


def test_a_talk_is_weighed_by_weights_of_its_own() -> None:
    weights = replace(WEIGHTS, talk=replace(WEIGHTS, intercept=3.0))
    talk, work = mentions_of("order W5061109 parse_args"), mentions_of("src/a.py parse_args")
    for mentions, expected in ((talk, weights.talk), (work, WEIGHTS)):
        assert expected is not None
        assert weights.probabilities(mentions) == expected.probabilities(mentions)


def test_the_weights_of_talks_come_back_from_json() -> None:
    weights = replace(WEIGHTS, talk=replace(WEIGHTS, intercept=3.0, learned_from={}))
    again = importance_from_json(importance_to_json(weights), "here")
    assert again.talk is not None
    assert (again.talk.intercept, again.talk.steps) == (3.0, WEIGHTS.steps)
