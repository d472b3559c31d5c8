"""What contexts, memories and the proxy report to: one place that writes the log and feeds the metrics.

monitor = Monitor(log=DecisionLog("work.jsonl"), recorders=[PrometheusMetrics()])
context = Context(window=200_000, listener=monitor.context("fix-totals"))
memory = LayeredMemory(settings, listener=monitor.memory("fix-totals"))
...
monitor.close()
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from tamis.context.listener import tell
from tamis.messages import Counter, get_counter
from tamis.monitoring.decision_log import DecisionLog
from tamis.monitoring.entries import EntrySource, LogEntry, LostLinesEntry, RunMode
from tamis.monitoring.metrics import Observation, Recorder, observations, zeros
from tamis.monitoring.quality import QualityCheck, ReplacedSpan

if TYPE_CHECKING:
    from tamis.monitoring.context_monitor import ContextMonitor
    from tamis.monitoring.memory_monitor import MemoryMonitor


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

    def note(self, entry: LogEntry) -> None:
        """Write an entry down and count it."""
        if self.log is not None and not self.log.write(entry):
            self._warn_once(self.log.trouble or "")
            self._record(LostLinesEntry(lines=1))
        self._record(entry)

    def announce(self, source: EntrySource, mode: RunMode) -> None:
        """Set the counters of a source to zero, so that the first event of each shows as a rise."""
        for observation in zeros(source, mode):
            self._give_all(observation)

    def replaced(self, replaced: ReplacedSpan) -> None:
        """A span was replaced: from time to time it is looked at how well."""
        if self._quality is not None:
            self._quality.take(replaced, self.note)

    def context(
        self, session: str = "", *, tokenizer: str | Counter = "o200k_base", mode: RunMode = "active"
    ) -> ContextMonitor:
        """A listener for one `tamis.Context`; the session's name stands in the log."""
        from tamis.monitoring.context_monitor import ContextMonitor

        self.announce("context", mode)
        return ContextMonitor(self, session=session, counter=_counter(tokenizer), mode=mode)

    def memory(self, session: str = "", *, tokenizer: str | Counter = "o200k_base") -> MemoryMonitor:
        """A listener for one `LayeredMemory`; the session's name stands in the log."""
        from tamis.monitoring.memory_monitor import MemoryMonitor

        return MemoryMonitor(self, session=session, counter=_counter(tokenizer))

    def close(self) -> None:
        """Wait for a quality check that runs, and let go of the log."""
        if self._quality is not None:
            self._quality.close()
        if self.log is not None:
            self.log.close()

    def _record(self, entry: LogEntry) -> None:
        for observation in observations(entry):
            self._give_all(observation)

    def _give_all(self, observation: Observation) -> None:
        for recorder in self._recorders:
            tell(partial(recorder.record, observation))

    def _warn_once(self, trouble: str) -> None:
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(f"{trouble}; the work goes on", RuntimeWarning, stacklevel=3)


def _counter(tokenizer: str | Counter) -> Counter:
    return get_counter(tokenizer) if isinstance(tokenizer, str) else tokenizer
