"""The monitor that contexts, memories and the proxy report to: writes the log and feeds the metrics.

monitor = Monitor(log=DecisionLog("work.jsonl"), recorders=[PrometheusMetrics()])
context = Context(window=200_000, listener=monitor.context("fix-totals"))
memory = LayeredMemory(settings, listener=monitor.memory("fix-totals"))
...
monitor.close()
"""

from __future__ import annotations

from tamis.messages import Counter, get_counter
from tamis.monitoring.context_monitor import ContextMonitor
from tamis.monitoring.entries import RunMode
from tamis.monitoring.entry_sink import EntrySink
from tamis.monitoring.memory_monitor import MemoryMonitor


class Monitor(EntrySink):
    """The sink of entries that also listens to contexts and memories."""

    def context(
        self, session: str = "", *, tokenizer: str | Counter = "o200k_base", mode: RunMode = "active"
    ) -> ContextMonitor:
        """A listener for one `tamis.Context`; the session's name stands in the log."""
        self.announce("context", mode)
        return ContextMonitor(self, session=session, counter=_counter(tokenizer), mode=mode)

    def memory(self, session: str = "", *, tokenizer: str | Counter = "o200k_base") -> MemoryMonitor:
        """A listener for one `LayeredMemory`; the session's name stands in the log."""
        return MemoryMonitor(self, session=session, counter=_counter(tokenizer))


def _counter(tokenizer: str | Counter) -> Counter:
    return get_counter(tokenizer) if isinstance(tokenizer, str) else tokenizer
