"""What the reader is asked to do: right with all in view, wrong where only the forbidden way is left."""

from __future__ import annotations

import pytest

from tamis.bench.aggregation import CycleScore, score_cycle
from tamis.bench.case import Case, Spot
from tamis.bench.run import Examiner
from tamis.bench.suite import load_suite
from tamis.bench.template import Template
from tamis.evals.probing.readers import LexicalReader
from tamis.messages import part_text

SUITE = load_suite("acting")
SPOTS = [
    Spot(difficulty="easy", length_tokens=1_000),
    Spot(slot=1, difficulty="medium", length_tokens=1_000),
    Spot(slot=2, difficulty="hard", length_tokens=1_000),
]
CASES = list(SUITE.cases(SPOTS, cycles=1))


def acted(case: Case, *, without: str | None = None) -> CycleScore:
    """What the reader does with the messages of a case, all but those that hold a text."""
    seen = [m for m in case.messages if without is None or without not in "".join(map(part_text, m.parts))]
    answers = {a.item: a.text for a in Examiner(LexicalReader()).ask(case.questions.items, seen)}
    return score_cycle(case.questions, answers, 4.0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.questions.case)
def test_with_everything_in_view_the_act_is_right(case: Case) -> None:
    done = acted(case)
    assert (done.score, done.contradiction_rate) == (1.0, 0.0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.questions.case)
def test_without_the_rule_what_is_forbidden_is_done(case: Case) -> None:
    done = acted(case, without=case.questions.items[0].expected.value)
    assert (done.score, done.contradiction_rate, done.penalized) == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("template", SUITE.templates, ids=lambda t: t.key)
def test_every_template_asks_for_the_act_and_for_what_must_be_absent(template: Template) -> None:
    act, kept = template.evaluation_items
    assert act.prompt == kept.prompt
    assert (act.type, kept.type) == ("planning_soundness", "forbidden_behavior_retention")
    assert (act.expected.check, kept.expected.check) == ("contains_normalized", "forbidden_absent")


def test_there_are_two_families_of_four_templates() -> None:
    counts = {f: sum(t.family == f for t in SUITE.templates) for f in SUITE.families}
    assert counts == {"forbidden_act": 4, "forbidden_choice": 4}
