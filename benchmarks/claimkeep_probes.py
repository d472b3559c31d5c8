"""ClaimKeep's own exam, for any method: `python benchmarks/claimkeep_probes.py SESSIONS CLAIMKEEP`.

CLAIMKEEP is a clone of github.com/rushnur88/claimkeep: its program `benchmark/natural_experiment.py` freezes
the probes from what the agent said in the span (paths, hashes, a number with its word, claims with a marker)
and says which of them a text keeps. Here it is asked about texts of tamis's methods and peers, all in the
tokens of the agent's own summary, or of `--budget` where `--at` is a share. As it treats the agent's summary,
every text is split at line ends and full stops, and a number counts where its word stands in the same piece.
Prints Markdown: the share kept, means over points with 95 % intervals, whole tasks resampled.
"""

from __future__ import annotations

import argparse
import re
import runpy
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hindsight import mean, table
from splits import cluster_of, session_files
from statements import SETS, drawn_files

from tamis.compactors import CompactionRequest, get_method, run_compactor
from tamis.compactors.budget import parse_budget
from tamis.errors import TamisError
from tamis.evals import At, Point, find_points
from tamis.messages import Text, count_messages, get_counter, message_text
from tamis.sessions import read_all

METHODS = ("full", "recorded", "ledger", "mask", "truncate", "head-tail", "claimkeep")
ALL = "all"
FEWEST = 5
"""ClaimKeep's own rule: a point with fewer probes is not measured."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """What one method's text keeps of the probes at one point, of a family or of all."""

    family: str
    method: str
    cluster: str
    probes: int
    kept: float


def figures(
    point: Point, cluster: str, theirs: dict[str, Any], *, methods: Sequence[str], budget: str
) -> Iterator[Figure]:
    """What each method's text keeps at a point; nothing where there are too few probes or no text."""
    counter = get_counter()
    at_own = point.label.startswith("own")
    if at_own and point.recorded is None:
        return
    own = count_messages([point.recorded], counter)[0] if at_own and point.recorded else None
    room = own or parse_budget(budget).resolve(point.span_tokens)
    said = [
        "\n".join(part.text for part in m.parts if isinstance(part, Text))
        for m in point.span
        if m.role == "assistant"
    ]
    probes = theirs["extract_probes"]([text for text in said if text])
    if len(probes) < FEWEST:
        return
    for method in methods:
        text = _text(point, method, room)
        if text is None:
            continue
        kept: dict[str, list[bool]] = defaultdict(list)
        for found in theirs["score_arm"](probes, text, re.split(r"[\n.]", text)):
            for family in (ALL, found["family"]):
                kept[family].append(found["verdict"] == "KEPT")
        for family, hits in kept.items():
            share = statistics.mean(hits)
            yield Figure(family=family, method=method, cluster=cluster, probes=len(hits), kept=share)


def _text(point: Point, method: str, room: int) -> str | None:
    if method == "full":
        return "\n".join(map(message_text, point.span))
    request = CompactionRequest(
        span=point.span, budget_tokens=room, counter=get_counter(), recorded=point.recorded
    )
    made = run_compactor(get_method(method), request)
    return None if made.outcome == "unmet" else "\n".join(map(message_text, made.messages))


def print_table(found: Sequence[Figure], methods: Sequence[str]) -> None:
    """Each method's share of each family; how many points, tasks and probes that is."""
    families = (ALL, *sorted({f.family for f in found} - {ALL}))
    for family in families:
        of = [f for f in found if (f.family, f.method) == (family, methods[0])]
        tasks = len({f.cluster for f in of})
        print(f"{family}: {sum(f.probes for f in of)} probes at {len(of)} points in {tasks} tasks")
    rows = []
    for method in methods:
        mine = [f for f in found if f.method == method]
        shares = (mean((f.kept, f.cluster) for f in mine if f.family == family) for family in families)
        rows.append([method, *shares, str(sum(f.family == ALL for f in mine))])
    print()
    table(["method", *families, "points"], rows)


def main() -> None:
    """Freeze, compact, score, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the folder with a folder for each set")
    parser.add_argument("clone", type=Path, help="a clone of ClaimKeep's repository")
    parser.add_argument("--method", nargs="+", default=list(METHODS), metavar="METHOD")
    parser.add_argument("--at", default="own", metavar="PLACE")
    parser.add_argument("--budget", default="5%", help="where --at is not own")
    parser.add_argument("--sets", nargs="+", default=list(SETS), metavar="SET")
    parser.add_argument(
        "--limit", type=int, metavar="N", help="measure at most N files, evenly from the sets"
    )
    options = parser.parse_args()
    theirs = runpy.run_path(str(options.clone / "benchmark" / "natural_experiment.py"))
    found: list[Figure] = []
    for name, path in drawn_files(session_files(options.folder, options.sets), options.limit):
        try:
            for session in read_all(path):
                if options.at == "own" and not session.boundaries:
                    continue
                for point in find_points(session, [At.parse(options.at)], get_counter()):
                    if isinstance(point, Point):
                        cluster = cluster_of(session, name)
                        found += figures(
                            point, cluster, theirs, methods=options.method, budget=options.budget
                        )
        except TamisError as error:
            print(f"not read: {path.name}: {error}", file=sys.stderr)
    print_table(found, options.method)


if __name__ == "__main__":
    main()
