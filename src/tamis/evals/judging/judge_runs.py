"""Putting cases to a judge: in an order that gives nothing away, as often as asked, every result checked."""

import asyncio
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence

from tamis.errors import InputError, MissingExtra
from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.judge import Judge, JudgeCase, Judgement
from tamis.evals.judging.model_judge import ModelJudge
from tamis.evals.judging.offline import OfflineJudge
from tamis.evals.judging.rubric import HIGHEST, LOWEST, Rubric
from tamis.models import Model, get_model

OFFLINE = "offline"
CONCURRENCY = 4
Judgements = tuple[Judgement | NotMeasured, ...]


def get_judge(name: str, rubric: Rubric, models: Callable[[str], Model] = get_model) -> Judge:
    """`offline`, or the model of this name as a judge.

    Raises:
        UnknownModel: no model goes by the name.
        MissingExtra: what asks such a model is not installed.
    """
    return OfflineJudge(rubric) if name == OFFLINE else ModelJudge(models(name), rubric)


async def ask_judge(judge: Judge, case: JudgeCase, *, repeat: int = 0) -> Judgement | NotMeasured:
    """What the judge says of one case; whatever a judge may not say is a reason why nothing is measured.

    Raises:
        InputError: the judge cannot be asked at all; it would fail for every case.
        MissingExtra: the same, for want of a package.
    """
    try:
        said = await judge.judge(case, repeat=repeat)
    except (InputError, MissingExtra):
        raise
    except Exception as error:  # a plug-in's call: one judgement is missing, and the rest goes on
        return NotMeasured(reason=f"{type(error).__name__}: {error}")
    if isinstance(said, NotMeasured):
        return said
    fault = _fault(said, judge.rubric, case)
    return said if fault is None else NotMeasured(reason=f"{judge.name} {fault}")


async def judge_cases(
    judge: Judge,
    cases: Sequence[JudgeCase],
    *,
    repeats: int = 1,
    seed: int = 0,
    concurrency: int = CONCURRENCY,
    done: Callable[[], None] = lambda: None,
) -> tuple[Judgements, ...]:
    """Every case as often as `repeats` says, each time in another order; `done` is called after each.

    Gives a tuple for each repeat, in the order of `cases`.
    """
    room = asyncio.Semaphore(concurrency)

    async def ask(at: int, repeat: int) -> Judgement | NotMeasured:
        async with room:
            said = await ask_judge(judge, cases[at], repeat=repeat)
        done()
        return said

    rounds: list[Judgements] = []
    for repeat in range(repeats):
        order = shuffled(len(cases), seed=seed, repeat=repeat)
        said = await asyncio.gather(*(ask(at, repeat) for at in order))
        by_place = dict(zip(order, said, strict=True))
        rounds.append(tuple(by_place[at] for at in range(len(cases))))
    return tuple(rounds)


def shuffled(count: int, *, seed: int = 0, repeat: int = 0) -> tuple[int, ...]:
    """The order in which so many cases are judged; the same for the same seed and repeat."""
    order = list(range(count))
    random.Random(f"{seed}:{repeat}").shuffle(order)
    return tuple(order)


def _fault(judgement: Judgement, rubric: Rubric, case: JudgeCase) -> str | None:
    wanted = {criterion.id for criterion in rubric.for_probe(case.probe)}
    times = Counter(result.criterion for result in judgement.results)
    if missing := sorted(wanted - set(times)):
        return f"left out {missing[0]!r}"
    if extra := sorted(set(times) - wanted):
        return f"judged {extra[0]!r}, which does not go with this question"
    if twice := sorted(name for name, count in times.items() if count > 1):
        return f"judged {twice[0]!r} more than once"
    for result in judgement.results:
        score = result.score
        if score is not None and not (math.isfinite(score) and LOWEST <= score <= HIGHEST):
            return f"gave {score:g} for {result.criterion!r}; scores go from {LOWEST:g} to {HIGHEST:g}"
    return None
