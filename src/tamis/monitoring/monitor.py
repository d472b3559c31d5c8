"""The monitor that contexts, memories and the proxy report to: writes the log and feeds the metrics.

monitor = Monitor(log=DecisionLog("work.jsonl"), recorders=[PrometheusMetrics()])
context = Context(window=200_000, listener=monitor.context("fix-totals"))
memory = LayeredMemory(settings, listener=monitor.memory("fix-totals"))
...
monitor.close()
"""

import warnings
from typing import Any

from tamis.context import Context
from tamis.messages import Counter, Session, get_counter
from tamis.monitoring.context_monitor import ContextMonitor
from tamis.monitoring.entries import RunMode
from tamis.monitoring.entry_sink import EntrySink
from tamis.monitoring.live_regret import RegretWatch
from tamis.monitoring.memory_monitor import MemoryMonitor


class Monitor(EntrySink):
    """The sink of entries that also listens to contexts and memories."""

    def context(
        self, session: str = "", *, tokenizer: str | Counter = "o200k_base", mode: RunMode = "active"
    ) -> ContextMonitor:
        """A listener for one `tamis.Context`; the session's name stands in the log."""
        self.announce("context", mode)
        return ContextMonitor(self, session=session, counter=get_counter(tokenizer), mode=mode)

    def memory(self, session: str = "", *, tokenizer: str | Counter = "o200k_base") -> MemoryMonitor:
        """A listener for one `LayeredMemory`; the session's name stands in the log."""
        return MemoryMonitor(self, session=session, counter=get_counter(tokenizer))


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
    names say what the compactions would have cost.

    Args:
        session: what was recorded.
        monitor: what is told of it, if anything.
        window: the tokens that the model would have taken.
        tokenizer: as for `tamis.compact`.
        settings: those of `Context`.

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
