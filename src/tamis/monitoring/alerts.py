"""The alert rules, as Prometheus takes them (`alerts.yaml`) and as the terminal holds figures to them.

The bounds are published ones: compression is ineffective above a ratio of 0.8, takes too long above 500 ms,
and is regretted too often above 5 %; a context quality below 0.8 misses the published target.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from tamis.monitoring.tally import SourceFigures

MIN_TURNS = 20
"""With fewer, one regret more or less would decide."""

AlertStatus = Literal["firing", "quiet", "not measured"]


@dataclass(frozen=True, slots=True)
class AlertRule:
    """An alert: when it fires, in words and as a test; `value` is None where there is too little to go by."""

    name: str
    says: str
    subject: str
    bound: float
    fires_above: bool
    value: Callable[[SourceFigures], float | None]


def _measured_regret(figures: SourceFigures) -> float | None:
    return figures.regret_rate if figures.turns >= MIN_TURNS else None


RULES = (
    AlertRule("TamisCompressionIneffective", "ratio > 0.8", "ratio", 0.8, True, lambda f: f.ratio),
    AlertRule(
        "TamisCompactionSlow",
        "time, p95 > 500 ms",
        "time in ms, p95",
        500.0,
        True,
        lambda f: f.latency_ms_p95,
    ),
    AlertRule("TamisRegretHigh", "regret > 5 %", "regret", 0.05, True, _measured_regret),
    AlertRule("TamisQualityLow", "quality < 0.8", "quality", 0.8, False, lambda f: f.quality_score),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Alert:
    """What a rule says of one source's figures."""

    name: str
    rule: str
    source: str
    mode: str
    value: float | None
    verdict: AlertStatus


def judge(figures: Iterable[SourceFigures], rules: Sequence[AlertRule] = RULES) -> tuple[Alert, ...]:
    """What every rule says of every source, those that fire first."""
    alerts = [_judged(rule, one) for one in figures for rule in rules]
    order: dict[AlertStatus, int] = {"firing": 0, "quiet": 1, "not measured": 2}
    return tuple(sorted(alerts, key=lambda alert: order[alert.verdict]))


def rules_text() -> str:
    """The rules as a file that Prometheus takes."""
    return files("tamis.monitoring").joinpath("alerts.yaml").read_text(encoding="utf-8")


def dashboard_text() -> str:
    """A Grafana dashboard of the metrics, as JSON to import."""
    return files("tamis.monitoring").joinpath("dashboard.json").read_text(encoding="utf-8")


def _judged(rule: AlertRule, figures: SourceFigures) -> Alert:
    value = rule.value(figures)
    verdict: AlertStatus = "not measured"
    if value is not None:
        fires = value > rule.bound if rule.fires_above else value < rule.bound
        verdict = "firing" if fires else "quiet"
    return Alert(
        name=rule.name, rule=rule.says, source=figures.source, mode=figures.mode, value=value, verdict=verdict
    )
