"""The metrics as Prometheus scrapes them."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from tamis.monitoring.metrics import METRICS, Metric, Observation


class PrometheusMetrics:
    """A recorder with a registry of its own, so that two monitors stay apart, or in one that is given.

    >>> metrics = PrometheusMetrics()
    >>> labels = {"source": "context", "mode": "active"}
    >>> metrics.record(Observation(metric=METRICS["turns"], value=2, labels=labels))
    >>> [line for line in metrics.text().decode().splitlines() if line.startswith("tamis_turns_total")]
    ['tamis_turns_total{mode="active",source="context"} 2.0']
    """

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry if registry is not None else CollectorRegistry()
        self._held = {name: self._registered(metric) for name, metric in METRICS.items()}

    def record(self, observation: Observation) -> None:
        """Count, observe or set."""
        held = self._held[observation.metric.name]
        labelled = held.labels(**observation.labels) if observation.metric.labels else held
        if isinstance(labelled, Histogram):
            labelled.observe(observation.value)
        elif isinstance(labelled, Counter):
            labelled.inc(observation.value)
        else:
            labelled.set(observation.value)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)

    def _registered(self, metric: Metric) -> Counter | Gauge | Histogram:
        name = metric.prometheus_name
        if metric.kind == "histogram":
            return Histogram(name, metric.help, metric.labels, buckets=metric.buckets, registry=self.registry)
        made = Counter if metric.kind == "counter" else Gauge
        return made(name, metric.help, metric.labels, registry=self.registry)
