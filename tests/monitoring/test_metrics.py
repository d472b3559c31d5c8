"""The metrics: the same table for Prometheus, OpenTelemetry and the terminal."""

from __future__ import annotations

from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from monitoring.collector import collecting
from tamis.errors import InputError
from tamis.monitoring import METRICS, Monitor, Observation
from tamis.monitoring.entries import DecisionEntry, LogEntry, QualityEntry, RegretEntry, TurnsEntry
from tamis.monitoring.otel import OtelMetrics, otlp_provider
from tamis.monitoring.prometheus import PrometheusMetrics
from tamis.monitoring.tally import figures_of

WORK: tuple[LogEntry, ...] = (
    DecisionEntry(
        source="memory",
        decision="compacted",
        tokens_before=1_000,
        tokens_after=250,
        latency_ms=40,
        cache="miss",
        queue=3,
    ),
    DecisionEntry(source="memory", decision="replayed", tokens_before=1_000, tokens_after=350, cache="hit"),
    DecisionEntry(source="memory", decision="fallback", reason="stage-failed", latency_ms=900),
    DecisionEntry(source="memory", decision="untouched", latency_ms=5_000),
    TurnsEntry(source="memory"),
    RegretEntry(source="memory", kind="name", tokens=30, turn=1, new_turn=True),
    RegretEntry(source="memory", kind="reread", tokens=70, turn=1, new_turn=False),
    TurnsEntry(source="memory"),
    QualityEntry(source="memory", runs=5, demanded=6, there=6, asked=4, found=3),
)


def noted(*recorders: Any) -> None:
    monitor = Monitor(recorders=recorders)
    monitor.announce("memory", "active")
    for entry in WORK:
        monitor.note(entry)


def test_the_figures_of_a_source() -> None:
    (figures,) = figures_of(WORK)
    assert figures.decisions == {"untouched": 1, "compacted": 1, "replayed": 1, "fallback": 1}
    assert figures.fallbacks == {"stage-failed": 1}
    assert figures.ratio == pytest.approx(0.3)
    assert figures.attempts == 2
    assert (figures.turns, figures.regret_turns, figures.regret_rate) == (2, 1, 0.5)
    assert {r.kind: r.tokens for r in figures.regrets if r.events} == {"reread": 70, "name": 30}
    assert (figures.cache_hit_rate, figures.queue_length) == (0.5, 3)
    assert figures.quality_score == pytest.approx(0.9)


def test_what_was_not_measured_is_no_zero() -> None:
    (figures,) = figures_of([TurnsEntry(source="context", turns=0)])
    assert (figures.ratio, figures.regret_rate, figures.latency_ms_p95, figures.cache_hit_rate) == (None,) * 4
    assert (figures.queue_length, figures.quality_score) == (None, None)


def test_a_counter_is_there_before_its_first_event() -> None:
    prometheus = PrometheusMetrics()
    Monitor(recorders=[prometheus]).announce("proxy", "active")
    text = prometheus.text().decode()
    assert 'tamis_regret_turns_total{mode="active",source="proxy"} 0.0' in text
    assert 'tamis_regrets_total{kind="recall",mode="active",source="proxy"} 0.0' in text


def test_two_monitors_in_a_process_stay_apart() -> None:
    one, other = PrometheusMetrics(), PrometheusMetrics()
    noted(one)
    assert b'tamis_turns_total{mode="active",source="memory"} 2.0' in one.text()
    assert b'tamis_turns_total{mode="active",source="memory"}' not in other.text()


def points_of(metrics: Any) -> dict[str, list[Any]]:
    return {
        metric.name: list(metric.data.data_points)
        for resource in metrics.resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
    }


def test_opentelemetry_has_the_same_values() -> None:
    reader, prometheus = InMemoryMetricReader(), PrometheusMetrics()
    noted(OtelMetrics(MeterProvider(metric_readers=[reader])), prometheus)
    points = points_of(reader.get_metrics_data())
    scraped = list(prometheus.registry.collect())
    for metric in METRICS.values():
        seen = points.get(f"tamis.{metric.name}", [])
        (family,) = (f for f in scraped if f.name == metric.prometheus_name.removesuffix("_total"))
        if metric.kind == "histogram":
            assert [tuple(p.explicit_bounds) for p in seen] == [metric.buckets]
            assert [p.count for p in seen] == [s.value for s in family.samples if s.name.endswith("_count")]
        else:
            values = [s.value for s in family.samples if not s.name.endswith("_created")]
            assert sum(p.value for p in seen) == pytest.approx(sum(values))
            assert all(set(p.attributes) == set(metric.labels) for p in seen)


def test_a_collector_gets_them_over_http() -> None:
    with collecting() as collector:
        provider = otlp_provider(collector.url, interval_s=3_600)
        noted(OtelMetrics(provider))
        provider.shutdown()
    assert collector.paths == ["/v1/metrics"]
    (resource,) = collector.exports[0].resource_metrics
    assert ("service.name", "tamis") in {(a.key, a.value.string_value) for a in resource.resource.attributes}
    assert collector.sums()["tamis.regret_tokens"] == 100
    assert collector.sums()["tamis.turns"] == 2


def test_a_collector_that_is_not_there_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    provider = otlp_provider("http://127.0.0.1:9", interval_s=3_600, timeout_s=0.05)
    noted(OtelMetrics(provider))
    provider.shutdown()
    assert "Failed to export" in caplog.text


def test_a_collector_that_is_no_url_is_refused() -> None:
    with pytest.raises(InputError, match="give one such as http"):
        otlp_provider("localhost:4318")


def test_a_recorder_that_fails_takes_nothing_from_the_others() -> None:
    class Broken:
        def record(self, observation: Observation) -> None:
            raise OSError("gone")

    prometheus = PrometheusMetrics()
    with pytest.warns(RuntimeWarning, match="gone"):
        noted(Broken(), prometheus)
    assert b'tamis_turns_total{mode="active",source="memory"} 2.0' in prometheus.text()
