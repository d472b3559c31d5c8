"""Probes that a model proposes: what is taken of them, and what each way to fail costs."""

from __future__ import annotations

from typing import Any

import pytest

from evals.worked import SPAN, says
from tamis.errors import ModelTimeout
from tamis.evals.probing.model_probes import FAULTS, dropped_line, propose_probes
from tamis.evals.probing.probe_maker import ProbeSet
from tamis.messages import BytesEstimate
from tamis.models import ScriptedModel

GOOD: dict[str, Any] = {
    "kind": "recall",
    "question": "Which table column was missing when the loader broke?",
    "expected": [{"type": "text", "value": "postcode missing in the customer table"}],
    "forbids": False,
    "cites": ["m5"],
    "quotes": ["KeyError: 'postcode missing in the customer table'"],
}


async def propose(*script: Any, **options: Any) -> ProbeSet:
    model = ScriptedModel(script, window_tokens=options.pop("window_tokens", None))
    return await propose_probes(model, SPAN, counter=BytesEstimate(), **options)


def one(**changes: Any) -> dict[str, Any]:
    return {"probes": [{**GOOD, **changes}]}


async def test_a_probe_that_its_quotation_proves_is_taken_with_its_source() -> None:
    made = await propose(one())
    (probe,) = made.probes
    assert probe.question == GOOD["question"]
    assert probe.sources == ("c2-result",)
    assert probe.made_by == "scripted+probes.1"
    assert not any(made.dropped.values())


async def test_a_prohibition_is_marked_as_one() -> None:
    rule = one(
        kind="constraint",
        question="What is said about the customer archive folder?",
        expected=[{"type": "text", "value": "Never delete anything in the customer archive folder."}],
        forbids=True,
        cites=["m1"],
        quotes=["Never delete anything in the customer archive folder."],
    )
    (probe,) = (await propose(rule)).probes
    assert probe.expected[0].forbids


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"cites": ["m99"]}, "without a source in the span"),
        ({"cites": []}, "without a source in the span"),
        ({"cites": ["the user"]}, "without a source in the span"),
        ({"quotes": ["KeyError: 'zip missing'"]}, "quoting what its source does not say"),
        ({"quotes": []}, "quoting what its source does not say"),
        ({"expected": [{"type": "text", "value": "the telephone number"}]}, "unquoted"),
        ({"expected": []}, "malformed"),
        ({"question": "Name the column."}, "malformed"),
        ({"question": "Was postcode missing in the customer table?"}, "wording"),
        (
            {"expected": [{"type": "identifier", "value": "KeyError"}], "question": "What KeyError came up?"},
            "wording",
        ),
    ],
)
async def test_a_probe_that_proves_nothing_is_dropped_and_counted(
    changes: dict[str, Any], reason: str
) -> None:
    made = await propose(one(**changes))
    assert made.probes == ()
    assert {r: n for r, n in made.dropped.items() if n} == {reason: 1}


async def test_what_the_tail_tells_is_dropped_too() -> None:
    tail = (says("user", "The postcode was missing in the customer table, you know.", id="t"),)
    made = await propose(one(), tail=tail)
    assert made.dropped["tail"] == 1


@pytest.mark.parametrize(
    "said", ["Here are some questions!", '{"probes": [{"kind": "recall", "quest', '{"probes": 3}']
)
async def test_what_is_no_patch_is_asked_for_again_and_then_told(said: str) -> None:
    made = await propose(said, said)
    assert made.probes == ()
    assert made.failures[0].startswith("no probes for part 1 of 1: ")
    assert (await propose(said, one())).probes


async def test_a_model_that_does_not_answer_is_not_asked_for_the_other_parts() -> None:
    made = await propose(ModelTimeout("no answer within 5 s"), window_tokens=300)
    assert made.probes == ()
    assert len(made.failures) == 1
    assert "no answer within 5 s" in made.failures[0]


async def test_a_part_that_fails_costs_only_its_own_probes() -> None:
    replies = ["prose", "prose", one(), *[{"probes": []}] * 20]
    made = await propose(*replies, window_tokens=300)
    assert len(made.probes) == 1
    assert len(made.failures) == 1


async def test_an_argument_of_a_call_may_be_quoted_as_it_is() -> None:
    written = one(
        kind="artifact",
        question="Which new function of the fallback returns nothing?",
        expected=[{"type": "identifier", "value": "fill_postcode"}],
        cites=["m6"],
        quotes=["def fill_postcode():\n    return None"],
    )
    assert (await propose(written)).probes


def test_what_was_dropped_is_told_in_a_line() -> None:
    assert dropped_line({FAULTS[0]: 2, "tail": 0, "wording": 1}) == "2 malformed, 1 wording"
