"""Live regret against hindsight: the same cuts, the same compactions, one counted as it happens.

python benchmarks/live_regret.py --sessions FOLDER [--files 40] [--budget 5%] [--show 5]

Each session is cut in the middle of its tokens, compacted there by each method, and what was recorded behind
the cut is fed to a `RegretWatch` message by message. The agent that was recorded had everything: what it read
or called again it read again in any case, so those kinds are shown apart from the names, which are what
hindsight counts.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter as Count
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from tamis.compactors import CompactionRequest, get_method, parse_budget, run_compactor
from tamis.errors import TamisError
from tamis.evals import At, Hindsight, Point, find_points, needed_names, score_hindsight
from tamis.messages import Counter, count_messages, get_counter
from tamis.monitoring import LiveRegret, RegretWatch
from tamis.monitoring.entries import REGRET_KINDS
from tamis.sessions import find_sessions, read_all

METHODS = ("full", "ledger", "index", "mask", "truncate", "nothing")


@dataclass(kw_only=True)
class Sums:
    """What a method was measured to do, over all points."""

    points: int = 0
    turns: int = 0
    hindsight_turns: float = 0.0
    name_turns: int = 0
    regret_turns: int = 0
    tokens: int = 0
    refetch_tokens: int = 0
    kinds: Count[str] = field(default_factory=Count)
    per_message_ms: list[float] = field(default_factory=list)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=Path, required=True)
    parser.add_argument("--files", type=int, default=40, help="so many, spread over all")
    parser.add_argument("--budget", default="5%")
    parser.add_argument("--show", type=int, default=0, help="print so many regrets of each kind")
    given = parser.parse_args()
    counter = get_counter("o200k_base")
    sums: dict[str, Sums] = defaultdict(Sums)
    shown: Count[str] = Count()
    files = [found.path for found in find_sessions([given.sessions]) if found.format]
    for path in files[:: max(1, len(files) // given.files)]:
        for point in _points(path, counter):
            for method in METHODS:
                for regret in measure(point, method, given.budget, counter, sums[method]):
                    if method == "ledger" and shown[regret.kind] < given.show:
                        shown[regret.kind] += 1
                        print(f"  {regret.kind} ({regret.tokens} tokens): {' '.join(regret.what)[:150]}")
    _print(sums)


def measure(point: Point, method: str, budget: str, counter: Counter, sums: Sums) -> list[LiveRegret]:
    """Compact the span of a point, and watch what follows."""
    room = parse_budget(budget).resolve(point.span_tokens)
    tokens = tuple(count_messages(point.span, counter))
    request = CompactionRequest(span=point.span, budget_tokens=room, counter=counter, counts=tokens)
    made = run_compactor(get_method(method), request)
    watch = RegretWatch(counter)
    for message in (*point.system, *point.span):
        watch.append(message)
    watch.compacted(point.span, shown=[*point.system, *made.messages])
    found: list[LiveRegret] = []
    started = time.process_time()
    for message in point.tail:
        found += watch.append(message)
    sums.per_message_ms.append(1000 * (time.process_time() - started) / len(point.tail))
    score = score_hindsight(needed_names(point), made.messages, context_tokens=0, span_tokens=tokens)
    sums.points += 1
    sums.turns += watch.turns
    sums.name_turns += len({regret.turn for regret in found if regret.kind == "name"})
    sums.regret_turns += watch.regret_turns
    sums.tokens += sum(regret.tokens for regret in found if regret.kind == "name")
    sums.kinds.update(regret.kind for regret in found)
    if isinstance(score, Hindsight):
        sums.hindsight_turns += score.regret_rate * watch.turns
        sums.refetch_tokens += score.refetch_tokens
    return found


def _points(path: Path, counter: Counter) -> list[Point]:
    try:
        sessions = list(read_all(path))
    except TamisError:
        return []
    found = (p for s in sessions for p in find_points(s, [At.parse("50%")], counter))
    return [p for p in found if isinstance(p, Point)]


def _print(sums: dict[str, Sums]) -> None:
    kinds = "".join(f"{kind:>12}" for kind in REGRET_KINDS)
    print(f"{'method':<10}{'points':>7}{'turns':>7}{'hindsight':>11}{'names':>8}{'all':>8}{kinds}")
    for method, s in sums.items():
        rates = (s.hindsight_turns / s.turns, s.name_turns / s.turns, s.regret_turns / s.turns)
        counts = "".join(f"{s.kinds[kind]:>12}" for kind in REGRET_KINDS)
        print(
            f"{method:<10}{s.points:>7}{s.turns:>7}{rates[0]:>11.2%}{rates[1]:>8.2%}{rates[2]:>8.2%}{counts}"
        )
    times = [ms for s in sums.values() for ms in s.per_message_ms]
    print(f"a message takes {statistics.median(times):.2f} ms of processor time (median of the points)")


if __name__ == "__main__":
    main()
