"""Whether the price of what a context lacks is the price that agents really paid.

`python benchmarks/read_again.py SESSIONS` looks at the places where an agent compacted itself. Its own
summary was its context there, so what it read again behind it can be counted: the first view of each file
that it had seen in the span. It prints those tokens beside what hindsight says that the summary's missing
names cost, their rank correlation, and the tokens per task of four methods in the tokens of the summary.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from hindsight import table
from scipy.stats import spearmanr
from splits import session_files

from tamis.compactors import CompactionRequest, get_method, run_compactor
from tamis.evals import At, Hindsight, NotMeasured, Point, find_points, needed_names, score_hindsight
from tamis.evals.hindsight import tokens_beside
from tamis.ledger import command_line, first_path, only_reads
from tamis.messages import Message, ToolCall, ToolResult, count_messages, get_counter
from tamis.sessions import read_all

METHODS = ("recorded", "ledger", "truncate", "nothing")
READERS = frozenset({"read", "view", "read_file", "cat", "open", "notebookread"})
COUNTER = get_counter("o200k_base")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One own compaction: what was read again, what was foretold, and what each method would have cost."""

    read_again: int
    foretold: Hindsight
    per_task: dict[str, int]


def views(messages: Sequence[Message]) -> Iterator[tuple[str, ToolResult]]:
    """Each file that was looked at, with what was seen of it."""
    results = {p.call_id: p for m in messages for p in m.parts if isinstance(p, ToolResult)}
    for message in messages:
        for part in message.parts:
            if not isinstance(part, ToolCall) or part.id not in results or not is_read(part):
                continue
            if path := first_path(part):
                yield path, results[part.id]


def is_read(call: ToolCall) -> bool:
    """Whether the call shows a file or a part of one and changes nothing."""
    command = command_line(call)
    return only_reads(command, None) if command else call.name.lower() in READERS


def read_again(point: Point) -> int:
    """The tokens of the first view behind the cut of each file that had been seen in the span."""
    seen, tokens = {path for path, _ in views(point.span)}, 0
    for path, result in views(point.tail):
        if path in seen:
            seen.remove(path)
            tokens += COUNTER.count(result.text)
    return tokens


def measure(point: Point) -> Row | None:
    """The point's figures; None where the agent used nothing of the span."""
    assert point.recorded is not None
    budget = count_messages([point.recorded], COUNTER)[0]
    tokens, beside = count_messages(point.span, COUNTER), tokens_beside(point, COUNTER)
    needs, scores = needed_names(point), {}
    for name in METHODS:
        request = CompactionRequest(
            span=point.span, budget_tokens=budget, counter=COUNTER, recorded=point.recorded
        )
        made = run_compactor(get_method(name), request)
        scores[name] = score_hindsight(
            needs,
            made.messages,
            context_tokens=made.tokens_after,
            span_tokens=tokens,
            beside_tokens=beside,
        )
    found = {name: score for name, score in scores.items() if not isinstance(score, NotMeasured)}
    if len(found) < len(METHODS):
        return None
    return Row(
        read_again=read_again(point),
        foretold=found["recorded"],
        per_task={name: score.tokens_per_task for name, score in found.items()},
    )


def main() -> None:
    """Measure every own compaction of the sessions, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sessions", type=Path)
    parser.add_argument("--set", default="entire-claude-code", help="the set to look at")
    given = parser.parse_args()
    points = (
        point
        for _, path in session_files(given.sessions, [given.set])
        for session in read_all(path)
        for point in find_points(session, [At.parse("own")], COUNTER)
    )
    rows = [row for point in points if isinstance(point, Point) and (row := measure(point))]
    pairs = [(row.read_again, row.foretold.fetched_tokens) for row in rows]
    rank = spearmanr(*zip(*pairs, strict=True))
    print(f"{len(rows)} own compactions; rank correlation {rank.statistic:.2f} (p = {rank.pvalue:.3f})\n")
    print(
        f"read again {fmean(a for a, _ in pairs):,.0f}, foretold {fmean(b for _, b in pairs):,.0f} tokens\n"
    )
    table(
        ["method", "tokens per task, mean", "cheapest of the four at"],
        [
            [
                name,
                f"{fmean(row.per_task[name] for row in rows):,.0f}",
                str(sum(min(row.per_task, key=row.per_task.__getitem__) == name for row in rows)),
            ]
            for name in METHODS
        ],
    )


if __name__ == "__main__":
    main()
