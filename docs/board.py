"""Make the reference board: every method of tamis over the practice suite, read by the offline reader.

python docs/board.py              # run them all, a few minutes, and write docs/leaderboard
python docs/board.py LOG ...      # the same, with runs of other readers beside it
python docs/board.py --keep ...   # run only those of which there is no log in runs/board yet
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tamis.bench.board import score_log
from tamis.bench.methodology import TIER_FLOORS
from tamis.bench.run import BenchPlan, in_this_process, run_benchmark
from tamis.bench.run_log import read_log
from tamis.bench.standings import Segment, Standing, stand
from tamis.bench.suite import load_suite
from tamis.compactors import METHODS, get_method
from tamis.evals.probing.readers import LexicalReader
from tamis.reports.bench_site import write_site

DOCS = Path(__file__).parent
LOGS = DOCS.parent / "runs" / "board"
SITE = DOCS / "leaderboard"
PAGE = DOCS / "reference-board.md"
NOTE = "<!-- Written by docs/board.py; do not edit. -->\n\n"
SUITE = "practice"
COLUMNS = (
    "place", "method", "score", "95 %", "measured", "by cycle", "ratio", "elite", "published", "lead",
    "qualifies",
)  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Run what is to be run, and write the site and the page of the documentation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--keep", action="store_true", help="take the logs of an earlier run if there")
    parser.add_argument("logs", nargs="*", type=Path, metavar="LOG", help="runs of other readers")
    asked = parser.parse_args(arguments)
    for method in METHODS:
        if not (asked.keep and _log_of(method).exists()):
            _run(method)
    suite = load_suite(SUITE)
    logs = [*map(_log_of, METHODS), *asked.logs]
    segments = stand([score_log(read_log(path), suite) for path in logs])
    write_site(segments, SITE, force=True)
    PAGE.write_text(NOTE + _page(segments), encoding="utf-8")
    return 0


def _log_of(method: str) -> Path:
    return LOGS / f"{method}.jsonl"


def _run(method: str) -> None:
    """Run a method anew, and say how long that took."""
    path = _log_of(method)
    path.unlink(missing_ok=True)
    plan, own = BenchPlan(suite=load_suite(SUITE)), get_method(method)
    started = time.perf_counter()
    cases = run_benchmark(plan, own, LexicalReader(), path, compacts=in_this_process(own), called=method)
    number = sum(1 for _ in cases)
    sys.stdout.write(f"{method}: {number} cases in {time.perf_counter() - started:.0f} seconds\n")
    sys.stdout.flush()


def _page(segments: Sequence[Segment]) -> str:
    parts = [
        "# The reference board",
        "Every method of tamis over the practice suite of the [benchmark](explanation/bench.md).\n"
        "[The board itself](leaderboard/index.html) adds all intervals, the chart, the families, what each\n"
        "run misses and the command that makes it again; [board.json](leaderboard/board.json) has every\n"
        "figure. `make board` makes all of it anew. The lead is over the next row, paired by case; a lead\n"
        "that is *not told apart* is no more than noise.",
        *(_segment(segment) for segment in segments),
    ]
    return "\n\n".join(parts) + "\n"


def _segment(segment: Segment) -> str:
    setup = segment.setup
    rows = "\n".join(_row(standing) for standing in segment.standings)
    qualified = sum(standing.row.qualified for standing in segment.standings)
    return (
        f"## Read by {setup.reader}\n\n"
        f"{setup.suite} {setup.suite_version}, {segment.cases} cases of {segment.templates} templates, "
        f"{setup.length_tokens:,} tokens each, {setup.difficulty}, compacted {setup.cycles + 1} times to "
        f"{TIER_FLOORS[setup.tier]:g}x. Runs that qualify: {qualified}. "
        f"Answering nothing scores {segment.floor:.3f}. `measured` is the share of the answers that the "
        f"reader gave; the others are in no score.{f' **{segment.warning}.**' if segment.warning else ''}\n\n"
        f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}\n{rows}"
    )


def _row(standing: Standing) -> str:
    row, score, margin = standing.row, standing.score, standing.margin
    interval = f"{score.low:.3f} to {score.high:.3f}" if score and score.low is not None else ""
    lead = "" if margin is None else f"{margin.comparison.difference:+.3f}"
    if margin is not None and not margin.is_told_apart:
        lead += ", not told apart"
    cells = (
        str(standing.place or ""),
        f"`{row.setup.method}`" + (" (control)" if standing.is_control else ""),
        _figure(row.score.overall),
        interval,
        f"{row.score.measured / max(row.score.answers, 1):.1%}",
        " → ".join("–" if value is None else f"{value:.2f}" for value in standing.by_cycle),
        f"{row.score.ratio:,.1f}x",
        _figure(row.elite),
        _figure(row.published_score),
        lead,
        "yes" if row.qualified else f"no: {row.group}",
    )
    return f"| {' | '.join(cells)} |"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
