"""The judge without a model, criterion by criterion."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.judging.judged import (
    CREATED,
    NOWHERE,
    OPEN,
    PORT,
    RUBRIC,
    case,
    item,
    judge_offline,
    probe,
    scores,
)
from tamis.evals.judging.judge import JudgeCase, Judgement, dimension_scores, overall
from tamis.evals.judging.judge_runs import ask_judge
from tamis.evals.judging.offline import OfflineJudge
from tamis.evals.judging.rubric import Criterion
from tamis.evals.probing.probes import PROBE_KINDS, Expected, Probe

ERROR = probe(
    "recall",
    "What was the error message?",
    item("text", "ConnectionError: broker at 10.0.0.7 refused the handshake"),
)
PLACE = probe("recall", "In which file did the KeyError occur?", item("path", "src/rules.py"))
CHANGED = probe(
    "artifact",
    "What was changed in pool.py?",
    item("identifier", "open_pool"),
    item("identifier", "MAX_IDLE"),
)
MODIFIED = replace(CREATED, question="Which files were modified?")
READ = replace(CREATED, question="Which files were looked at?")
WHY = probe(
    "decision", "Why was it decided: keep SQLite?", item("text", "nobody on site can operate Postgres")
)
RULE = probe(
    "constraint",
    "What must not be done about addresses?",
    item("text", "Never write addresses to the log", forbids=True),
)


@pytest.mark.parametrize(
    ("asked", "text", "criterion", "score"),
    [
        # what is stated and right / all that is stated
        (PORT, "Port 9090.", "accuracy_factual", 5),
        (PORT, "Port 7070.", "accuracy_factual", 0),
        (PORT, "Port 9090. Port 7070.", "accuracy_factual", 2.5),
        (PORT, "9090, or 5432, or 6379", "accuracy_factual", 1.67),
        (PORT, "It was changed.", "accuracy_factual", 0),
        (PLACE, "src/rules.py or src/quotes.py", "accuracy_factual", 2.5),
        (CREATED, "src/a.py", "accuracy_factual", 5),
        (CREATED, "src/a.py, src/other.py", "accuracy_factual", 2.5),
        (CREATED, "src/other.py", "accuracy_factual", 0),
        (NOWHERE, "It was put off.", "accuracy_factual", 0),
        # names to the letter, in what is stated
        (ERROR, "ConnectionError: broker at 10.0.0.7 refused the handshake", "accuracy_technical", 5),
        (ERROR, "The broker refused the handshake with a ConnectionError.", "accuracy_technical", 2.5),
        (ERROR, "Something broke.", "accuracy_technical", 0),
        (CHANGED, "open_pool", "accuracy_technical", 5),
        (CHANGED, "close_pool", "accuracy_technical", 0),
        # what holds now, and not what held
        (PORT, "Port 9090.", "context_conversation_state", 5),
        (PORT, "Port 9090, not 7070.", "context_conversation_state", 5),
        (PORT, "Port 7070.", "context_conversation_state", 0),
        (PORT, "Port 9090. Port 7070.", "context_conversation_state", 2.5),
        (OPEN, "write the upgrade guide", "context_conversation_state", 2.5),
        # files
        (CREATED, "src/a.py", "context_artifact_state", 3.33),
        (CREATED, "src/a.py and src/b.py", "artifact_files_created", 5),
        (CREATED, "src/a.py, src/b.py, src/c.py, src/d.py", "artifact_files_created", 3.33),
        (MODIFIED, "src/a.py and src/b.py", "artifact_files_modified", 5),
        (CHANGED, "MAX_IDLE", "artifact_files_modified", 2.5),
        (CHANGED, "MAX_IDLE", "artifact_key_details", 2.5),
        (PORT, "Port 9090.", "artifact_key_details", 5),
        # parts, and how much of each
        (CREATED, "src/a.py", "completeness_coverage", 2.5),
        (OPEN, "- write the upgrade guide\n- rotate the signing keys", "completeness_coverage", 5),
        (OPEN, "write the guide", "completeness_coverage", 2.5),
        (OPEN, "write the guide", "completeness_depth", 1.67),
        (WHY, "Nobody asked.", "completeness_depth", 0),
        # what is to be done
        (OPEN, "rotate the signing keys", "continuity_work_state", 2.5),
        (OPEN, "rotate the signing keys", "continuity_todo_state", 2.5),
        (WHY, "Nobody on site can operate Postgres.", "continuity_reasoning", 5),
        (WHY, "It is faster.", "continuity_reasoning", 0),
        # form and rules
        (PORT, "Port 9090.", "instruction_format", 5),
        (CREATED, "- src/a.py\n- src/b.py", "instruction_format", 5),
        (PORT, "Let me see.\n\nIt is 9090.", "instruction_format", 3),
        (PORT, "Port 9090. " * 200, "instruction_format", 3),
        (PORT, "Port 9090.\n\n" * 200, "instruction_format", 1),
        (PORT, "  ", "instruction_format", 0),
        (RULE, "Never write addresses to the log.", "instruction_constraints", 5),
        (RULE, "Write addresses to the log.", "instruction_constraints", 0),
        (NOWHERE, "It was put off.", "instruction_constraints", 0),
    ],
)
def test_what_a_criterion_is_worth(asked: Probe, text: str, criterion: str, score: float) -> None:
    assert scores(case(asked, text))[criterion] == pytest.approx(score, abs=0.01)


@pytest.mark.parametrize(
    ("asked", "criterion", "why"),
    [
        (PLACE, "accuracy_technical", "technical name"),
        (CREATED, "accuracy_technical", "technical name"),
        (WHY, "context_conversation_state", "has changed"),
        (CHANGED, "context_artifact_state", "the question names it"),
        (PLACE, "artifact_key_details", "no detail but files"),
        (PORT, "completeness_depth", "only names"),
        (CREATED, "completeness_depth", "only names"),
    ],
)
def test_what_the_expected_items_cannot_tell_is_not_judged(asked: Probe, criterion: str, why: str) -> None:
    result = next(r for r in judge_offline(case(asked, "src/a.py")).results if r.criterion == criterion)
    assert result.score is None
    assert result.reasoning.startswith("cannot be told: ")
    assert why in result.reasoning


ANSWERABLE = [PORT, PLACE, ERROR, CREATED, MODIFIED, READ, CHANGED, OPEN, WHY, RULE]


@pytest.mark.parametrize("asked", ANSWERABLE, ids=lambda p: p.question)
def test_a_decline_earns_nothing_where_the_conversation_tells(asked: Probe) -> None:
    judgement = judge_offline(case(asked, None))
    assert overall(dimension_scores(RUBRIC, judgement)) == 0
    assert judgement.score_of("instruction_format") is None


def test_a_decline_is_right_where_the_conversation_does_not_tell() -> None:
    assert scores(case(NOWHERE, None)) == {"accuracy_factual": 5, "instruction_constraints": 5}


def test_the_form_of_a_quotation_is_not_judged() -> None:
    assert scores(case(PORT, "Port 9090.", quotes=("Port 9090.",)))["instruction_format"] is None


def test_a_quoted_passage_with_other_values_is_no_hedge() -> None:
    said = "The port is 9090, the pool has 5432 slots."
    assert scores(case(PORT, said, quotes=(said,)))["accuracy_factual"] == 5
    assert scores(case(PORT, said))["accuracy_factual"] == 2.5


def test_the_superseded_rule_earns_nothing_for_resembling_the_current_one() -> None:
    asked = probe(
        "constraint",
        "What must be done about endpoints?",
        item("text", "Every public endpoint must return json errors"),
        superseded=(item("text", "Every public endpoint must return plain errors"),),
    )
    stale = scores(case(asked, "Every public endpoint must return plain errors."))
    assert {stale[c] for c in ("accuracy_factual", "completeness_coverage", "instruction_constraints")} == {0}


def test_a_criterion_of_ones_own_is_not_judged() -> None:
    mine = Criterion(
        id="elegance",
        dimension="style",
        question="?",
        anchors=dict.fromkeys((0, 3, 5), "so"),
        kinds=frozenset(PROBE_KINDS),
    )
    judgement = judge_offline(case(PORT, "9090"), RUBRIC.model_copy(update={"criteria": (mine,)}))
    assert judgement.results[0].score is None
    assert "no criterion of this name" in judgement.results[0].reasoning


@pytest.mark.parametrize("asked", [*ANSWERABLE, NOWHERE], ids=lambda p: p.question)
@pytest.mark.parametrize("text", [None, "", "9090", "src/a.py, open_pool and the log"])
def test_every_criterion_that_goes_with_the_question_gets_a_result_and_a_reason(
    asked: Probe, text: str | None
) -> None:
    judged = case(asked, text)
    said = asyncio.run(ask_judge(OfflineJudge(RUBRIC), judged))
    assert isinstance(said, Judgement), said
    assert [r.criterion for r in said.results] == [c.id for c in RUBRIC.for_probe(asked)]
    assert all(result.reasoning for result in said.results)


NAMES = ["src/a.py", "src/b.py", "src/z.py", "9090", "7070", "open_pool", "Postgres"]
PROSE = [
    "not",
    "never",
    "the",
    "log",
    "nobody",
    ".",
    "\n",
    "- ",
    "(replaced)",
    "错误",
    "write the upgrade guide",
]
WORDS = st.sampled_from(NAMES) | st.sampled_from(PROSE)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=60)


@given(st.sampled_from([*ANSWERABLE, NOWHERE]), TEXTS, st.booleans())
def test_scores_lie_between_0_and_5_whatever_was_answered(asked: Probe, text: str, quoted: bool) -> None:
    judged = case(asked, text, quotes=(text,) if quoted and text else ())
    assert all(score is None or 0 <= score <= 5 for score in scores(judged).values())


ITEMS = st.lists(
    st.sampled_from(["alpha_one", "beta_two", "gamma_three", "delta_four", "epsilon_five"]),
    min_size=1,
    unique=True,
)


@given(ITEMS, st.data())
def test_one_more_right_item_never_lowers_a_score(names: list[str], data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["recall", "artifact", "continuation"]))
    closed = data.draw(st.booleans())
    asked = Probe(
        id="p",
        kind=kind,
        question="Which were changed, and which tasks are open?",
        expected=tuple(Expected(type="identifier", value=name) for name in names),
        closed=closed,
    )
    noise = data.draw(st.lists(st.sampled_from(["zeta_six", "eta_seven"]), unique=True))
    given_ = data.draw(st.lists(st.sampled_from(names), unique=True, max_size=len(names) - 1))
    more = next(name for name in names if name not in given_)
    before = scores(case(asked, ", ".join([*given_, *noise]) or "nothing"))
    after = scores(case(asked, ", ".join([*given_, *noise, more])))
    worse = {c for c, score in before.items() if score is not None and (after[c] or 0) < score - 1e-9}
    assert worse == set()


@given(ITEMS, st.lists(st.sampled_from(["zeta_six", "eta_seven", "theta_eight"]), unique=True, min_size=1))
def test_one_more_wrong_file_never_raises_a_score(names: list[str], wrong: list[str]) -> None:
    paths = tuple(Expected(type="path", value=f"src/{name}.py") for name in names)
    asked = Probe(id="p", kind="artifact", question="Which files were created?", expected=paths, closed=True)
    told = [p.value for p in paths]
    before = scores(case(asked, ", ".join([*told, *(f"src/{w}.py" for w in wrong[:-1])])))
    after = scores(case(asked, ", ".join([*told, *(f"src/{w}.py" for w in wrong)])))
    assert {c for c, s in before.items() if s is not None and (after[c] or 0) > s + 1e-9} == set()


@given(ITEMS, st.randoms(use_true_random=False))
def test_the_order_of_an_answer_does_not_matter(names: list[str], chance: random.Random) -> None:
    paths = tuple(Expected(type="path", value=f"src/{name}.py") for name in names)
    asked = Probe(id="p", kind="artifact", question="Which files were created?", expected=paths, closed=True)
    told = [path.value for path in paths]
    turned = list(told)
    chance.shuffle(turned)
    assert scores(case(asked, "\n".join(told))) == scores(case(asked, "\n".join(turned)))


@given(st.lists(st.tuples(st.sampled_from([*ANSWERABLE, NOWHERE]), TEXTS), max_size=6), st.randoms())
def test_what_was_judged_before_does_not_matter(
    asked: list[tuple[Probe, str]], chance: random.Random
) -> None:
    judge = OfflineJudge(RUBRIC)
    cases = [case(p, text) for p, text in asked]
    fresh = [judge_offline(c) for c in cases]
    order = list(range(len(cases)))
    chance.shuffle(order)
    again: dict[int, object] = {at: asyncio.run(judge.judge(cases[at], repeat=3)) for at in order}
    assert [again[at] for at in range(len(cases))] == fresh


def test_a_long_list_of_mistakes_is_told_in_short() -> None:
    said = ", ".join(f"src/wrong_{i}.py" for i in range(9))
    reason = judge_offline(JudgeCase(probe=CREATED, answer=case(CREATED, said).answer)).results[0].reasoning
    assert reason.endswith("and 6 more")
