"""The published JSON shapes, in and out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evals.judging.judged import CREATED, PORT, RUBRIC, case, judge_offline, judgement
from tamis.evals.judging.shapes import JudgeInput, JudgeOutput, input_of, output_of, reply_schema


def test_the_input_has_the_published_fields_and_no_context() -> None:
    shown = input_of(case(PORT, "9090"), RUBRIC.for_probe(PORT)).model_dump()
    assert list(shown) == ["probe_question", "model_response", "ground_truth", "rubric_criteria"]
    with pytest.raises(ValidationError, match="compacted_context"):
        JudgeInput.model_validate(shown | {"compacted_context": "..."})


def test_the_output_has_the_published_fields() -> None:
    told = json.loads(
        output_of(RUBRIC, judge_offline(case(CREATED, "src/a.py"))).model_dump_json(by_alias=True)
    )
    assert set(told) == {"criterionResults", "aggregateScore", "dimensionScores"}
    assert set(told["criterionResults"][0]) == {"criterionId", "score", "reasoning"}
    assert told["dimensionScores"]["completeness"] == 2.5


def test_what_was_not_measured_is_null_or_absent() -> None:
    told = output_of(RUBRIC, judgement({"accuracy_factual": None}))
    assert told.criterion_results[0].score is None
    assert (told.aggregate_score, told.dimension_scores) == (None, {})


@given(
    st.dictionaries(
        st.sampled_from([c.id for c in RUBRIC.criteria]), st.none() | st.floats(0, 5, allow_nan=False)
    )
)
def test_an_output_comes_back_as_it_was(scores: dict[str, float | None]) -> None:
    told = output_of(RUBRIC, judgement(scores))
    assert JudgeOutput.model_validate_json(told.model_dump_json(by_alias=True)) == told


@pytest.mark.parametrize(
    "changed",
    [
        {"aggregateScore": 5.1},
        {"aggregateScore": -1},
        {"dimensionScores": {"accuracy": 9}},
        {"criterionResults": [{"criterionId": "a", "score": 6, "reasoning": ""}]},
        {"verdict": "fine"},
    ],
)
def test_an_output_out_of_bounds_is_refused(changed: dict[str, object]) -> None:
    plain = {"criterionResults": [], "aggregateScore": 3.0, "dimensionScores": {}}
    with pytest.raises(ValidationError):
        JudgeOutput.model_validate(plain | changed)


def test_the_schema_of_a_reply_names_the_criteria_and_how_many() -> None:
    criteria = RUBRIC.for_probe(PORT)
    schema = reply_schema(criteria).model_json_schema()
    results = schema["properties"]["criterionResults"]
    assert (results["minItems"], results["maxItems"]) == (len(criteria), len(criteria))
    (definition,) = schema["$defs"].values()
    assert definition["properties"]["criterionId"]["enum"] == [c.id for c in criteria]
    assert list(definition["properties"]) == ["criterionId", "reasoning", "score"]
    assert definition["properties"]["score"]["maximum"] == 5
