"""The published success criteria of compression, held against trials.

A criterion is `met` or `missed` only where the whole 95 % interval lies on one side of its threshold; else
it is `open`, and more runs can settle it. So it is where too few pairs are compared for any test to show a
thing: their interval is too narrow.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tamis.ab.trial import Trial
from tamis.evals.inference.clustering import ClusterTotals, by_cluster
from tamis.evals.inference.comparison import paired_share_difference, share_interval
from tamis.evals.inference.intervals import SHARE, Interval, bootstrap_t
from tamis.memory.shadow import MAX_LATENCY_MS, MAX_REGRET_RATE, MIN_SAVINGS

MAX_SUCCESS_LOST = 0.02
MAX_MORE_ITERATIONS = 0.5
MIN_QUALITY = 0.8

LEAST_PAIRS = 6
"""Fewer cannot give a p value of 0.05: with five, the smallest is 2/2⁵."""

TrialVerdict = Literal["met", "missed", "open", "not measured"]


@dataclass(frozen=True, kw_only=True, slots=True)
class SuccessCriterion:
    """A criterion: what was to be reached, what was, its 95 % interval, over how many of what."""

    criterion: str
    threshold: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    over: str = ""
    verdict: TrialVerdict = "not measured"
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class TrialPair:
    """Two trials side by side, both of which started; differences are clustered by `name`."""

    name: str
    off: Trial
    on: Trial


def judge(pairs: Sequence[TrialPair], with_compression: Sequence[Trial]) -> tuple[SuccessCriterion, ...]:
    """All criteria as they were published; `with_compression` are all trials of that arm that started."""
    return (
        _savings(pairs),
        _success(pairs),
        _iterations(pairs),
        _latency(with_compression),
        _regret(with_compression),
        _quality(with_compression),
        SuccessCriterion(
            criterion="skill precision",
            threshold=">= 80%",
            note="needs labelled tasks; benchmarks/layered_memory.py measures it on the set that ships",
        ),
    )


def _savings(pairs: Sequence[TrialPair]) -> SuccessCriterion:
    """1 - with / without over all input tokens: a ratio of sums, whose spread comes from the pairs."""
    asked = SuccessCriterion(criterion="token savings", threshold=f">= {MIN_SAVINGS:.0%}")
    tokens = [(pair.off.input_tokens, pair.on.input_tokens) for pair in pairs]
    known = [both for both in tokens if all(both)]
    if not known:
        return replace(asked, note="no pair with the tokens of both")
    off, on = np.array(known, dtype=float).T
    return _of_pairs(asked, ClusterTotals(sums=off - on, counts=off), MIN_SAVINGS, at_least=True)


def _success(pairs: Sequence[TrialPair]) -> SuccessCriterion:
    asked = SuccessCriterion(criterion="task success rate", threshold=f">= baseline - {MAX_SUCCESS_LOST:.0%}")
    judged = [(bool(p.on.success), bool(p.off.success)) for p in pairs]
    if not judged:
        return replace(asked, note="no pair")
    value = sum(on - off for on, off in judged) / len(judged)
    within = paired_share_difference(judged)
    return _judged(asked, value, within, -MAX_SUCCESS_LOST, over=f"{len(judged)} pairs", at_least=True)


def _iterations(pairs: Sequence[TrialPair]) -> SuccessCriterion:
    asked = SuccessCriterion(criterion="iteration count", threshold=f"< baseline + {MAX_MORE_ITERATIONS:g}")
    known = [p for p in pairs if p.on.iterations is not None and p.off.iterations is not None]
    if not known:
        return replace(asked, note="no pair with the iterations of both")
    differences = [float((p.on.iterations or 0) - (p.off.iterations or 0)) for p in known]
    sample = by_cluster(differences, [p.name for p in known])
    return _of_pairs(asked, sample, MAX_MORE_ITERATIONS, at_least=False)


def _latency(trials: Sequence[Trial]) -> SuccessCriterion:
    """The 95th percentile of what a shortened request waited; there are enough of them to read it off."""
    asked = SuccessCriterion(criterion="latency p95, ms", threshold=f"< {MAX_LATENCY_MS:g}")
    waits = sorted(ms for trial in trials if trial.requests for ms in trial.requests.added_ms)
    if not waits:
        return replace(asked, note="no request was shortened")
    value = waits[min(len(waits) - 1, int(0.95 * len(waits)))]
    within = Interval(low=value, high=value)
    judged = _judged(asked, value, within, MAX_LATENCY_MS, over=f"{len(waits)} requests", at_least=False)
    return replace(judged, low=None, high=None)


def _regret(trials: Sequence[Trial]) -> SuccessCriterion:
    """Turns that needed what was gone / turns behind a compaction; the turns of one trial are one witness."""
    asked = SuccessCriterion(criterion="regret rate, of iterations", threshold=f"< {MAX_REGRET_RATE:.0%}")
    needs = [trial.needs for trial in trials if trial.needs and trial.needs.turns]
    if not needs:
        return replace(asked, note="no turn behind a compaction")
    regretted, turns = sum(need.regret_turns for need in needs), sum(need.turns for need in needs)
    within = _share_within([(need.regret_turns, need.turns) for need in needs])
    over = f"{turns} turns of {len(needs)} trials"
    return _judged(asked, regretted / turns, within, MAX_REGRET_RATE, over=over, at_least=False)


def _quality(trials: Sequence[Trial]) -> SuccessCriterion:
    """What the proxy's own checks found in the briefs of what must and what may be asked for; no judge."""
    asked = SuccessCriterion(criterion="context quality score", threshold=f">= {MIN_QUALITY:g}")
    needs = [trial.needs for trial in trials if trial.needs and trial.needs.looked_for]
    if not needs:
        return replace(asked, note="no brief was checked; a judge's score comes from tamis eval --judge")
    found, looked_for = sum(need.found for need in needs), sum(need.looked_for for need in needs)
    within = _share_within([(need.found, need.looked_for) for need in needs])
    asked = replace(asked, note="by the proxy's quality check, without a judge")
    over = f"{looked_for} questions"
    return _judged(asked, found / looked_for, within, MIN_QUALITY, over=over, at_least=True)


def _share_within(trials: Sequence[tuple[int, int]]) -> Interval | None:
    """The interval of a share (found, of how many): from the trials' spread, where they have any."""
    found, of = np.array(trials, dtype=float).T
    sample = ClusterTotals(sums=found, counts=of)
    if sample.clusters > 1 and sample.standard_error > 0:
        return bootstrap_t(sample, within=SHARE)
    return share_interval(int(found.sum()), int(of.sum()))


def _of_pairs(
    asked: SuccessCriterion, sample: ClusterTotals, bound: float, *, at_least: bool
) -> SuccessCriterion:
    """The criterion by the mean over pairs, each a cluster; open where there are too few."""
    over = f"{sample.clusters} pairs"
    made = _judged(asked, sample.mean, bootstrap_t(sample), bound, over=over, at_least=at_least)
    if sample.clusters >= LEAST_PAIRS:
        return made
    return replace(made, verdict="open", note=f"takes {LEAST_PAIRS} pairs to tell")


def _judged(
    asked: SuccessCriterion, value: float, within: Interval | None, bound: float, *, over: str, at_least: bool
) -> SuccessCriterion:
    """The criterion with its verdict: of the whole interval, not of the value."""
    if within is None:
        return replace(asked, value=value, over=over, verdict="open")
    low, high = within.low, within.high
    reaches = [end >= bound if at_least else end < bound for end in (low, high)]
    verdict: TrialVerdict = "met" if all(reaches) else "open" if any(reaches) else "missed"
    return replace(asked, value=value, low=low, high=high, over=over, verdict=verdict)
