"""A language model as judge: one prompt a case, always with the ground truth, blind to the method.

The instructions hold every criterion of the rubric and are the same for every case, so that a server's cache
of the prompt's beginning serves all of them but the first; which criteria to grade by stands in the case.
"""

import random
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files

from tamis.errors import ModelError, UnusableReply
from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.judge import CriterionResult, JudgeCase, Judgement
from tamis.evals.judging.rubric import Criterion, Rubric
from tamis.evals.judging.shapes import JudgeReply, input_of, reply_schema
from tamis.models import Model, Prompt, Reply, read_reply

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
        criteria = self.rubric.for_probe(case.probe)
        if not criteria:
            return NotMeasured(reason="no criterion of the rubric goes with this question")
        criteria = _ordered(criteria, repeat)
        schema = reply_schema(criteria)
        try:
            reply = await self.model.ask(self._prompt(case, criteria), schema=schema)
            return _judgement(reply, read_reply(reply, schema), criteria)
        except ModelError as error:
            return NotMeasured(reason=f"{type(error).__name__}: {error}")

    def _prompt(self, case: JudgeCase, criteria: Sequence[Criterion]) -> Prompt:
        return Prompt(
            instructions=self._instructions,
            text=input_of(case, criteria).model_dump_json(),
            max_output_tokens=OUTPUT_TOKENS_PER_CRITERION * len(criteria),
        )


def _ordered(criteria: Sequence[Criterion], repeat: int) -> tuple[Criterion, ...]:
    ordered = list(criteria)
    if repeat:
        random.Random(repeat).shuffle(ordered)
    return tuple(ordered)


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
