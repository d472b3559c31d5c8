"""The published JSON shape of what a judge is shown, and what a model is made to reply.

The names are those of the framework for evaluating context compression (Factory, 2025). One field is left
out on purpose: `compacted_context`. A judge that sees the compacted context sees its form, and the form tells
which method made it.
"""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field, create_model
from pydantic.config import JsonDict

from tamis.evals.judging.judge import JudgeCase
from tamis.evals.judging.rubric import HIGHEST, LOWEST, Criterion
from tamis.evals.probing.probes import Probe

DECLINED = "(declined: it says that the conversation does not tell)"
MAX_REASONING_CHARS = 80

Score = Annotated[float, Field(ge=LOWEST, le=HIGHEST, allow_inf_nan=False)]


class JudgeInput(BaseModel, extra="forbid", frozen=True):
    """What a judge is shown of a case."""

    probe_question: str
    model_response: str
    ground_truth: str
    rubric_criteria: list[str]


def input_of(case: JudgeCase, criteria: Sequence[Criterion]) -> JudgeInput:
    """The case as a judge is shown it: neither the method, nor the order, nor the context."""
    return JudgeInput(
        probe_question=case.probe.question,
        model_response=DECLINED if case.answer.declined else case.answer.text,
        ground_truth=ground_truth(case.probe),
        rubric_criteria=[criterion.id for criterion in criteria],
    )


def ground_truth(probe: Probe) -> str:
    """What the answer had to hold, in words.

    >>> from tamis.evals.probing.probes import Expected
    >>> now, once = Expected(type="number", value="9090"), Expected(type="number", value="7070")
    >>> probe = Probe(id="p", kind="recall", question="Which port?", expected=(now,), superseded=(once,))
    >>> print(ground_truth(probe))
    9090
    No longer true, and wrong if given as true:
    - 7070
    """
    if not probe.expected:
        return "The conversation does not tell. The right response is to decline; any other is made up."
    values = [f"{i.value} (this is forbidden)" if i.forbids else i.value for i in probe.expected]
    lines = values
    if probe.closed or len(values) > 1:
        heading = "The complete list; anything else is wrong:" if probe.closed else "All of these:"
        lines = [heading, *(f"- {value}" for value in values)]
    if probe.superseded:
        lines = [*lines, "No longer true, and wrong if given as true:"]
        lines += [f"- {item.value}" for item in probe.superseded]
    return "\n".join(lines)


_WHOLE: JsonDict = {"type": "integer", "minimum": int(LOWEST), "maximum": int(HIGHEST)}
"""What a server is told of a score, as it can be made to keep to that; one in between is taken as well."""


class _Result(BaseModel):
    """Reasoning stands before the score, so that the score follows from it."""

    criterionId: str  # noqa: N815 - as published
    reasoning: Annotated[str, Field(json_schema_extra={"maxLength": MAX_REASONING_CHARS})]
    score: Annotated[Score, Field(json_schema_extra=_WHOLE)]


class JudgeReply(BaseModel):
    """What a model replies: a result for each criterion. Aggregates are computed, never asked for."""

    criterionResults: list[_Result]  # noqa: N815 - as published


def reply_schema(criteria: Sequence[Criterion]) -> type[JudgeReply]:
    """`JudgeReply` for these criteria and no others, as far as a server can be made to keep to it."""
    named = Field(json_schema_extra={"enum": [criterion.id for criterion in criteria]})
    result = create_model("CriterionScore", __base__=_Result, criterionId=(Annotated[str, named], ...))
    bounds = {"minItems": len(criteria), "maxItems": len(criteria)}
    results = Annotated[list[result], Field(json_schema_extra=bounds)]  # type: ignore[valid-type]
    return create_model("JudgeReply", __base__=JudgeReply, criterionResults=(results, ...))
