"""The metrics, defined once: Prometheus, OpenTelemetry and the alert rules all read this table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Literal, Protocol, get_args

from tamis.monitoring import entries

RATIO_BUCKETS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SECONDS_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_WHO = ("source", "mode")


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its name as OpenTelemetry has it below `tamis.`, its unit (UCUM), its labels."""

    name: str
    kind: Literal["counter", "histogram", "gauge"]
    unit: str
    labels: tuple[str, ...]
    help: str
    buckets: tuple[float, ...] = ()

    @property
    def prometheus_name(self) -> str:
        """The name in Prometheus' text form: with the unit, and `_total` where it counts."""
        name = f"tamis_{self.name}" + ("_seconds" if self.unit == "s" else "")
        return f"{name}_total" if self.kind == "counter" else name


def _counter(name: str, unit: str, says: str, *more: str) -> Metric:
    return Metric(name, "counter", unit, (*_WHO, *more), says)


def _histogram(name: str, unit: str, says: str, buckets: tuple[float, ...]) -> Metric:
    return Metric(name, "histogram", unit, _WHO, says, buckets)


_TABLE = (
    _counter("decisions", "{decision}", "Decisions: untouched, compacted, replayed, fallback", "decision"),
    _counter("fallbacks", "{decision}", "Originals sent that ought to have been compacted", "reason"),
    _counter("tokens_before", "{token}", "Tokens of contexts that were made smaller"),
    _counter("tokens_after", "{token}", "Tokens of what stands in their place"),
    _histogram(
        "compression_ratio",
        "1",
        "Tokens after / tokens before, of each context that was made smaller",
        RATIO_BUCKETS,
    ),
    _histogram("compaction", "s", "What making a context smaller took, or trying to", SECONDS_BUCKETS),
    _counter("turns", "{turn}", "Turns of the agent after something was taken out"),
    _counter("regret_turns", "{turn}", "Those of them that needed what was taken out"),
    _counter(
        "regrets", "{event}", "Needs for what was taken out: recall, reread, rerun, asked_again, name", "kind"
    ),
    _counter("regret_tokens", "{token}", "What these needs cost", "kind"),
    _counter("cache_lookups", "{lookup}", "Look-ups of what was worked out before: hit, miss", "result"),
    Metric("queue_length", "gauge", "{item}", ("source",), "What waits to be condensed or compacted"),
    _counter("quality_checks", "{check}", "Quality checks on a sample"),
    Metric("quality_score", "gauge", "1", _WHO, "What the newest check found of what must not be missing"),
    Metric("log_lines_lost", "counter", "{line}", (), "Lines of the decision log that could not be written"),
)

METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _TABLE}


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    """One value for one metric: added to a counter, observed by a histogram, set on a gauge."""

    metric: Metric
    value: float
    labels: Mapping[str, str] = field(default_factory=dict)


class Recorder(Protocol):
    """Takes observations: `PrometheusMetrics`, `OtelMetrics`, or anybody's."""

    def record(self, observation: Observation) -> None:
        """Take one; called from several threads."""


def observations(entry: entries.LogEntry) -> Iterator[Observation]:
    """What an entry means for the metrics."""
    if isinstance(entry, entries.LostLinesEntry):
        yield _seen("log_lines_lost", entry.lines)
        return
    who = {"source": entry.source, "mode": entry.mode}
    match entry:
        case entries.DecisionEntry():
            yield from _of_decision(entry, who)
        case entries.TurnsEntry():
            yield _seen("turns", entry.turns, **who)
        case entries.RegretEntry():
            yield _seen("regrets", 1, **who, kind=entry.kind)
            yield _seen("regret_tokens", entry.tokens, **who, kind=entry.kind)
            if entry.new_turn:
                yield _seen("regret_turns", 1, **who)
        case entries.QualityEntry():
            yield _seen("quality_checks", 1, **who)
            if entry.score is not None:
                yield _seen("quality_score", entry.score, **who)


def zeros(source: entries.EntrySource, mode: entries.RunMode) -> Iterator[Observation]:
    """Nothing so far, of every counter whose labels can be told beforehand.

    Prometheus works out a rise between two values: of a counter that is first seen at 1, it sees none.
    """
    values: Mapping[str, Sequence[str]] = {
        "decision": get_args(entries.Choice),
        "kind": entries.REGRET_KINDS,
        "result": ("hit", "miss"),
    }
    for metric in METRICS.values():
        more = [label for label in metric.labels if label not in _WHO]
        if metric.kind != "counter" or not set(more) <= values.keys() or not metric.labels:
            continue
        for chosen in product(*(values[label] for label in more)):
            told = dict(zip(more, chosen, strict=True))
            yield _seen(metric.name, 0, source=source, mode=mode, **told)


def _of_decision(made: entries.DecisionEntry, who: Mapping[str, str]) -> Iterator[Observation]:
    yield _seen("decisions", 1, **who, decision=made.decision)
    if made.decision == "fallback":
        yield _seen("fallbacks", 1, **who, reason=made.reason or "unknown")
    if made.decision in ("compacted", "replayed") and made.tokens_before and made.tokens_after is not None:
        yield _seen("tokens_before", made.tokens_before, **who)
        yield _seen("tokens_after", made.tokens_after, **who)
        yield _seen("compression_ratio", made.tokens_after / made.tokens_before, **who)
    if made.decision in ("compacted", "fallback") and made.latency_ms is not None:
        yield _seen("compaction", made.latency_ms / 1000, **who)
    if made.cache is not None:
        yield _seen("cache_lookups", 1, **who, result=made.cache)
    if made.queue is not None:
        yield _seen("queue_length", made.queue, source=made.source)


def _seen(name: str, value: float, **labels: str) -> Observation:
    return Observation(metric=METRICS[name], value=value, labels=labels)
