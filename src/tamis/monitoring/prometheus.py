"""The metrics as Prometheus scrapes them, and a scrape read back."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.parser import text_string_to_metric_families

from tamis.errors import InputError
from tamis.monitoring.metrics import METRICS, Metric, Observation
from tamis.monitoring.tally import Buckets, Tally


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


def read_metrics(text: str) -> Tally:
    """What a scrape says of the metrics of this table; others are passed over.

    Raises:
        InputError: not the text form of Prometheus, or none of these metrics in it.
    """
    try:
        families = {family.name: family for family in text_string_to_metric_families(text)}
    except ValueError:
        raise InputError("what came is not in Prometheus' text form; give the URL of /metrics") from None
    tally = Tally()
    known = {name: metric.prometheus_name.removesuffix("_total") for name, metric in METRICS.items()}
    if not any(name in families for name in known.values()):
        raise InputError(
            "none of tamis's metrics is there; give the URL of a tamis proxy, or of a program "
            "that exports PrometheusMetrics"
        )
    for name, written in known.items():
        if written in families:
            _put(tally, METRICS[name], families[written])
    return tally


def _put(tally: Tally, metric: Metric, family: Family) -> None:
    upto: dict[tuple[tuple[str, str], ...], list[tuple[float, float]]] = {}
    for sample in family.samples:
        labels = {key: value for key, value in sample.labels.items() if key in metric.labels}
        if metric.kind != "histogram":
            if not sample.name.endswith("_created"):
                tally.put(metric.name, labels, sample.value)
        elif sample.name.endswith("_bucket"):
            bound = float(sample.labels["le"])
            upto.setdefault(tuple(sorted(labels.items())), []).append((bound, sample.value))
    for key, cumulative in upto.items():
        values = [value for _, value in sorted(cumulative)]
        counts = [value - before for before, value in zip([0.0, *values], values, strict=False)]
        bounds = tuple(bound for bound, _ in sorted(cumulative))[:-1]
        if bounds == metric.buckets:
            tally.put(metric.name, dict(key), Buckets(bounds=bounds, counts=counts))
