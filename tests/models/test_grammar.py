"""Schemas as a grammar can keep to them."""

from __future__ import annotations

from typing import Any

from evals.judging.judged import PORT, RUBRIC
from tamis.evals.judging.model_judge import reply_schema
from tamis.models.grammar import spelled_out

ITEM: dict[str, Any] = {
    "type": "object",
    "properties": {"id": {"enum": ["a", "b"]}, "n": {"type": "integer"}},
}
EACH_ONCE: dict[str, Any] = {"type": "array", "items": ITEM, "minItems": 2, "maxItems": 2}


def test_a_judge_grades_each_criterion_once_and_in_order() -> None:
    criteria = RUBRIC.for_probe(PORT)
    results = spelled_out(reply_schema(criteria).model_json_schema())["properties"]["criterionResults"]
    named = [item["properties"]["criterionId"]["const"] for item in results["prefixItems"]]
    assert named == [criterion.id for criterion in criteria]
    assert "items" not in results
    assert all(
        list(item["properties"]) == ["criterionId", "reasoning", "score"] for item in results["prefixItems"]
    )


def test_the_list_may_stand_anywhere() -> None:
    made = spelled_out({"anyOf": [{"type": "null"}, EACH_ONCE]})
    assert len(made["anyOf"][1]["prefixItems"]) == 2


def test_a_list_of_any_length_stays_as_it_is() -> None:
    open_ended = {"type": "array", "items": ITEM, "minItems": 2}
    assert spelled_out(open_ended) == open_ended


def test_a_list_that_may_repeat_a_value_stays_as_it_is() -> None:
    longer = EACH_ONCE | {"minItems": 3, "maxItems": 3}
    assert spelled_out(longer) == longer


def test_a_schema_without_lists_stays_as_it_is() -> None:
    assert spelled_out(ITEM) == ITEM
