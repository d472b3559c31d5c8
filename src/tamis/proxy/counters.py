"""The proxy's counters, in Prometheus' text form, and one structured log line for each decision.

Nothing that was said stands in either: no text, no key, no header of the agent's.
"""

import json
import logging
import time
from typing import Any, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from tamis.monitoring import DecisionLog, Monitor, Recorder
from tamis.monitoring.entries import DecisionEntry
from tamis.monitoring.otel import OtelMetrics, otlp_provider
from tamis.monitoring.prometheus import PrometheusMetrics
from tamis.proxy.rewriter import RewriteResult
from tamis.proxy.settings import ProxyMode, ProxySettings

log = logging.getLogger("tamis.proxy")
_CACHE: dict[str, Literal["hit", "miss"]] = {"replayed": "hit", "compacted": "miss"}
"""Whether the brief that is sent had been made before."""

_ADDED_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Counters:
    """The metrics of one proxy, apart from those of any other in the same process.

    What every way of compacting has is the monitor's (`tamis_...`); here is what only a proxy has. The
    decision log has the same decisions as the log on stderr, in the form that `tamis monitor` reads.
    """

    def __init__(self, settings: ProxySettings) -> None:
        own = self.registry = CollectorRegistry()
        self._mode: ProxyMode = settings.mode
        self._otlp = otlp_provider(settings.otlp) if settings.otlp else None
        recorders: list[Recorder] = [PrometheusMetrics(own)]
        if self._otlp is not None:
            recorders.append(OtelMetrics(self._otlp))
        self.monitor = Monitor(log=DecisionLog(settings.log) if settings.log else None, recorders=recorders)
        self.monitor.announce("proxy", settings.mode)

        def counter(name: str, says: str, *labels: str) -> Counter:
            return Counter(f"tamis_proxy_{name}", says, labels, registry=own)

        self.requests = counter("requests", "Requests, by API and what was decided", "api", "decision")
        self.answers = counter("answers", "Answers, by status", "status")
        self.recalls = counter("recalls", "Recalls answered")
        self.recalls_not_kept = counter("recalls_not_kept", "Recalls that have to be made again")
        self.refused = counter("refused", "Requests refused, by reason", "reason")
        self.cut_off = counter("cut_off", "Answers not finished, by who ended them", "by")
        self.added = Histogram(
            "tamis_proxy_added_seconds",
            "Time before a request goes upstream",
            buckets=_ADDED_BUCKETS,
            registry=own,
        )
        self.running = Gauge("tamis_proxy_running", "Requests being answered", registry=own)
        self.conversations = Gauge(
            "tamis_proxy_conversations", "Compacted conversations in memory", registry=own
        )

    def decided(self, api: str, rewritten: RewriteResult, *, added_s: float, queue: int) -> None:
        """Count and log what was decided for a request; `queue` is how many are being worked out."""
        self.requests.labels(api=api, decision=rewritten.decision).inc()
        self.added.observe(added_s)
        self.monitor.note(
            DecisionEntry(
                source="proxy",
                mode=self._mode,
                decision=rewritten.decision,
                session=rewritten.conversation,
                reason=rewritten.reason,
                trigger="tokens" if rewritten.tokens_after is not None else "",
                tokens_before=rewritten.tokens_before,
                tokens_after=rewritten.tokens_after,
                latency_ms=round(added_s * 1000, 3),
                warnings=rewritten.warnings,
                cache=_CACHE.get(rewritten.decision),
                queue=queue,
                detail=rewritten.detail,
            )
        )
        write_line(
            "decision",
            mode=self._mode,
            api=api,
            decision=rewritten.decision,
            reason=rewritten.reason,
            detail=rewritten.detail,
            conversation=rewritten.conversation,
            tokens_before=rewritten.tokens_before,
            tokens_after=rewritten.tokens_after,
            added_ms=round(added_s * 1000, 3),
        )

    def fell_back(self, reason: str) -> None:
        """Count an original that was sent after something else had been decided."""
        self.monitor.note(DecisionEntry(source="proxy", mode=self._mode, decision="fallback", reason=reason))

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)

    def close(self) -> None:
        """Wait for a quality check that runs, send what is left, let go of the log."""
        self.monitor.close()
        if self._otlp is not None:
            self._otlp.shutdown()


def write_line(event: str, **fields: Any) -> None:
    """One JSON object on the log; what is empty is left out."""
    said = {key: value for key, value in fields.items() if value not in (None, "")}
    log.info("%s", json.dumps({"event": event, "at": round(time.time(), 3), **said}))
