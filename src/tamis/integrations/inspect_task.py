"""The probes of a run as a task of inspect_ai: any model that it knows reads, its viewer shows the answers.

    inspect eval FILE@probes -T run_dir=RUN_DIR -T method=ledger -T budget=5% --model PROVIDER/MODEL

FILE is this one, or one of your own that imports `probes`. Each sample is one question with one compacted
context and what stays in view beside it, word for word as tamis's own reader of models is asked. It is scored
by the exact scorer, and by a judge where one is named; standard errors are clustered by session.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from tamis.errors import InputError, MissingExtra, ModelError, UnusableReply
from tamis.evals.display_text import joined
from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.judge import Judge, JudgeCase, dimension_scores, overall
from tamis.evals.judging.model_judge import ModelJudge
from tamis.evals.judging.offline import OfflineJudge
from tamis.evals.judging.rubric import load_rubric
from tamis.evals.probing.exact_scorer import score_answer
from tamis.evals.probing.probes import Probe
from tamis.evals.probing.readers import MAX_OUTPUT_TOKENS, read_answer, reader_prompt
from tamis.evals.rundir.results import OFFLINE, ProbeRecord, Result, Run
from tamis.evals.rundir.run_directory import read_run
from tamis.evals.rundir.text_store import Texts
from tamis.models import Prompt, Reply

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model
    from inspect_ai.scorer import Score, Scorer, Target, grouped, mean, scorer, stderr
    from inspect_ai.solver import TaskState, generate
except ImportError:
    raise MissingExtra("the task needs inspect_ai; install it with: pip install 'tamis[inspect]'") from None

if TYPE_CHECKING:
    from inspect_ai.model import Model as InspectModel
    from pydantic import BaseModel

_PROBE = TypeAdapter(Probe)


@task
def probes(
    run_dir: str, method: str | None = None, budget: str | None = None, judge: str | None = None
) -> Task:
    """The questions of a finished run, put to a model with the contexts of its first cycle.

    Args:
        run_dir: the folder that `tamis eval -o` left.
        method: only this method's contexts; all methods unless told.
        budget: only at this budget, as it was given to `tamis eval`.
        judge: judge the answers by the rubric too: `offline`, or a model as inspect_ai names it.

    Raises:
        InputError: the run has no such contexts, or no questions.
    """
    folder = Path(run_dir)
    run, texts = read_run(folder), Texts(folder)
    try:
        samples = list(_samples(run, texts, method=method, budget=budget))
    finally:
        texts.close()
    if not samples:
        methods = ", ".join(dict.fromkeys(result.method for result in run.results))
        raise InputError(
            f"{run_dir} has no question for a context of method {method or 'any'} at budget "
            f"{budget or 'any'}; it has {len(run.probes)} questions, the methods {methods}, the budgets "
            f"{', '.join(run.settings.budgets)}"
        )
    return Task(
        dataset=MemoryDataset(samples, name=folder.name, location=str(folder)),
        solver=generate(),
        scorer=[exact(), rubric(judge)] if judge else [exact()],
        config=GenerateConfig(max_tokens=MAX_OUTPUT_TOKENS, temperature=0),
        metadata={"tamis": run.tamis, "run": str(folder)},
    )


@scorer(metrics=[grouped(mean(), "kind", all_label="mean"), stderr(cluster="cluster")])
def exact() -> Scorer:
    """The exact scorer, from 0 to 1."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - the probe says more
        answer = read_answer(state.output.completion)
        found = score_answer(_probe_of(state), answer)
        if isinstance(found, NotMeasured):
            return Score.unscored(answer=answer.text, explanation=f"not measured: {found.reason}")
        return Score(value=found.value, answer=answer.text or "declined", explanation=found.reason)

    return score


@scorer(metrics=[mean(), stderr(cluster="cluster")])
def rubric(judge: str = OFFLINE) -> Scorer:
    """The overall score of the rubric that ships, from 0 to 5, with the dimensions beside it."""
    judging = _judge_named(judge)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - the probe says more
        answer = read_answer(state.output.completion)
        said = await judging.judge(JudgeCase(probe=_probe_of(state), answer=answer))
        if isinstance(said, NotMeasured):
            return Score.unscored(answer=answer.text, explanation=f"not measured: {said.reason}")
        dimensions = dimension_scores(judging.rubric, said)
        told = "\n".join(f"{r.criterion}: {r.score} - {r.reasoning}" for r in said.results)
        total = overall(dimensions)
        if total is None:
            return Score.unscored(answer=answer.text, explanation=f"no criterion can be judged\n{told}")
        return Score(
            value=total,
            answer=answer.text or "declined",
            explanation=told,
            metadata={"judge": judging.name, "rubric": judging.rubric.id, "dimensions": dimensions},
        )

    return score


def _samples(run: Run, texts: Texts, *, method: str | None, budget: str | None) -> Iterator[Sample]:
    asked: dict[str, list[ProbeRecord]] = {}
    for record in run.probes:
        asked.setdefault(record.point, []).append(record)
    points = {point.key: point for point in run.points}
    for result in run.results:
        wanted = (method in (None, result.method)) and budget in (None, result.budget)
        if result.context is not None and result.cycle == 1 and wanted:
            point = points[result.point]
            parts = (point.view_before, result.context, point.view_behind)
            context = joined(*(texts[key] for key in parts if key is not None))
            for record in asked.get(result.point, ()):
                yield _sample(result, record.probe, context, point.cluster)


def _sample(result: Result, probe: Probe, context: str, cluster: str) -> Sample:
    prompt = reader_prompt(context, probe.question)
    return Sample(
        id=f"{result.key}-{probe.id}",
        input=[ChatMessageSystem(content=prompt.instructions), ChatMessageUser(content=prompt.text)],
        target=[item.value for item in probe.expected] or "to be declined",
        metadata={
            "kind": probe.kind,
            "question": probe.question,
            "method": result.method,
            "budget": result.budget,
            "point": result.point,
            "cluster": cluster,
            "probe": _PROBE.dump_python(probe, mode="json"),
        },
    )


def _probe_of(state: TaskState) -> Probe:
    return _PROBE.validate_python(state.metadata["probe"])


def _judge_named(name: str) -> Judge:
    if name == OFFLINE:
        return OfflineJudge(load_rubric())
    return ModelJudge(_AskedThroughInspect(get_model(name)), load_rubric())


class _AskedThroughInspect:
    """A model of inspect_ai, asked as tamis asks models."""

    window_tokens: int | None = None

    def __init__(self, model: InspectModel) -> None:
        self.name = str(model)
        self._model = model

    async def ask(self, prompt: Prompt, *, schema: type[BaseModel] | None = None) -> Reply:  # noqa: ARG002
        """The reply; that it is to be JSON stands in the prompt, and is seen when it is read."""
        said: list[Any] = [
            ChatMessageSystem(content=prompt.instructions),
            ChatMessageUser(content=prompt.text),
        ]
        config = GenerateConfig(max_tokens=prompt.max_output_tokens, temperature=0)
        try:
            output = await self._model.generate(said, config=config)
        except Exception as error:  # a plug-in's call: one judgement is missing, and the rest goes on
            raise ModelError(f"{self.name}: {type(error).__name__}: {error}") from error
        if output.error or not output.completion:
            raise UnusableReply(f"{self.name} gave no answer: {output.error or 'it is empty'}")
        return Reply(text=output.completion, model=self.name)
