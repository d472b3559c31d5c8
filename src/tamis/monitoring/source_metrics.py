"""The figures of one source, worked out of its metrics: what the terminal shows, what alerts are held to."""

from collections.abc import Mapping
from dataclasses import dataclass

from tamis.monitoring.entries import REGRET_KINDS
from tamis.monitoring.tally import Tally, quantile


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
