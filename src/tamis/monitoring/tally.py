"""Metrics held in memory and read back: what the terminal and the alerts are worked out from."""

from __future__ import annotations

import math
import threading
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import accumulate
from typing import Literal, get_args

from tamis.monitoring.entries import REGRET_KINDS
from tamis.monitoring.metrics import METRICS, Observation

Labels = tuple[tuple[str, str], ...]


@dataclass(kw_only=True, slots=True)
class Buckets:
    """A histogram: how many values up to each bound, and beyond the last one.

    `values` are those that were added one by one; of a scrape there are only the counts.
    """

    bounds: tuple[float, ...]
    counts: list[float] = field(default_factory=list)
    total: float = 0.0
    values: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.counts = self.counts or [0.0] * (len(self.bounds) + 1)

    @property
    def count(self) -> float:
        """How many values."""
        return sum(self.counts)

    def add(self, value: float) -> None:
        """One more value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value
        self.values.append(value)

    def merge(self, other: Buckets) -> None:
        """All values of another one with the same bounds."""
        self.counts = [one + more for one, more in zip(self.counts, other.counts, strict=True)]
        self.total += other.total
        self.values += other.values


class Tally:
    """A recorder that can be asked.

    >>> tally = Tally()
    >>> labels = {"source": "proxy", "mode": "active"}
    >>> tally.record(Observation(metric=METRICS["turns"], value=1, labels=labels))
    >>> tally.sum("turns", source="proxy"), tally.sum("turns", source="memory"), tally.sum("regrets")
    (1.0, 0.0, 0.0)
    """

    def __init__(self) -> None:
        self._values: dict[str, dict[Labels, float]] = {name: {} for name in METRICS}
        self._buckets: dict[str, dict[Labels, Buckets]] = {name: {} for name in METRICS}
        self._lock = threading.Lock()

    def record(self, observation: Observation) -> None:
        """Add to a counter, observe in a histogram, set a gauge."""
        metric, labels = observation.metric, _key(observation.labels)
        with self._lock:
            if metric.kind == "histogram":
                held = self._buckets[metric.name].setdefault(labels, Buckets(bounds=metric.buckets))
                held.add(observation.value)
            elif metric.kind == "gauge":
                self._values[metric.name][labels] = observation.value
            else:
                values = self._values[metric.name]
                values[labels] = values.get(labels, 0.0) + observation.value

    def put(self, name: str, labels: Mapping[str, str], value: float | Buckets) -> None:
        """Hold a value that was counted elsewhere, in the place of what is held."""
        with self._lock:
            if isinstance(value, Buckets):
                self._buckets[name][_key(labels)] = value
            else:
                self._values[name][_key(labels)] = value

    def sum(self, name: str, **labels: str) -> float:
        """The sum over all that have these labels."""
        return sum((value for _, value in self._matching(name, labels)), 0.0)

    def by(self, name: str, label: str, **labels: str) -> dict[str, float]:
        """The sums by the value of one label, in the order in which the values came."""
        sums: dict[str, float] = {}
        for own, value in self._matching(name, labels):
            sums[own[label]] = sums.get(own[label], 0.0) + value
        return sums

    def newest(self, name: str, **labels: str) -> float | None:
        """What a gauge was set to last; None where it never was."""
        values = [value for _, value in self._matching(name, labels)]
        return values[-1] if values else None

    def histogram(self, name: str, **labels: str) -> Buckets:
        """All values of a histogram that have these labels."""
        merged = Buckets(bounds=METRICS[name].buckets)
        with self._lock:
            held = list(self._buckets[name].items())
        for own, buckets in held:
            if labels.items() <= dict(own).items():
                merged.merge(buckets)
        return merged

    def label_values(self, *names: str) -> list[tuple[str, ...]]:
        """The different values of these labels in all metrics that have them all."""
        with self._lock:
            series: list[Iterable[Labels]] = [*self._values.values(), *self._buckets.values()]
            found = [dict(key) for held in series for key in held]
        return sorted({tuple(own[n] for n in names) for own in found if all(n in own for n in names)})

    def _matching(self, name: str, labels: Mapping[str, str]) -> Iterator[tuple[dict[str, str], float]]:
        with self._lock:
            held = list(self._values[name].items())
        for key, value in held:
            if labels.items() <= (own := dict(key)).items():
                yield own, value


def quantile(share: float, buckets: Buckets) -> float | None:
    """The value up to which a share of all lie: one of the values, the nearest rank.

    Where only the counts are known, it is worked out as Prometheus' `histogram_quantile` does: within a
    bucket the values are taken to lie evenly; beyond the last bound, it is the last bound. None where there
    are none.

    >>> held = Buckets(bounds=(1.0, 2.0), counts=[1, 1, 0])
    >>> quantile(0.5, held), quantile(1.0, held)
    (1.0, 2.0)
    """
    if not buckets.count:
        return None
    if buckets.values:
        return sorted(buckets.values)[math.ceil(share * len(buckets.values)) - 1]
    rank = share * buckets.count
    below = [0.0, *accumulate(buckets.counts)]
    at = next(i for i, upto in enumerate(below[1:]) if upto >= rank)
    if at == len(buckets.bounds):
        return buckets.bounds[-1]
    low = buckets.bounds[at - 1] if at else 0.0
    inside = buckets.counts[at]
    return low + (buckets.bounds[at] - low) * ((rank - below[at]) / inside if inside else 0.0)


def _key(labels: Mapping[str, str]) -> Labels:
    return tuple(sorted(labels.items()))


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
    decisions: Mapping[str, int]
    fallbacks: Mapping[str, int]
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


def figures_of(tally: Tally) -> tuple[SourceFigures, ...]:
    """The figures of every source and mode that there are."""
    return tuple(_figures(tally, source, mode) for source, mode in tally.label_values("source", "mode"))


def _figures(tally: Tally, source: str, mode: str) -> SourceFigures:
    who = {"source": source, "mode": mode}
    before, after = tally.sum("tokens_before", **who), tally.sum("tokens_after", **who)
    latency = tally.histogram("compaction", **who)
    turns, regret_turns = tally.sum("turns", **who), tally.sum("regret_turns", **who)
    lookups = tally.by("cache_lookups", "result", **who)
    events, tokens = tally.by("regrets", "kind", **who), tally.by("regret_tokens", "kind", **who)
    queue = tally.newest("queue_length", source=source)
    return SourceFigures(
        source=source,
        mode=mode,
        decisions=_whole(tally.by("decisions", "decision", **who)),
        fallbacks=_whole(tally.by("fallbacks", "reason", **who)),
        tokens_before=int(before),
        tokens_after=int(after),
        ratio=_share(after, before),
        ratio_p50=quantile(0.5, tally.histogram("compression_ratio", **who)),
        attempts=int(latency.count),
        latency_ms_p50=_ms(quantile(0.5, latency)),
        latency_ms_p95=_ms(quantile(0.95, latency)),
        turns=int(turns),
        regret_turns=int(regret_turns),
        regret_rate=_share(regret_turns, turns),
        regrets=tuple(
            RegretFigures(kind=kind, events=int(events[kind]), tokens=int(tokens.get(kind, 0)))
            for kind in REGRET_KINDS
            if events.get(kind)
        ),
        regret_tokens=int(sum(tokens.values())),
        cache_hits=int(lookups.get("hit", 0)),
        cache_lookups=int(sum(lookups.values())),
        cache_hit_rate=_share(lookups.get("hit", 0), sum(lookups.values())),
        queue_length=None if queue is None else int(queue),
        quality_checks=int(tally.sum("quality_checks", **who)),
        quality_score=tally.newest("quality_score", **who),
    )


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else 1000 * seconds


def _whole(counts: Mapping[str, float]) -> dict[str, int]:
    return {key: int(value) for key, value in counts.items() if value}


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
