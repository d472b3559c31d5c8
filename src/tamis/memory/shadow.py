"""Shadow mode over recorded sessions: what memory would have saved, how long it takes, what would be missed.

A recorded session is cut into iterations. Before each one an active memory makes its pass, as it would have
then, and falls back to the uncompressed context where it would have; the iteration itself tells what the
agent went on to use. Nothing that was recorded is changed, no model is asked.
"""

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tamis.memory.iteration_regret import Regret
from tamis.memory.iterations import Iteration, split_iterations
from tamis.memory.loop import LayeredMemory
from tamis.memory.passes import Cause
from tamis.memory.settings import MemorySettings
from tamis.memory.skillbook import Skillbook
from tamis.messages import Counter, Message, Session, count_messages, get_counter, whole_units

MIN_SAVINGS = 0.30
MAX_LATENCY_MS = 100.0
MAX_REGRET_RATE = 0.05
"""The published success criteria. Latency is that of a pass without a model."""

ShadowVerdict = Literal["met", "missed", "not measured"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ShadowPass:
    """One pass before one iteration, and what the iteration then missed.

    `tokens_before` is the conversation so far and the task, `tokens_after` what memory would have sent in its
    place: task, newest messages, block, or all of it where it was not `applied`; `cause` says why.
    `condensing_ms` is what reading the iteration before took. Where nothing could be missed `turns` is 0.
    """

    session: str
    iteration: int
    applied: bool
    cause: Cause | None
    tokens_before: int
    tokens_after: int
    latency_ms: float
    condensing_ms: float
    over_limit_tokens: int
    needed: int
    missing: tuple[str, ...]
    turns: int
    missing_turns: int
    listed: int

    @property
    def is_regretted(self) -> bool:
        """Whether the agent missed something that the compressed context did not show."""
        return self.applied and bool(self.missing)


@dataclass(frozen=True, kw_only=True, slots=True)
class ShadowCriterion:
    """A criterion: what was to be reached, what was, over how many; None where it was not measured."""

    criterion: str
    threshold: str
    value: float | None = None
    over: int = 0
    verdict: ShadowVerdict = "not measured"
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ShadowReport:
    """What all sessions say together.

    `savings` and `median_savings` are 1 - after / before, over all tokens that were sent and over passes.
    `whole` counts iterations whose context was too small to compress, `fell_back` those that were sent all
    because too much had been missed. `regret_rate` and names are over what was compressed; `listed_names`
    stood in a bare list only. `skipped` says which sessions gave no pass.
    """

    sessions: int
    iterations: int
    whole: int
    fell_back: int
    tokens_before: int
    tokens_after: int
    savings: float | None
    median_savings: float | None
    latency_ms_p50: float | None
    latency_ms_p95: float | None
    condensing_ms_p50: float | None
    regret_rate: float | None
    regret_rate_turns: float | None
    needed_names: int
    missing_names: int
    listed_names: int
    criteria: tuple[ShadowCriterion, ...]
    skipped: tuple[str, ...]
    passes: tuple[ShadowPass, ...] = field(repr=False)


def shadow_session(
    session: Session,
    settings: MemorySettings | None = None,
    *,
    skillbook: Skillbook | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[list[ShadowPass], int]:
    """The passes over one session behind its first iteration, and how many of them stayed whole."""
    settings = shadowed(settings or MemorySettings())
    counter = get_counter(settings.tokenizer)
    system = "\n".join(message.text for message in session.messages if message.role == "system")
    passes: list[ShadowPass] = []
    whole = 0
    condensing_ms = 0.0
    before: Iteration | None = None
    with LayeredMemory(settings, skillbook=skillbook, system=system, clock=clock) as memory:
        for iteration in split_iterations(session.messages, counter, tokens=settings.levels.current.most):
            latest = newest(before.messages, counter, settings.levels.current.most) if before else ()
            made = memory.assemble(iteration.task, latest)
            started = clock()
            memory.end_iteration(iteration.task, iteration.messages)
            spent_ms = 1000 * (clock() - started)
            stages = made.stages
            judged = next((r for r in memory.regrets if r.iteration == iteration.number), None)
            regret = judged or Regret(
                iteration=iteration.number, needed=0, missing=(), turns=0, missing_turns=0
            )
            if before is not None and stages is not None:
                whole += judged is None
                newest_tokens = sum(count_messages(latest, counter))  # in the past as well
                whole_tokens = stages.tokens_before - newest_tokens
                passes.append(
                    ShadowPass(
                        session=session.id,
                        iteration=iteration.number,
                        applied=made.applied,
                        cause=made.cause,
                        tokens_before=whole_tokens,
                        tokens_after=stages.tokens_after if made.applied else whole_tokens,
                        latency_ms=stages.latency_ms,
                        condensing_ms=condensing_ms,
                        over_limit_tokens=stages.injected.over_limit_tokens,
                        needed=regret.needed,
                        missing=regret.missing,
                        turns=regret.turns,
                        missing_turns=regret.missing_turns,
                        listed=regret.listed,
                    )
                )
            before, condensing_ms = iteration, spent_ms
    return passes, whole


def shadow_sessions(
    sessions: Iterable[Session], settings: MemorySettings | None = None, *, skillbook: Skillbook | None = None
) -> ShadowReport:
    """Run beside every session and hold the result against the published criteria."""
    passes: list[ShadowPass] = []
    skipped: list[str] = []
    whole = count = 0
    for session in sessions:
        count += 1
        made, stayed = shadow_session(session, settings, skillbook=skillbook)
        passes += made
        whole += stayed
        if len(made) == stayed:
            skipped.append(f"{session.id}: no context that was large enough to compress")
    return report(passes, sessions=count, whole=whole, skipped=skipped)


def report(
    passes: Sequence[ShadowPass], *, sessions: int, whole: int = 0, skipped: Sequence[str] = ()
) -> ShadowReport:
    """What the passes say together."""
    before, after = sum(p.tokens_before for p in passes), sum(p.tokens_after for p in passes)
    acting = [p for p in passes if p.turns and p.applied]
    turns = sum(p.turns for p in acting)
    latencies = [p.latency_ms for p in passes]
    latency_p95 = _quantile(latencies, 0.95)
    saved = [1 - p.tokens_after / p.tokens_before for p in passes]
    savings = 1 - after / before if before else None
    regret = sum(p.is_regretted for p in acting) / len(acting) if acting else None
    return ShadowReport(
        sessions=sessions,
        iterations=len(passes) - whole,
        whole=whole,
        fell_back=sum(p.cause == "quality-dropped" for p in passes),
        tokens_before=before,
        tokens_after=after,
        savings=savings,
        median_savings=statistics.median(saved) if saved else None,
        latency_ms_p50=_quantile(latencies, 0.5),
        latency_ms_p95=latency_p95,
        condensing_ms_p50=_quantile([p.condensing_ms for p in passes], 0.5),
        regret_rate=regret,
        regret_rate_turns=sum(p.missing_turns for p in acting) / turns if turns else None,
        needed_names=sum(p.needed for p in acting),
        missing_names=sum(len(p.missing) for p in acting),
        listed_names=sum(p.listed for p in acting),
        criteria=(
            _measured(
                "token savings", f">= {MIN_SAVINGS:.0%}", savings, len(passes), MIN_SAVINGS, least=True
            ),
            _measured("latency p95, ms", f"< {MAX_LATENCY_MS:g}", latency_p95, len(passes), MAX_LATENCY_MS),
            _measured(
                "regret rate, of iterations", f"< {MAX_REGRET_RATE:.0%}", regret, len(acting), MAX_REGRET_RATE
            ),
            *_NEEDS_RUNS,
        ),
        skipped=tuple(skipped),
        passes=tuple(passes),
    )


def newest(messages: Sequence[Message], counter: Counter, tokens: int) -> tuple[Message, ...]:
    """The newest whole units of a conversation up to so many tokens, and the newest one in any case."""
    sizes = count_messages(messages, counter)
    start, taken = len(messages), 0
    for unit in reversed(whole_units(messages)):
        taken += sum(sizes[unit.start : unit.stop])
        if start < len(messages) and taken > tokens:
            break
        start = unit.start
    return tuple(messages[start:])


def shadowed(settings: MemorySettings) -> MemorySettings:
    """The settings for a look at what was recorded: as if active, nothing beside, no model, errors raise."""
    return settings.model_copy(
        update={
            "enabled": True,
            "mode": "active",
            "asynchronous": settings.asynchronous.model_copy(update={"enabled": False}),
            "llm_summarization": settings.llm_summarization.model_copy(update={"enabled": False}),
            "safety": settings.safety.model_copy(update={"fallback_on_error": False}),
        }
    )


_RUNS = "needs runs with and without memory"
_LABELS = "needs labelled tasks; benchmarks/layered_memory.py measures it on the set that ships"
_NEEDS_RUNS = (
    ShadowCriterion(criterion="task success rate", threshold=">= baseline - 2%", note=_RUNS),
    ShadowCriterion(criterion="iteration count", threshold="< baseline + 0.5", note=_RUNS),
    ShadowCriterion(criterion="context quality score", threshold=">= 0.8", note="needs a judge"),
    ShadowCriterion(criterion="skill precision", threshold=">= 80%", note=_LABELS),
)


def _measured(
    name: str, threshold: str, value: float | None, over: int, bound: float, *, least: bool = False
) -> ShadowCriterion:
    if value is None:
        return ShadowCriterion(criterion=name, threshold=threshold, note="no pass")
    is_met = value >= bound if least else value < bound
    verdict: ShadowVerdict = "met" if is_met else "missed"
    return ShadowCriterion(criterion=name, threshold=threshold, value=value, over=over, verdict=verdict)


def _quantile(values: Sequence[float], share: float) -> float | None:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else None
