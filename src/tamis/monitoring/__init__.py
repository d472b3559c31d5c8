"""Watching compaction at work: live regret, the decision log, metrics, alerts, quality checks.

`Monitor` is what a `Context`, a `LayeredMemory` and the proxy report to.
"""

from tamis.monitoring.log import DecisionLog
from tamis.monitoring.metrics import METRICS, Metric, Observation, Recorder
from tamis.monitoring.monitor import Monitor
from tamis.monitoring.quality import QualityCheck
from tamis.monitoring.regret import LiveRegret, RegretWatch
from tamis.monitoring.replaying import replay_session

__all__ = [
    "METRICS",
    "DecisionLog",
    "LiveRegret",
    "Metric",
    "Monitor",
    "Observation",
    "QualityCheck",
    "Recorder",
    "RegretWatch",
    "replay_session",
]
