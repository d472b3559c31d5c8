"""The alert rules and the dashboard: Prometheus takes them, and every query asks for what is exported."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tamis.monitoring import METRICS
from tamis.monitoring.entries import DecisionEntry, LogEntry, QualityEntry, RegretEntry, TurnsEntry
from tamis.monitoring.tally import MIN_CASES, RULES, dashboard_text, figures_of, judge, rules_text

_NAME = re.compile(r"\btamis[_:][a-z0-9_:]+")


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(rules_text())["groups"]
    return list(group["rules"])


def exported() -> dict[str, set[str]]:
    """Every series that Prometheus sees, with its labels."""
    series: dict[str, set[str]] = {}
    for metric in METRICS.values():
        labels, name = set(metric.labels), metric.prometheus_name
        if metric.kind == "histogram":
            series |= {f"{name}_bucket": labels | {"le"}, f"{name}_sum": labels, f"{name}_count": labels}
        else:
            series[name] = labels
    return series


def unknown_in(query: str, known: dict[str, set[str]]) -> Iterator[str]:
    """What a query asks for that is not exported: series, and labels of the series it names."""
    named = set(_NAME.findall(query))
    yield from named - known.keys()
    labels = {label for name in named & known.keys() for label in known[name]}
    asked = {label for group in re.findall(r"by \(([^)]*)\)", query) for label in re.split(r",\s*", group)}
    for inside in re.findall(r"\{([^}]*)\}", query):
        asked |= set(re.findall(r"(\w+)\s*[=!]~?", inside))
    yield from asked - labels


def test_every_rule_asks_for_what_is_exported() -> None:
    recorded = {rule["record"]: {"source", "mode"} for rule in rules() if "record" in rule}
    known = exported() | recorded
    assert [unknown for rule in rules() for unknown in unknown_in(rule["expr"], known)] == []


def test_every_panel_asks_for_what_is_exported() -> None:
    board = json.loads(dashboard_text())
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    assert len(queries) >= len(board["panels"]) > 10
    assert [unknown for query in queries for unknown in unknown_in(query, exported())] == []
    names = {name for query in queries for name in _NAME.findall(query)}
    bare = {re.sub(r"_(?:bucket|sum|count)$", "", name) for name in names}
    shown_nowhere = {m.prometheus_name for m in METRICS.values()} - bare
    assert shown_nowhere == {"tamis_quality_checks_total"}


def test_panels_do_not_lie_over_each_other() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in json.loads(dashboard_text())["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert at["x"] + at["w"] <= 24
        assert not taken & cells
        taken |= cells


def test_the_terminal_and_prometheus_hold_to_the_same_bounds() -> None:
    alerts = {rule["alert"]: rule["expr"] for rule in rules() if "alert" in rule}
    assert set(alerts) == {rule.name for rule in RULES}
    for rule in RULES:
        sign, bound = re.search(r"([<>]) ([\d.]+)$", alerts[rule.name].strip()).groups()  # type: ignore[union-attr]
        seconds = 1000 if rule.name == "TamisCompactionSlow" else 1
        assert (sign == ">", float(bound) * seconds) == (rule.fires_above, rule.bound)
    assert rules_text().count(f">= {MIN_CASES}") == 2


def test_a_latency_bound_is_the_bound_of_a_bucket() -> None:
    """Or the quantile at the bound would be a guess between two others."""
    assert 0.5 in METRICS["compaction"].buckets
    assert 0.8 in METRICS["compression_ratio"].buckets


def turns(many: int, regrets: int) -> list[LogEntry]:
    seen = [RegretEntry(source="proxy", kind="name", tokens=1, turn=n, new_turn=True) for n in range(regrets)]
    return [*(TurnsEntry(source="proxy") for _ in range(many)), *seen]


def compacted(after: int, ms: float) -> DecisionEntry:
    return DecisionEntry(
        source="proxy", decision="compacted", tokens_before=1_000, tokens_after=after, latency_ms=ms
    )


@pytest.mark.parametrize(
    ("entries", "name", "verdict"),
    [
        ([compacted(900, 10)], "TamisCompressionIneffective", "firing"),
        ([compacted(800, 10)], "TamisCompressionIneffective", "quiet"),
        ([], "TamisCompressionIneffective", "not measured"),
        ([compacted(100, 2_000)] * 20, "TamisCompactionSlow", "firing"),
        ([compacted(100, 490)] * 20, "TamisCompactionSlow", "quiet"),
        ([compacted(100, 2_000)] * 19, "TamisCompactionSlow", "not measured"),
        (turns(20, 2), "TamisRegretHigh", "firing"),
        (turns(20, 1), "TamisRegretHigh", "quiet"),
        (turns(19, 19), "TamisRegretHigh", "not measured"),
        (
            [QualityEntry(source="proxy", runs=1, demanded=10, there=7, asked=0, found=0)],
            "TamisQualityLow",
            "firing",
        ),
        (
            [QualityEntry(source="proxy", runs=1, demanded=0, there=0, asked=0, found=0)],
            "TamisQualityLow",
            "not measured",
        ),
    ],
)
def test_when_an_alert_fires(entries: list[LogEntry], name: str, verdict: str) -> None:
    figures = figures_of([*entries, TurnsEntry(source="proxy", turns=0)])
    assert {alert.name: alert.verdict for alert in judge(figures)}[name] == verdict


def test_times_of_a_log_are_times_that_stand_in_it() -> None:
    (figures,) = figures_of([compacted(900, ms) for ms in (536, 9)])
    assert (figures.latency_ms_p50, figures.latency_ms_p95) == pytest.approx((9, 536))


@pytest.fixture
def promtool() -> str:
    found = shutil.which("promtool")
    if found is None:
        pytest.skip("promtool is not installed; it comes with Prometheus")
    return found


def test_prometheus_takes_the_rules(promtool: str, tmp_path: Path) -> None:
    path = tmp_path / "alerts.yaml"
    path.write_text(rules_text())
    checked = subprocess.run([promtool, "check", "rules", path], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


RULES_TEST = """
rule_files: [alerts.yaml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {series: 'tamis_tokens_before_total{source="proxy",mode="active"}', values: '0+1000x120'}
      - {series: 'tamis_tokens_after_total{source="proxy",mode="active"}', values: '0+900x120'}
      - {series: 'tamis_turns_total{source="proxy",mode="active"}', values: '0+10x120'}
      - {series: 'tamis_regret_turns_total{source="proxy",mode="active"}', values: '0+1x120'}
      - {series: 'tamis_turns_total{source="context",mode="active"}', values: '0+10x120'}
      - {series: 'tamis_regret_turns_total{source="context",mode="active"}', values: '0x120'}
      - {series: 'tamis_turns_total{source="memory",mode="active"}', values: '0x119 10'}
      - {series: 'tamis_regret_turns_total{source="memory",mode="active"}', values: '0x119 10'}
      - {series: 'tamis_compaction_seconds_bucket{source="proxy",mode="active",le="0.5"}', values: '0x120'}
      - {series: 'tamis_compaction_seconds_bucket{source="proxy",mode="active",le="1"}', values: '0+5x120'}
      - {series: 'tamis_compaction_seconds_bucket{source="proxy",mode="active",le="+Inf"}', values: '0+5x120'}
      - {series: 'tamis_compaction_seconds_count{source="proxy",mode="active"}', values: '0+5x120'}
      - {series: 'tamis_quality_score{source="proxy",mode="active"}', values: '0.9x120'}
    promql_expr_test:
      - expr: count by (alertname, source) (ALERTS{alertstate="firing"})
        eval_time: 2h
        exp_samples:
          - {labels: '{alertname="TamisCompressionIneffective",source="proxy"}', value: 1}
          - {labels: '{alertname="TamisCompactionSlow",source="proxy"}', value: 1}
          - {labels: '{alertname="TamisRegretHigh",source="proxy"}', value: 1}
"""


def test_prometheus_fires_the_alerts_that_should_fire_and_no_other(promtool: str, tmp_path: Path) -> None:
    (tmp_path / "alerts.yaml").write_text(rules_text())
    (tmp_path / "test.yaml").write_text(RULES_TEST)
    ran = subprocess.run(
        [promtool, "test", "rules", "test.yaml"], cwd=tmp_path, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
