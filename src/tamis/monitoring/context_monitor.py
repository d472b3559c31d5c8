"""Watching a live `Context`."""

from tamis.context.listener import CompactionAttempt
from tamis.messages import Counter, Message
from tamis.monitoring.entries import Choice, DecisionEntry, RunMode
from tamis.monitoring.entry_sink import EntrySink
from tamis.monitoring.live_regret import ConversationRegret, RegretWatch
from tamis.monitoring.quality import ReplacedSpan


class ContextMonitor:
    """The listener of one context: its decisions, its live regret, its quality checks."""

    def __init__(self, sink: EntrySink, *, session: str, counter: Counter, mode: RunMode = "active") -> None:
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
        decision, reason = _judged(attempt)
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
            self._sink.replaced(
                ReplacedSpan(source="context", mode=self._mode, span=request.span, shown=attempt.shown)
            )


def _judged(attempt: CompactionAttempt) -> tuple[Choice, str]:
    """What was decided, and why where it was not to compact."""
    if attempt.request is None:
        return "untouched", "nothing-to-replace"
    if attempt.is_replaced:
        return "compacted", ""
    if attempt.made is None:
        raised = attempt.failure and (attempt.failure.__cause__ or attempt.failure)  # by the method itself
        return "fallback", type(raised).__name__
    return ("untouched", "unchanged") if attempt.made.outcome == "unchanged" else ("fallback", "unmet")
