"""How long it takes to append one message to a live context, as the session grows.

    python benchmarks/append_curve.py [--messages 100000] [--method ledger]

Prints one row per tenfold, and every 20,000: messages appended so far; since the row before, the milliseconds
for one append in the median, the 99th percentile, the mean (which carries the compactions) and the longest
(one compaction); the megabytes of memory at most and of what is saved to go on; the compactions so far, and
the messages kept in the archive. The time is the processor's, so that other programs on the machine do not
count. The messages are those of an agent, made up from a fixed seed: calls, results of changing length, new
names and new files in every turn.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from tamis.archive import Archive
from tamis.context import Context
from tamis.messages import Message, Text, ToolCall, ToolResult, get_counter

WINDOW, BUDGET = 100_000, 5_000


def main() -> None:
    """Append, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--method", default="ledger")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Archive.open(Path(folder) / "archive") as archive:
        context = Context(window=WINDOW, budget=BUDGET, method=options.method, archive=archive)
        print(f"method {options.method}, window {WINDOW:,}, budget {BUDGET:,}")
        print(
            f"{'messages':>9} {'median ms':>10} {'p99 ms':>8} {'mean ms':>8} {'max ms':>8} {'peak MB':>8}"
            f" {'saved MB':>9} {'compactions':>12} {'kept':>9}"
        )
        taken: list[float] = []
        rows = iter(sorted({*(10**n for n in range(2, 9)), *range(20_000, options.messages + 1, 20_000)}))
        row = next(rows)
        warnings.simplefilter("error")
        get_counter().count("a tokenizer is loaded once, by whatever is counted first")
        for n, message in enumerate(conversation(options.messages), 1):
            start = time.process_time()
            context.append(message)
            taken.append((time.process_time() - start) * 1000)
            if n == row or n == options.messages:
                print(
                    f"{n:>9,} {statistics.median(taken):>10.3f} {percentile(taken, 0.99):>8.2f}"
                    f" {statistics.fmean(taken):>8.2f} {max(taken):>8.0f} {peak_mb():>8.0f}"
                    f" {saved_mb(archive):>9.1f} {context.compactions:>12,} {archive.stats().messages:>9,}",
                    flush=True,
                )
                taken, row = [], next(rows)


def conversation(many: int) -> Iterator[Message]:
    """An agent at work, from a fixed seed."""
    rng = random.Random(7)
    yield Message(id="0", role="user", parts=(Text(text="Fix the parser. Never touch prices.csv."),))
    for n in range(1, many):
        turn = n // 2
        name = f"src/part{turn % 997}/module_{rng.randrange(5_000)}.py"
        if n % 2:
            call = ToolCall(id=f"c{turn}", name="bash", arguments={"command": f"sed -n 1,80p {name}"})
            yield Message(id=str(n), role="assistant", parts=(Text(text=f"Look at {name}."), call))
        else:
            lines = (f"    value_{rng.randrange(9_000)} = compute({i})" for i in range(rng.randrange(2, 40)))
            result = ToolResult(call_id=f"c{turn - 1}", text="\n".join(lines), exit_code=0)
            yield Message(id=str(n), role="tool", parts=(result,))


def peak_mb() -> float:
    """The most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def saved_mb(archive: Archive) -> float:
    """The size of what is saved after each compaction, to go on from there."""
    return len(json.dumps(archive.load_snapshot("context"))) / 1e6


def percentile(values: list[float], share: float) -> float:
    """The value that this share of them does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


if __name__ == "__main__":
    main()
