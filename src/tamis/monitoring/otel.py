"""The metrics for OpenTelemetry: into a meter provider of yours, or sent to a collector over HTTP.

Needs the extra `otel` (the SDK and its OTLP exporter over HTTP).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tamis._version import __version__
from tamis.errors import InputError, MissingExtra
from tamis.monitoring.metrics import METRICS, Metric, Observation

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter, MeterProvider
    from opentelemetry.sdk.metrics import MeterProvider as SdkMeterProvider

_NEEDED = "sending metrics by OpenTelemetry needs its SDK: pip install 'tamis[otel]'"
Write = Callable[[Observation], None]


class OtelMetrics:
    """A recorder that hands the metrics to OpenTelemetry, as `tamis.turns`, `tamis.compaction` and so on.

    The meter provider is by default the one that the program has set.

    Raises:
        MissingExtra: OpenTelemetry is not installed.
    """

    def __init__(self, provider: MeterProvider | None = None) -> None:
        try:
            from opentelemetry.metrics import get_meter_provider
        except ImportError:
            raise MissingExtra(_NEEDED) from None
        meter = (provider or get_meter_provider()).get_meter("tamis", __version__)
        self._writes = {name: _instrument(meter, metric) for name, metric in METRICS.items()}

    def record(self, observation: Observation) -> None:
        """Count, observe or set."""
        self._writes[observation.metric.name](observation)


def otlp_provider(endpoint: str, *, interval_s: float = 15.0, timeout_s: float = 3.0) -> SdkMeterProvider:
    """A meter provider that sends to a collector by OTLP over HTTP; shut it down at the end.

    Args:
        endpoint: the collector's address for metrics, such as http://127.0.0.1:4318/v1/metrics; where it has
            no path, /v1/metrics is meant.
        interval_s: so often; what is left is sent at the shut-down.
        timeout_s: give up on an export that takes longer, with all that is tried again; so long a collector
            that is not there holds up the shut-down.

    Raises:
        InputError: not a URL.
        MissingExtra: the SDK or its exporter is not installed.
    """
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"{endpoint!r} is no collector's URL; give one such as http://127.0.0.1:4318")
    if parts.path in ("", "/"):
        endpoint = f"{endpoint.rstrip('/')}/v1/metrics"
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import Resource
    except ImportError:
        raise MissingExtra(_NEEDED) from None
    exporter = OTLPMetricExporter(endpoint=endpoint, timeout=timeout_s)
    reader = PeriodicExportingMetricReader(exporter, export_interval_millis=1000 * interval_s)
    resource = Resource.create({"service.name": "tamis", "service.version": __version__})
    return MeterProvider(metric_readers=[reader], resource=resource)


def _instrument(meter: Meter, metric: Metric) -> Write:
    name = f"tamis.{metric.name}"
    if metric.kind == "counter":
        counter = meter.create_counter(name, unit=metric.unit, description=metric.help)
        return lambda seen: counter.add(seen.value, dict(seen.labels))
    if metric.kind == "gauge":
        gauge = meter.create_gauge(name, unit=metric.unit, description=metric.help)
        return lambda seen: gauge.set(seen.value, dict(seen.labels))
    histogram = meter.create_histogram(
        name, unit=metric.unit, description=metric.help, explicit_bucket_boundaries_advisory=metric.buckets
    )
    return lambda seen: histogram.record(seen.value, dict(seen.labels))
