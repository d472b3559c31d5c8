"""Watching compaction at work: live regret, the decision log, metrics, alerts, quality checks."""

from tamis.monitoring.log import DecisionLog
from tamis.monitoring.regret import LiveRegret, RegretWatch

__all__ = ["DecisionLog", "LiveRegret", "RegretWatch"]
