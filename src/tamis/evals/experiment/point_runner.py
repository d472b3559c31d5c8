"""One arm at one budget at one point: compacted cycle by cycle, held to the contract, scored in hindsight.

What an arm raises, returns or breaks is its own failure, with the reason, and never a zero: it took too long,
gave something that is no compaction, went over the budget, or tore a call from its result.
"""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tamis.compactors import Compaction, CompactionRequest, Compactor, parse_budget, run_compactor
from tamis.compactors.invocation import ask
from tamis.errors import BadBudget, MethodFailed
from tamis.evals.display_text import transcript
from tamis.evals.experiment.arms import listening_arm, model_method, takes_previous
from tamis.evals.experiment.stages import Stage
from tamis.evals.hindsight import Hindsight, KindScore, Need, NotMeasured, by_kind, score_hindsight
from tamis.evals.points import Point
from tamis.evals.rundir.results import Failure, Result, digest
from tamis.evals.statements.keypoints import score_statements
from tamis.messages import Counter, Message, count_messages, pair_calls
from tamis.text.names import NameKind
from tamis.text.needed_names import SearchableContext


def lasting_kept(lasting: Sequence[Need], messages: Sequence[Message]) -> Mapping[NameKind, KindScore]:
    """How many of the lasting names stand in a context, by kind."""
    context = SearchableContext(messages)
    return by_kind(lasting, {need.name for need in lasting if need.name not in context})


UNBOUND = frozenset({"full"})
"""Control arms that take nothing out, whatever the budget: the upper end that scores are read against."""

OWN_BUDGET = "own"  # as many tokens as the agent's own summary took at this point


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmResult:
    """A result, and the compacted messages where there are any that can be read."""

    result: Result
    messages: tuple[Message, ...] | None = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PointRunner:
    """One point, ready for any arm at any budget.

    `lasting` are the names that nobody says again. `timeout_s` is the most that a compaction may take;
    `in_threads` says that an event loop runs here, which no compaction may hold up.
    """

    key: str
    stages: tuple[Stage, ...]
    lasting: tuple[Need, ...]
    counter: Counter
    timeout_s: float | None = None
    in_threads: bool = False

    async def run(self, arm: Compactor, budget: str) -> AsyncIterator[ArmResult]:
        """Every cycle in turn. After one without an answer there is nothing to go on from."""
        try:
            budget_tokens = self.budget_at(self.stages[0].point, arm, budget, self.counter)
        except BadBudget as error:
            nothing = NotMeasured(reason=str(error))
            yield ArmResult(result=self._blank(arm, budget, 0, self.stages[0], nothing))
            return
        previous: Compaction | None = None
        for stage in self.stages:
            room = stage.point.span_tokens if arm.name in UNBOUND else budget_tokens
            request = self._request(arm, stage, room, previous)
            asker, heard = listening_arm(arm)
            made = await self._attempt(asker, request)
            if isinstance(made, Failure):
                yield ArmResult(result=self._blank(arm, budget, room, stage, made))
                return
            text = transcript(made.messages)
            yield ArmResult(
                result=replace(
                    self._blank(arm, budget, room, stage, self._score(made, stage)),
                    tokens_after=made.tokens_after,
                    outcome=made.outcome,
                    warnings=made.warnings,
                    latency_ms=made.latency_ms,
                    context=digest(text),
                    lasting=lasting_kept(self.lasting, made.messages) if len(self.stages) > 1 else None,
                    **heard.spent,
                    statements=_unreadable(made) or score_statements(stage.sought, made.messages),
                ),
                messages=made.messages if made.readable and made.outcome != "unmet" else None,
                text=text,
            )
            if made.outcome == "unmet":
                return
            previous = made

    def _request(
        self, arm: Compactor, stage: Stage, room: int, previous: Compaction | None
    ) -> CompactionRequest:
        request = CompactionRequest(
            span=stage.new,
            budget_tokens=room,
            counter=self.counter,
            counts=stage.new_tokens,
            recorded=stage.point.recorded,
        )
        if previous is None:
            return request
        if takes_previous(arm):
            return replace(request, previous=previous)
        return replace(request, span=(*previous.messages, *stage.new), counts=None)

    async def _attempt(self, arm: Compactor, request: CompactionRequest) -> Compaction | Failure:
        try:
            if model_method(arm):  # its model has its own time limit, and may be waited for in a queue
                made = await ask(arm, request)
            elif self.in_threads:
                made = await asyncio.to_thread(run_limited, arm, request, self.timeout_s)
            else:
                made = run_limited(arm, request, self.timeout_s)
            return checked(made, request)
        except Exception as error:  # a plug-in's call: what it raises is its failure, and the run goes on
            own_words = isinstance(error, MethodFailed) and str(error)
            return Failure(reason=own_words or f"{type(error).__name__}: {error}")

    @staticmethod
    def budget_at(point: Point, arm: Compactor, budget: str, counter: Counter) -> int:
        """The tokens that an arm may take at a point.

        Raises:
            BadBudget: this point gives none.
        """
        if arm.name in UNBOUND:
            return point.span_tokens
        if budget != OWN_BUDGET:
            return parse_budget(budget).resolve(point.span_tokens)
        if point.recorded is None:
            raise BadBudget("the agent made no summary here, so it gives no budget")
        return count_messages([point.recorded], counter)[0]

    def _blank(
        self, arm: Compactor, budget: str, room: int, stage: Stage, score: Hindsight | NotMeasured | Failure
    ) -> Result:
        return Result(
            point=self.key,
            method=arm.name,
            version=arm.version,
            budget=budget,
            budget_tokens=room,
            tokens_before=stage.point.span_tokens,
            tokens_after=stage.point.span_tokens,
            outcome="failed",
            score=score,
            statements=score if isinstance(score, NotMeasured) else None,
            cycle=stage.cycle,
        )

    def _score(self, made: Compaction, stage: Stage) -> Hindsight | NotMeasured:
        if reason := _unreadable(made):
            return reason
        tokens = tuple(count for s in self.stages[: stage.cycle] for count in s.new_tokens)
        return score_hindsight(
            stage.needs,
            made.messages,
            context_tokens=made.tokens_after,
            span_tokens=tokens,
            beside_tokens=stage.beside_tokens,
        )


def _unreadable(made: Compaction) -> NotMeasured | None:
    """Why what was made says nothing, where it does not."""
    if made.outcome == "unmet":
        return NotMeasured(reason=f"budget not met: {'; '.join(made.warnings)}")
    if not made.readable:
        return NotMeasured(reason="what the provider made of the span cannot be read")
    return None


def checked(made: object, request: CompactionRequest) -> Compaction:
    """The compaction, where it keeps to the contract.

    Raises:
        MethodFailed: it is none, over its budget, or tears a pair that stood whole.
    """
    if not isinstance(made, Compaction):
        raise MethodFailed(f"it returned {type(made).__name__}, not a Compaction")
    if made.outcome != "fits":
        return made
    tokens = sum(count_messages(made.messages, request.counter))
    if tokens > request.budget_tokens:
        raise MethodFailed(f"it broke the budget: {tokens} tokens in {request.budget_tokens}")
    pairing = pair_calls(made.messages)
    if not pairing.whole:
        torn = len(pairing.open_calls) + len(pairing.orphan_results)
        raise MethodFailed(f"it tore {torn} calls and results apart")
    return made if tokens == made.tokens_after else replace(made, tokens_after=tokens)


class _TimeIsUp(BaseException):
    """Not an `Exception`, so that no method takes it for one of its own."""


def run_limited(arm: Compactor, request: CompactionRequest, timeout_s: float | None) -> Compaction:
    """Run a compactor to its end, or to the end of its time.

    In a main thread an alarm stops even a loop that never waits. Elsewhere, and where the system has no
    alarms, it runs in a thread of its own, which is no longer waited for but cannot be stopped.

    Raises:
        MethodFailed: it took longer than `timeout_s`.
    """
    if timeout_s is None:
        return run_compactor(arm, request)
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return run_compactor(arm, request, timeout_s=timeout_s)

    def stop(*_: object) -> None:
        raise _TimeIsUp

    try:
        earlier = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, timeout_s)
        try:
            return run_compactor(arm, request)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, earlier)
    except _TimeIsUp:
        raise MethodFailed(f"{arm.name} gave no answer within {timeout_s:g} seconds") from None
