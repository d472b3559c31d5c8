"""Watching a live `Context`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.context.listening import Attempt
from tamis.messages import Counter, Message
from tamis.monitoring.entries import Choice, Decision, Mode
from tamis.monitoring.following import Follower
from tamis.monitoring.quality import Replaced
from tamis.monitoring.regret import RegretWatch

if TYPE_CHECKING:
    from tamis.monitoring.monitor import Monitor


class ContextMonitor:
    """The listener of one context: its decisions, its live regret, its quality checks."""

    def __init__(self, monitor: Monitor, *, session: str, counter: Counter, mode: Mode = "active") -> None:
        self._monitor = monitor
        self._session = session
        self._mode: Mode = mode
        self._follower = Follower(counter, source="context", session=session)

    @property
    def regret(self) -> RegretWatch:
        """What was needed of what was taken out, so far."""
        return self._follower.watch

    def appended(self, message: Message) -> None:
        """Tell what a new message means for regret."""
        for entry in self._follower.append([message], self._mode):
            self._monitor.note(entry)

    def compacted(self, attempt: Attempt) -> None:
        """Write the decision down, and watch from here on what is needed of what is gone."""
        decision, reason = _judged(attempt)
        made, request = attempt.made, attempt.request
        details = (*(made.warnings if made else ()), *([str(attempt.failure)] if attempt.failure else ()))
        self._monitor.note(
            Decision(
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
                detail="; ".join(dict.fromkeys(details)) if self._monitor.with_details else "",
            )
        )
        if attempt.is_replaced and request is not None:
            self._follower.compacted(request.span, attempt.shown)
            self._monitor.replaced(
                Replaced(source="context", mode=self._mode, span=request.span, shown=attempt.shown)
            )


def _judged(attempt: Attempt) -> tuple[Choice, str]:
    """What was decided, and why where it was not to compact."""
    if attempt.request is None:
        return "untouched", "nothing-to-replace"
    if attempt.is_replaced:
        return "compacted", ""
    if attempt.made is None:
        raised = attempt.failure and (attempt.failure.__cause__ or attempt.failure)  # by the method itself
        return "fallback", type(raised).__name__
    return ("untouched", "unchanged") if attempt.made.outcome == "unchanged" else ("fallback", "unmet")
