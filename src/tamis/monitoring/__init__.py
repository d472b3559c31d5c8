"""Watching compaction at work: live regret, the decision log, metrics, alerts, quality checks.

`Monitor` is what a `Context`, a `LayeredMemory` and the proxy report to.
"""

from tamis.monitoring.decision_log import DecisionLog
from tamis.monitoring.live_regret import LiveRegret, RegretWatch
from tamis.monitoring.metrics import METRICS, Metric, Observation, Recorder
from tamis.monitoring.monitor import Monitor, replay_session
from tamis.monitoring.quality import QualityCheck
from tamis.monitoring.settings import MonitoringSettings, load_monitoring, open_monitor

__all__ = [
    "METRICS",
    "DecisionLog",
    "LiveRegret",
    "Metric",
    "Monitor",
    "MonitoringSettings",
    "Observation",
    "QualityCheck",
    "Recorder",
    "RegretWatch",
    "load_monitoring",
    "open_monitor",
    "replay_session",
]
