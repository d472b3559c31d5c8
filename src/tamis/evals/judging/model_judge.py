"""A language model as judge: one prompt a case, always with the ground truth, blind to the method.

The instructions hold every criterion of the rubric and are the same for every case, so that a server's cache
of the prompt's beginning serves all of them but the first; which criteria to grade by stands in the case.
"""

import random
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, Field, create_model
from pydantic.config import JsonDict

from tamis.errors import ModelError, UnusableReply
from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.judge import CriterionResult, JudgeCase, Judgement
from tamis.evals.judging.rubric import HIGHEST, LOWEST, Criterion, Rubric
from tamis.evals.probing.probes import Probe
from tamis.models import Model, Prompt, Reply, read_reply

DECLINED = "(declined: it says that the conversation does not tell)"
MAX_REASONING_CHARS = 80
Score = Annotated[float, Field(ge=LOWEST, le=HIGHEST, allow_inf_nan=False)]


class JudgeInput(BaseModel, extra="forbid", frozen=True):
    """What a judge is shown of a case, under the names of Factory's framework (2025).

    One of its fields is left out on purpose: `compacted_context`. A judge that sees the compacted context
    sees its form, and the form tells which method made it.
    """

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


OUTPUT_TOKENS_PER_CRITERION = 120
"""The room for one result: an id, a sentence, a number, and the JSON around them."""


class ModelJudge:
    """Asks a model to grade by the rubric.

    What the model does not grade (no JSON, a refusal, a time-out, a score outside 0 to 5, a criterion left
    out or graded twice) is not measured, with the reason.
    """

    version = "2"

    def __init__(self, model: Model, rubric: Rubric) -> None:
        self.name = model.name
        self.rubric = rubric
        self.model = model
        prompt = files("tamis.evals.judging").joinpath("prompts", "judge.txt")
        described = map(_described, rubric.criteria)
        self._instructions = "\n".join([prompt.read_text("utf-8").strip(), *described])

    async def judge(self, case: JudgeCase, *, repeat: int = 0) -> Judgement | NotMeasured:
        """Ask once. Each repeat has the criteria in another order, which should not matter."""
        criteria = list(self.rubric.for_probe(case.probe))
        if not criteria:
            return NotMeasured(reason="no criterion of the rubric goes with this question")
        if repeat:
            random.Random(repeat).shuffle(criteria)
        prompt = Prompt(
            instructions=self._instructions,
            text=input_of(case, criteria).model_dump_json(),
            max_output_tokens=OUTPUT_TOKENS_PER_CRITERION * len(criteria),
        )
        schema = reply_schema(criteria)
        try:
            reply = await self.model.ask(prompt, schema=schema)
            return _judgement(reply, read_reply(reply, schema), criteria)
        except ModelError as error:
            return NotMeasured(reason=f"{type(error).__name__}: {error}")


def _described(criterion: Criterion) -> str:
    meanings = "; ".join(f"{score}: {meaning}" for score, meaning in criterion.anchors.items())
    return f"- {criterion.id}: {criterion.question} {meanings}."


def _judgement(reply: Reply, said: JudgeReply, criteria: Sequence[Criterion]) -> Judgement:
    """The results in the rubric's order.

    Raises:
        UnusableReply: a criterion is missing, graded more than once, or none that was asked for.
    """
    wanted = [criterion.id for criterion in criteria]
    times = Counter(result.criterionId for result in said.criterionResults)
    for id_ in [*wanted, *times]:
        if id_ not in wanted:
            raise UnusableReply(f"{reply.model} graded {id_!r}, which it was not asked for")
        if times[id_] != 1:
            raise UnusableReply(f"{reply.model} graded {id_!r} {times[id_]} times; once was asked for")
    return Judgement(
        results=tuple(
            CriterionResult(criterion=r.criterionId, score=r.score, reasoning=" ".join(r.reasoning.split()))
            for r in sorted(said.criterionResults, key=lambda r: wanted.index(r.criterionId))
        )
    )
