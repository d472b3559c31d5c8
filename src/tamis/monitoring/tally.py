"""Entries of a decision log added up: what the terminal and the alerts are worked out from."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Literal, get_args

from tamis.monitoring.entries import (
    REGRET_KINDS,
    DecisionEntry,
    LogEntry,
    LostLinesEntry,
    QualityEntry,
    RegretEntry,
    TurnsEntry,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class RegretFigures:
    """The regrets of one kind: how many, and what they cost."""

    kind: str
    events: int
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceFigures:
    """What one source did in one mode. None is "not measured": there was nothing to measure it on.

    `ratio` is tokens after / before over all contexts that were made smaller, `ratio_p50` its median.
    Latencies are of compactions and of attempts. `regret_rate` is `regret_turns / turns`.
    """

    source: str
    mode: str
    decisions: dict[str, int]
    fallbacks: dict[str, int]
    tokens_before: int
    tokens_after: int
    ratio: float | None
    ratio_p50: float | None
    attempts: int
    latency_ms_p50: float | None
    latency_ms_p95: float | None
    turns: int
    regret_turns: int
    regret_rate: float | None
    regrets: tuple[RegretFigures, ...]
    regret_tokens: int
    cache_hits: int
    cache_lookups: int
    cache_hit_rate: float | None
    queue_length: int | None
    quality_checks: int
    quality_score: float | None


@dataclass(kw_only=True, slots=True)
class _Tally:
    """What the entries of one source in one mode came to so far."""

    decisions: Counter[str] = field(default_factory=Counter)
    fallbacks: Counter[str] = field(default_factory=Counter)
    lookups: Counter[str] = field(default_factory=Counter)
    regrets: Counter[str] = field(default_factory=Counter)
    regret_tokens: Counter[str] = field(default_factory=Counter)
    tokens_before: int = 0
    tokens_after: int = 0
    ratios: list[float] = field(default_factory=list)
    latencies_ms: list[float] = field(default_factory=list)
    turns: int = 0
    regret_turns: int = 0
    queue_length: int | None = None
    quality_checks: int = 0
    quality_score: float | None = None

    def add(self, entry: DecisionEntry | TurnsEntry | RegretEntry | QualityEntry) -> None:
        match entry:
            case DecisionEntry():
                self._decide(entry)
            case TurnsEntry():
                self.turns += entry.turns
            case RegretEntry():
                self.regrets[entry.kind] += 1
                self.regret_tokens[entry.kind] += entry.tokens
                self.regret_turns += entry.new_turn
            case QualityEntry():
                self.quality_checks += 1
                self.quality_score = self.quality_score if entry.score is None else entry.score

    def _decide(self, made: DecisionEntry) -> None:
        self.decisions[made.decision] += 1
        if made.decision == "fallback":
            self.fallbacks[made.reason or "unknown"] += 1
        before, after = made.tokens_before, made.tokens_after
        if made.decision in ("compacted", "replayed") and before and after is not None:
            self.tokens_before += before
            self.tokens_after += after
            self.ratios.append(after / before)
        if made.decision in ("compacted", "fallback") and made.latency_ms is not None:
            self.latencies_ms.append(made.latency_ms)
        if made.cache is not None:
            self.lookups[made.cache] += 1
        self.queue_length = self.queue_length if made.queue is None else made.queue


def figures_of(entries: Iterable[LogEntry]) -> tuple[SourceFigures, ...]:
    """The figures of every source and mode that there are."""
    tallies: dict[tuple[str, str], _Tally] = {}
    for entry in entries:
        if not isinstance(entry, LostLinesEntry):
            tallies.setdefault((entry.source, entry.mode), _Tally()).add(entry)
    return tuple(_figures(source, mode, held) for (source, mode), held in sorted(tallies.items()))


def _figures(source: str, mode: str, held: _Tally) -> SourceFigures:
    return SourceFigures(
        source=source,
        mode=mode,
        decisions=dict(held.decisions),
        fallbacks=dict(held.fallbacks),
        tokens_before=held.tokens_before,
        tokens_after=held.tokens_after,
        ratio=_share(held.tokens_after, held.tokens_before),
        ratio_p50=quantile(0.5, held.ratios),
        attempts=len(held.latencies_ms),
        latency_ms_p50=quantile(0.5, held.latencies_ms),
        latency_ms_p95=quantile(0.95, held.latencies_ms),
        turns=held.turns,
        regret_turns=held.regret_turns,
        regret_rate=_share(held.regret_turns, held.turns),
        regrets=tuple(
            RegretFigures(kind=kind, events=held.regrets[kind], tokens=held.regret_tokens[kind])
            for kind in REGRET_KINDS
            if held.regrets[kind]
        ),
        regret_tokens=held.regret_tokens.total(),
        cache_hits=held.lookups["hit"],
        cache_lookups=held.lookups.total(),
        cache_hit_rate=_share(held.lookups["hit"], held.lookups.total()),
        queue_length=held.queue_length,
        quality_checks=held.quality_checks,
        quality_score=held.quality_score,
    )


def quantile(share: float, values: Sequence[float]) -> float | None:
    """The value up to which a share of all lie (the nearest rank); None where there are none.

    >>> quantile(0.5, [9, 536]), quantile(0.95, [9, 536])
    (9, 536)
    """
    return sorted(values)[math.ceil(share * len(values)) - 1] if values else None


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


MIN_CASES = 20
"""With fewer turns one regret more or less would decide, and with fewer compactions one that was slow."""

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
    return figures.regret_rate if figures.turns >= MIN_CASES else None


def _measured_time(figures: SourceFigures) -> float | None:
    return figures.latency_ms_p95 if figures.attempts >= MIN_CASES else None


RULES = (
    AlertRule("TamisCompressionIneffective", "ratio > 0.8", "ratio", 0.8, True, lambda f: f.ratio),
    AlertRule("TamisCompactionSlow", "time, p95 > 500 ms", "time in ms, p95", 500.0, True, _measured_time),
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
    return tuple(sorted(alerts, key=lambda alert: get_args(AlertStatus).index(alert.verdict)))


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
