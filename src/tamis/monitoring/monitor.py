"""The monitor that contexts, memories and the proxy report to: writes the log and feeds the metrics.

monitor = Monitor(log=DecisionLog("work.jsonl"), recorders=[PrometheusMetrics()])
context = Context(window=200_000, listener=monitor.context("fix-totals"))
memory = LayeredMemory(settings, listener=monitor.memory("fix-totals"))
...
monitor.close()
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from tamis.context import Context
from tamis.context.listener import CompactionAttempt, tell
from tamis.memory.condenser import QueueCounts
from tamis.memory.iterations import Iteration, user_message
from tamis.memory.passes import Cause, Pass, Stages
from tamis.messages import Counter, Message, Session, Text, get_counter
from tamis.monitoring.decision_log import DecisionLog
from tamis.monitoring.entries import Choice, DecisionEntry, EntrySource, LogEntry, LostLinesEntry, RunMode
from tamis.monitoring.live_regret import ConversationRegret, RegretWatch
from tamis.monitoring.metrics import Observation, Recorder, observations, zeros
from tamis.monitoring.quality import QualityCheck, ReplacedSpan


class Monitor:
    """Takes entries from anywhere, in any thread, and never raises for what a log or a recorder does.

    Args:
        log: where every entry is written down; None writes nothing.
        recorders: what is fed with the metrics.
        quality: looks at a sample of compactions from time to time; None does not.
        with_details: write down what the method warned of, which may hold words of the session.
    """

    def __init__(
        self,
        *,
        log: DecisionLog | None = None,
        recorders: Sequence[Recorder] = (),
        quality: QualityCheck | None = None,
        with_details: bool = False,
    ) -> None:
        self.log = log
        self.with_details = with_details
        self._recorders = tuple(recorders)
        self._quality = quality
        self._has_warned = False

    def context(
        self, session: str = "", *, tokenizer: str | Counter = "o200k_base", mode: RunMode = "active"
    ) -> ContextMonitor:
        """A listener for one `tamis.Context`; the session's name stands in the log."""
        self.announce("context", mode)
        return ContextMonitor(self, session=session, counter=get_counter(tokenizer), mode=mode)

    def memory(self, session: str = "", *, tokenizer: str | Counter = "o200k_base") -> MemoryMonitor:
        """A listener for one `LayeredMemory`; the session's name stands in the log."""
        return MemoryMonitor(self, session=session, counter=get_counter(tokenizer))

    def note(self, entry: LogEntry) -> None:
        """Write an entry down and count it."""
        if self.log is not None and not self.log.write(entry):
            if not self._has_warned:
                self._has_warned = True
                warnings.warn(f"{self.log.trouble}; the work goes on", RuntimeWarning, stacklevel=2)
            self._record(observations(LostLinesEntry(lines=1)))
        self._record(observations(entry))

    def announce(self, source: EntrySource, mode: RunMode) -> None:
        """Set the counters of a source to zero, so that the first event of each shows as a rise."""
        self._record(zeros(source, mode))

    def replaced(self, replaced: ReplacedSpan) -> None:
        """A span was replaced: from time to time it is looked at how well."""
        if self._quality is not None:
            self._quality.take(replaced, self.note)

    def close(self) -> None:
        """Wait for a quality check that runs, and let go of the log."""
        if self._quality is not None:
            self._quality.close()
        if self.log is not None:
            self.log.close()

    def _record(self, seen: Iterable[Observation]) -> None:
        for observation in seen:
            for recorder in self._recorders:
                tell(partial(recorder.record, observation))


class ContextMonitor:
    """The listener of one context: its decisions, its live regret, its quality checks."""

    def __init__(self, sink: Monitor, *, session: str, counter: Counter, mode: RunMode = "active") -> None:
        self._sink = sink
        self._session = session
        self._mode: RunMode = mode
        self._follower = ConversationRegret(counter, source="context", session=session)

    @property
    def regret(self) -> RegretWatch:
        """What was needed of what was taken out, so far."""
        return self._follower.watch

    def appended(self, message: Message) -> None:
        """Tell what a new message means for regret."""
        for entry in self._follower.append([message], self._mode):
            self._sink.note(entry)

    def compacted(self, attempt: CompactionAttempt) -> None:
        """Write the decision down, and watch from here on what is needed of what is gone."""
        decision, reason = _judged_attempt(attempt)
        made, request = attempt.made, attempt.request
        details = (*(made.warnings if made else ()), *([str(attempt.failure)] if attempt.failure else ()))
        self._sink.note(
            DecisionEntry(
                source="context",
                mode=self._mode,
                decision=decision,
                session=self._session,
                reason=reason,
                trigger=attempt.setoff,
                method=made.method if made else "",
                version=made.version if made else "",
                outcome=made.outcome if made else "",
                tokens_before=attempt.tokens_before,
                tokens_after=attempt.tokens_after,
                budget_tokens=request.budget_tokens if request else None,
                latency_ms=round(attempt.latency_ms, 3),
                warnings=len(made.warnings) if made else 0,
                detail="; ".join(dict.fromkeys(details)) if self._sink.with_details else "",
            )
        )
        if attempt.is_replaced and request is not None:
            self._follower.compacted(request.span, attempt.shown)
            span, shown = request.span, attempt.shown
            self._sink.replaced(ReplacedSpan(source="context", mode=self._mode, span=span, shown=shown))


def _judged_attempt(attempt: CompactionAttempt) -> tuple[Choice, str]:
    """What was decided, and why where it was not to compact."""
    if attempt.request is None:
        return "untouched", "nothing-to-replace"
    if attempt.is_replaced:
        return "compacted", ""
    if attempt.made is None:
        raised = attempt.failure and (attempt.failure.__cause__ or attempt.failure)  # by the method itself
        return "fallback", type(raised).__name__
    return ("untouched", "unchanged") if attempt.made.outcome == "unchanged" else ("fallback", "unmet")


_SHADOWED: tuple[Cause, ...] = ("shadow", "not-opted-in")
_FELL_BACK: tuple[Cause, ...] = ("stage-failed", "quality-dropped")


class MemoryMonitor:
    """The listener of one memory: its passes, and what its iterations needed that they were not shown."""

    def __init__(self, sink: Monitor, *, session: str, counter: Counter) -> None:
        self._sink = sink
        self._session = session
        self._follower = ConversationRegret(counter, source="memory", session=session)
        self._unseen: list[Message] = []
        self._past: list[Message] = []
        self._mode: RunMode = "active"
        self._announced: set[RunMode] = set()
        self._lock = threading.Lock()

    @property
    def regret(self) -> RegretWatch:
        """What was needed of what was not shown, so far."""
        return self._follower.watch

    def passed(self, result: Pass, *, queue: QueueCounts, found_in_cache: bool | None) -> None:
        """Write the decision down."""
        decision, mode = _judged_pass(result)
        self._mode = mode
        if mode not in self._announced:
            self._announced.add(mode)
            self._sink.announce("memory", mode)
        stages = result.stages
        if decision == "compacted" and stages is not None:
            with self._lock:
                span = tuple(self._past)
            self._sink.replaced(ReplacedSpan(source="memory", mode=mode, span=span, shown=_shown(stages)))
        self._sink.note(
            DecisionEntry(
                source="memory",
                decision=decision,
                mode=mode,
                session=self._session,
                reason=result.cause or "",
                trigger="iteration",
                method="layered-memory",
                outcome=stages.strategy if stages else "",
                tokens_before=stages.tokens_before if stages else None,
                tokens_after=stages.tokens_after if stages else None,
                latency_ms=round(stages.latency_ms, 3) if stages else None,
                warnings=len(result.warnings),
                cache=None if found_in_cache is None else "hit" if found_in_cache else "miss",
                queue=queue.waiting,
                detail="; ".join(result.warnings) if self._sink.with_details else "",
            )
        )

    def ended(self, iteration: Iteration, *, shown: str | None) -> None:
        """Watch what the iteration needed of all before it that it was not shown."""
        with self._lock:
            if shown is not None:
                texts = (Text(text=shown), Text(text=iteration.task))
                seen = Message(id=f"shown-{iteration.number}", role="user", parts=texts)
                self._follower.compacted(self._unseen, [seen])
                self._unseen = []
                for entry in self._follower.append(iteration.messages, self._mode):
                    self._sink.note(entry)
            self._unseen += iteration.messages
            self._past += iteration.messages


def _shown(stages: Stages) -> tuple[Message, ...]:
    """What the agent sees of its past and of what it does now, or would see."""
    current = (section for section in stages.collected.sections if section.level == "L0")
    texts = (line.text for section in current for line in section.lines)
    return (user_message(stages.injected.text), *stages.recent.messages, user_message(*texts))


def _judged_pass(result: Pass) -> tuple[Choice, RunMode]:
    """What was decided. What shadow mode made is what would have been."""
    if result.applied:
        return "compacted", "active"
    if result.cause in _SHADOWED:
        return "compacted", "shadow"
    return ("fallback" if result.cause in _FELL_BACK else "untouched"), "active"


def replay_session(
    session: Session,
    monitor: Monitor | None = None,
    *,
    window: int,
    tokenizer: str | Counter = "o200k_base",
    **settings: Any,
) -> RegretWatch:
    """Feed a recorded session to a live context, and watch; the entries say that it was a shadow.

    The agent that was recorded had everything: what it read or called again it read again in any case. The
    names say what the compactions would have cost. The `window` is in tokens; the `settings` are those of
    `Context`.

    Raises:
        BadBudget: as for `Context`.

    >>> from tamis.messages import Message, Text, identify
    >>> said = [Text(text=f"Part {n} has the marker quartz-{n:04d}. " * 8) for n in range(40)]
    >>> messages = identify([Message(id="", role="user", parts=(text,)) for text in said])
    >>> replay_session(Session(id="s", format="native", messages=messages), window=2_000).is_watching
    True
    """
    counter = get_counter(tokenizer)
    listener = (monitor or Monitor()).context(session.id, tokenizer=counter, mode="shadow")
    context = Context(window=window, tokenizer=counter, listener=listener, **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # what failed is among the decisions
        context.extend(session.messages)
    return listener.regret
