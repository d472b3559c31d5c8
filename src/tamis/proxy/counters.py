"""What the proxy counts, in Prometheus' text form, and one structured log line for each decision.

Nothing that was said stands in either: no text, no key, no header of the agent's.
"""

from __future__ import annotations

import json
import logging
import time
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from tamis.proxy.rewriting import Rewritten

log = logging.getLogger("tamis.proxy")
_ADDED_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_RATIO_BUCKETS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class Counters:
    """The metrics of one proxy, apart from those of any other in the same process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        own = self.registry
        self.requests = Counter(
            "tamis_proxy_requests", "Requests, by API and what was decided", ["api", "decision"], registry=own
        )
        self.answers = Counter("tamis_proxy_answers", "Answers, by status", ["status"], registry=own)
        self.fallbacks = Counter(
            "tamis_proxy_fallbacks",
            "Originals sent because of a trouble of our own",
            ["reason"],
            registry=own,
        )
        self.recalls = Counter("tamis_proxy_recalls", "Recalls answered", registry=own)
        self.refused = Counter("tamis_proxy_refused", "Requests refused, by reason", ["reason"], registry=own)
        self.cut_off = Counter(
            "tamis_proxy_cut_off", "Answers not finished, by who ended them", ["by"], registry=own
        )
        self.tokens_before = Counter(
            "tamis_proxy_tokens_before", "Tokens of shortened requests", registry=own
        )
        self.tokens_after = Counter("tamis_proxy_tokens_after", "Tokens sent in their place", registry=own)
        self.ratio = Histogram(
            "tamis_proxy_ratio", "Tokens sent / tokens given", buckets=_RATIO_BUCKETS, registry=own
        )
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

    def decided(self, api: str, rewritten: Rewritten, *, added_s: float, mode: str) -> None:
        """Count and log what was decided for a request."""
        self.requests.labels(api=api, decision=rewritten.decision).inc()
        self.added.observe(added_s)
        if rewritten.decision == "fallback":
            self.fallbacks.labels(reason=rewritten.reason).inc()
        before, after = rewritten.tokens_before, rewritten.tokens_after
        if before and after is not None:
            self.tokens_before.inc(before)
            self.tokens_after.inc(after)
            self.ratio.observe(after / before)
        write_line(
            "decision",
            mode=mode,
            api=api,
            decision=rewritten.decision,
            reason=rewritten.reason,
            detail=rewritten.detail,
            conversation=rewritten.conversation,
            tokens_before=before,
            tokens_after=after,
            added_ms=round(added_s * 1000, 3),
        )

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)


def write_line(event: str, **fields: Any) -> None:
    """One JSON object on the log; what is empty is left out."""
    said = {key: value for key, value in fields.items() if value not in (None, "")}
    log.info("%s", json.dumps({"event": event, "at": round(time.time(), 3), **said}))
