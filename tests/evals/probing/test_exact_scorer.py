"""The exact scorer, by hand: what counts as the answer, and what as its opposite."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evals import NotMeasured
from tamis.evals.probing.exact_scorer import AnswerScore, credit, score_answer
from tamis.evals.probing.probes import Expected, ItemType, Probe
from tamis.evals.probing.readers import Answer


def one(type: ItemType, value: str) -> Expected:  # noqa: A002
    return Expected(type=type, value=value)


def score(probe: Probe, text: str) -> float:
    scored = score_answer(probe, Answer(text=text))
    assert isinstance(scored, AnswerScore)
    return scored.value


@pytest.mark.parametrize(
    ("item", "text", "earned"),
    [
        (one("path", "/repo/src/io.py"), "It is src/io.py:12.", 1),
        (one("path", "src/io.py"), "in `/home/me/repo/src/io.py`", 1),
        (one("path", "/repo/src/io.py"), "It is src/radio.py.", 0),
        (one("path", "/repo/src/io.py"), "It is test/io.py.", 0),
        (one("identifier", "load"), "call load() first", 1),
        (one("identifier", "load"), "call load_all() or reload()", 0),
        (one("number", "8080"), "port 8080.", 1),
        (one("number", "8080"), "port 18080", 0),
        (one("number", "1200"), "1,200 rows", 1),
        (one("number", "1200"), "1.2k rows", 1),
        (one("number", "300 seconds"), "after 5 min", 1),
        (one("number", "300 seconds"), "after 300 rows", 0),
        (one("identifier", "1.2.3"), "version 1.2.3 it is", 1),
        (one("identifier", "1.2.3"), "version 1.2.30 it is", 0),
        (one("number", "8080"), "not 8080 but 9090", 0),
        (one("number", "9090"), "not 8080 but 9090", 1),
        (one("text", "the cache was cold after restart"), "Because the cache was cold after a restart.", 1),
    ],
)
def test_an_item_is_found_by_its_type(item: Expected, text: str, earned: float) -> None:
    assert credit(item, text) == earned


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (one("identifier", "yaml_tools"), "ModuleNotFoundError: No module named yaml_tools"),
        (one("path", "src/a.py"), "- read, not changed: src/a.py"),
        (one("path", "src/a.py"), "could not be found: src/a.py"),
        (Expected(type="text", value="Keep away from the vault.", forbids=True), "Keep away from the vault."),
        (one("text", "It broke. The index was stale."), "- It broke. The index was stale. (solved since)"),
    ],
)
def test_a_negation_of_something_else_denies_nothing(item: Expected, text: str) -> None:
    assert credit(item, text) == 1


@pytest.mark.parametrize(
    "text", ["not port 8080", "no longer 8080", "`8080` is no longer used", "it isn't 8080"]
)
def test_a_value_that_is_denied_is_not_given(text: str) -> None:
    assert credit(one("number", "8080"), text) == 0


def test_words_of_the_question_earn_nothing() -> None:
    probe = Probe(
        id="p",
        kind="decision",
        question="Why was Redis chosen for sessions?",
        expected=(one("text", "Redis survives restarts of the worker"),),
    )
    assert score(probe, "Redis was chosen for sessions.") == 0
    assert score(probe, "It survives restarts of the worker.") == 1


def test_a_prohibition_without_its_never_is_no_answer() -> None:
    rule = Expected(type="text", value="Never push to the release branch", forbids=True)
    assert credit(rule, "Push to the release branch.") == 0
    assert credit(rule, "Do not push to the release branch.") == 1


def test_a_superseded_value_given_as_holding_counts_against() -> None:
    probe = Probe(
        id="p",
        kind="recall",
        question="Which port?",
        expected=(one("number", "9090"),),
        superseded=(one("number", "7070"),),
    )
    assert score(probe, "Port 9090.") == 1
    assert score(probe, "Port 9090. Port 7070.") == 0
    assert score(probe, "Port 9090, not 7070.") == 1
    assert score(probe, "Port 7070 (superseded). Port 9090.") == 1


def test_a_closed_list_is_scored_by_precision_and_recall() -> None:
    files = tuple(one("path", f"/repo/{name}.py") for name in ("one", "two"))
    probe = Probe(id="p", kind="artifact", question="Which files?", expected=files, closed=True)
    assert score(probe, "one.py, two.py") == 1
    assert score(probe, "one.py") == pytest.approx(2 / 3)
    assert score(probe, "one.py, two.py, three.py, four.py") == pytest.approx(2 / 3)
    assert score(probe, "three.py") == 0


def test_an_open_list_is_scored_by_what_was_found() -> None:
    items = (one("identifier", "test_alpha"), one("identifier", "test_beta"))
    probe = Probe(id="p", kind="continuation", question="Which fail?", expected=items)
    assert score(probe, "test_alpha and test_gamma") == 0.5


def test_a_question_without_an_answer_is_to_be_declined() -> None:
    probe = Probe(id="p", kind="unanswerable", question="?", expected=())
    declined = score_answer(probe, Answer(text="", declined=True))
    assert isinstance(declined, AnswerScore)
    assert declined.value == 1
    assert score(probe, "The port is 1.") == 0


def test_declining_what_the_span_tells_is_zero_with_its_reason() -> None:
    probe = Probe(id="p", kind="recall", question="?", expected=(one("number", "7070"),))
    assert score_answer(probe, Answer(text="", declined=True)) == AnswerScore(value=0.0, reason="declined")


def test_no_answer_is_not_a_zero() -> None:
    probe = Probe(id="p", kind="recall", question="?", expected=(one("number", "7070"),))
    missing = NotMeasured(reason="timed out")
    assert score_answer(probe, missing) is missing


@given(
    st.lists(st.sampled_from(["src/a.py", "src/b.py", "lib/c.go", "docs/d.md"]), min_size=1, unique=True),
    st.text(max_size=80),
    st.booleans(),
)
def test_a_score_lies_between_zero_and_one(paths: list[str], text: str, closed: bool) -> None:
    expected = tuple(one("path", path) for path in paths)
    probe = Probe(id="p", kind="artifact", question="Which?", expected=expected, closed=closed)
    assert 0 <= score(probe, text) <= 1
    assert score(probe, ", ".join(paths)) == 1


def test_a_file_said_not_to_belong_costs_no_precision() -> None:
    probe = Probe(
        id="p", kind="artifact", question="Which?", expected=(one("path", "/repo/one.py"),), closed=True
    )
    assert score(probe, "one.py, but not two.py") == 1


@pytest.mark.parametrize("aside", ["(no longer 7070)", "(was 7070)", "(formerly 7070)", "(previously 7070)"])
def test_an_aside_about_the_old_value_denies_the_old_value_alone(aside: str) -> None:
    assert credit(one("number", "9090"), f"Port 9090 {aside}.") == 1
    assert credit(one("number", "7070"), f"Port 9090 {aside}.") == 0


@pytest.mark.parametrize("told", ["7070 is no longer used", "it was 7070 formerly", "7070 (was wrong)"])
def test_a_value_that_is_told_to_be_gone_is_not_given(told: str) -> None:
    assert credit(one("number", "7070"), told) == 0
