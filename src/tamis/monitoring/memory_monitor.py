"""Watching a `LayeredMemory`."""

import threading

from tamis.memory.condenser import QueueCounts
from tamis.memory.items import user_message
from tamis.memory.iterations import Iteration
from tamis.memory.passes import Cause, Pass, Stages
from tamis.messages import Counter, Message, Text
from tamis.monitoring.entries import Choice, DecisionEntry, RunMode
from tamis.monitoring.entry_sink import EntrySink
from tamis.monitoring.live_regret import ConversationRegret, RegretWatch
from tamis.monitoring.quality import ReplacedSpan

_SHADOWED: tuple[Cause, ...] = ("shadow", "not-opted-in")
_FELL_BACK: tuple[Cause, ...] = ("stage-failed", "quality-dropped")


class MemoryMonitor:
    """The listener of one memory: its passes, and what its iterations needed that they were not shown."""

    def __init__(self, sink: EntrySink, *, session: str, counter: Counter) -> None:
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
        decision, mode = _judged(result)
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
                self._follower.compacted(
                    self._unseen, [Message(id=f"shown-{iteration.number}", role="user", parts=texts)]
                )
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


def _judged(result: Pass) -> tuple[Choice, RunMode]:
    """What was decided. What shadow mode made is what would have been."""
    if result.applied:
        return "compacted", "active"
    if result.cause in _SHADOWED:
        return "compacted", "shadow"
    return ("fallback" if result.cause in _FELL_BACK else "untouched"), "active"
