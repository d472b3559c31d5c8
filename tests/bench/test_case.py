from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tamis.bench.aggregation import score_cycle
from tamis.bench.case import TOKENIZER, Case, Spot
from tamis.bench.item_scorer import places, sentences
from tamis.bench.run import Examiner
from tamis.bench.suite import Suite, load_suite
from tamis.bench.template import EvaluationItem, Template
from tamis.bench.word_lists import overlaps
from tamis.errors import InputError
from tamis.evals.probing.readers import LexicalReader
from tamis.messages import Message, count_messages, get_counter, part_text
from tamis.messages.wire import to_wire

SUITE: Suite = load_suite("practice")
ACTING: Suite = load_suite("acting")
TEMPLATES = (*SUITE.templates, *ACTING.templates)
GOLDENS = {
    "bc_release_day": "a21fe6f4ff6b183a",
    "at_created_edited": "4b4f960ebe6704fb",
    "ml_release_day": "c3380809029837e4",
}

OF_THE_SUITES = {"practice": "12e4474a16705979", "acting": "e710f75468fe3f28"}
"""Of the first case of every template; the same on Python 3.11, 3.12 and 3.13."""


def case_of(key: str, **spot: object) -> Case:
    of = next(suite for suite in (SUITE, ACTING) if key in {t.key for t in suite.templates})
    suite = replace(of, templates=tuple(t for t in of.templates if t.key == key))
    (case,) = suite.cases([Spot(**{"length_tokens": 1_000, **spot})], cycles=1)  # type: ignore[arg-type]
    return case


def digest(case: Case) -> str:
    text = "\n".join(
        m.model_dump_json() for part in (case.messages, *case.continuations) for m in to_wire(part)
    )
    asked = "\n".join(item.model_dump_json() for item in case.questions.items)
    return hashlib.sha256(f"{text}\n{asked}".encode()).hexdigest()[:16]


@pytest.mark.parametrize("key", GOLDENS)
def test_a_case_has_the_same_bytes_for_ever(key: str) -> None:
    assert digest(case_of(key)) == GOLDENS[key]


@pytest.mark.parametrize("suite", [SUITE, ACTING], ids=lambda suite: suite.key)
def test_every_case_of_the_suite_has_the_same_bytes_for_ever(suite: Suite) -> None:
    cases = suite.cases([Spot(difficulty="elite", length_tokens=1_000)], cycles=1)
    digests = "".join(digest(case) for case in cases)
    assert hashlib.sha256(digests.encode()).hexdigest()[:16] == OF_THE_SUITES[suite.key]


def test_a_case_does_not_depend_on_the_hash_seed_of_the_process() -> None:
    program = "from bench.test_case import case_of, digest; print(digest(case_of('bc_release_day')))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(["tests", *sys.path]), "PYTHONHASHSEED": "7"},
    )
    assert done.stdout.strip() == GOLDENS["bc_release_day"]


@pytest.mark.parametrize(
    "other", [{"slot": 1}, {"seed_group": "else"}, {"position": "end"}, {"length_tokens": 2_000}]
)
def test_another_spot_is_another_case(other: dict[str, object]) -> None:
    assert digest(case_of("bc_release_day", **other)) != digest(case_of("bc_release_day"))


@pytest.mark.parametrize("length", [1_000, 8_000, 60_000])
def test_a_transcript_is_nearly_as_long_as_asked_and_not_longer(length: int) -> None:
    case = case_of("do_queue_choice", length_tokens=length)
    tokens = sum(count_messages(case.messages, get_counter(TOKENIZER)))
    assert 0.5 * length < tokens <= length


@pytest.mark.parametrize("length", [999, 200_001])
def test_a_length_beyond_the_limits_is_refused(length: int) -> None:
    with pytest.raises(InputError, match="1,000 to 200,000"):
        Spot(length_tokens=length)


@pytest.mark.parametrize(
    ("position", "low", "high"), [("start", 0.0, 0.3), ("middle", 0.2, 0.8), ("end", 0.5, 1.0)]
)
def test_the_tested_turn_stands_where_it_was_asked_for(position: str, low: float, high: float) -> None:
    case = case_of("bc_supplier_origin", position=position, length_tokens=8_000)
    firm = case.questions.items[0].expected.value
    at = next(i for i, m in enumerate(case.messages) if firm in m.text)
    assert low <= at / len(case.messages) <= high


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda t: t.key)
def test_a_case_is_sound(template: Template) -> None:
    case = case_of(template.key, slot=3, difficulty="elite")
    text = "\n".join(part_text(p) for m in case.messages for p in m.parts)
    calls = [c.id for part in (case.messages, *case.continuations) for m in part for c in m.calls]
    results = [r.call_id for part in (case.messages, *case.continuations) for m in part for r in m.results]
    assert "{{" not in text
    assert calls == results
    assert len(calls) == len(set(calls))
    for item in case.questions.items:
        for value in (item.expected.value, *item.expected.values):
            assert "{{" not in value


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda t: t.key)
def test_every_answer_stands_in_the_transcript_and_in_no_question(template: Template) -> None:
    case = case_of(template.key)
    text = "\n".join(part_text(p) for m in case.messages for p in m.parts)
    for item in case.questions.items:
        if item.expected.check == "contains_normalized" and not item.expected.forms:
            assert item.expected.value in text
            assert item.expected.value not in item.prompt


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda t: t.key)
def test_continuations_tell_no_answer(template: Template) -> None:
    case = case_of(template.key, length_tokens=4_000)
    assert not values_told(template, case, *case.continuations)
    assert values_told(template, case, case.messages), "what is looked for stands in no transcript either"


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda t: t.key)
def test_nothing_can_be_read_from_a_continuation_alone(template: Template) -> None:
    case = case_of(template.key, length_tokens=4_000)
    for continuation in case.continuations:
        answers = {a.item: a.text for a in Examiner(LexicalReader()).ask(case.questions.items, continuation)}
        assert score_cycle(case.questions, answers, 4.0).score == 0.0


def values_told(template: Template, case: Case, *parts: Sequence[Message]) -> list[str]:
    """The drawn values that are expected and stand in one of the parts, as words of their own.

    What a template expects in so many words ("passed") is no value: any log says it.
    """
    texts = [part_text(p) for part in parts for message in part for p in message.parts]
    said = [sentence for text in texts for sentence in sentences(text)]
    drawn = [
        value
        for item, asked in zip(case.questions.items, template.evaluation_items, strict=True)
        for value, pattern in zip(forms_of(item), forms_of(asked), strict=True)
        if "{{" in pattern
    ]
    return [value for value in drawn if any(list(places(sentence, value)) for sentence in said)]


def forms_of(item: EvaluationItem) -> list[str]:
    expected = item.expected
    return [expected.value, *expected.values, *expected.forms]


def test_no_two_variables_share_a_value() -> None:
    for slot in range(20):
        case = case_of("ec_owners", slot=slot)
        owners = [item.expected.value for item in case.questions.items]
        assert not any(overlaps(a, b) for i, a in enumerate(owners) for b in owners[:i])


def test_what_is_tested_is_varied() -> None:
    values = {
        case_of("bc_supplier_origin", slot=slot).questions.items[0].expected.value for slot in range(40)
    }
    assert len(values) > 30


def test_no_tag_of_a_template_reaches_a_message() -> None:
    for message in case_of("bc_release_day").messages:
        assert message.native is None
        assert not hasattr(message, "tags")
