"""The published JSON shapes, in and out."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from evals.judging.judged import PORT, RUBRIC, case
from tamis.evals.judging.model_judge import JudgeInput, input_of, reply_schema


def test_the_input_has_the_published_fields_and_no_context() -> None:
    shown = input_of(case(PORT, "9090"), RUBRIC.for_probe(PORT)).model_dump()
    assert list(shown) == ["probe_question", "model_response", "ground_truth", "rubric_criteria"]
    with pytest.raises(ValidationError, match="compacted_context"):
        JudgeInput.model_validate(shown | {"compacted_context": "..."})


def test_the_schema_of_a_reply_names_the_criteria_and_how_many() -> None:
    criteria = RUBRIC.for_probe(PORT)
    schema = reply_schema(criteria).model_json_schema()
    results = schema["properties"]["criterionResults"]
    assert (results["minItems"], results["maxItems"]) == (len(criteria), len(criteria))
    (definition,) = schema["$defs"].values()
    assert definition["properties"]["criterionId"]["enum"] == [c.id for c in criteria]
    assert list(definition["properties"]) == ["criterionId", "reasoning", "score"]
    assert definition["properties"]["score"]["maximum"] == 5
