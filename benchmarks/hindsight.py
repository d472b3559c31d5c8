"""Measure hindsight on sessions that the weights never saw: `python benchmarks/hindsight.py FOLDER`.

Prints Markdown tables: every method at every budget, cut at 18,000 tokens and at half of the session; the
same with weights from other agents only; Claude Code at its own compactions in the tokens of its own
summaries; ten compactions in a row against one. Means over points with 95 % intervals, whole tasks resampled.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, field
from pathlib import Path

from drift import Drift, measure_drift
from splits import TAUGHT_BY, Weights, cluster_of, half_of, learn_weights, session_files

from tamis.compactors import get_method
from tamis.errors import TamisError
from tamis.evals import (
    At,
    Hindsight,
    Point,
    SessionResults,
    Settings,
    evaluate_session,
    find_points,
    needed_names,
)
from tamis.evals.experiment.point_runner import OWN_BUDGET
from tamis.evals.experiment.workers import workers
from tamis.evals.inference.intervals import SHARE, estimate_mean
from tamis.messages import Session, get_counter
from tamis.sessions import read_all

METHODS = ("truncate", "mask", "extractive", "index")
OWN_METHODS = ("recorded", "mask", "index")
BUDGETS = ("1.4%", "3%", "5%", "10%")
PLACES = ("18k", "50%")
DRIFT_BUDGETS = ("5%", "10%")
DRIFT_SESSIONS = 24
"""Of each set so many sessions are compacted again and again unless told: it takes ten times as long."""

MIN_TASKS = 5
"""With fewer tasks an interval would say more than they can."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One result, without its texts. `recall` and `regret` are None where it was not measured."""

    table: str
    set: str
    method: str
    budget: str
    cluster: str
    recall: float | None
    regret: float | None
    kept: float


@dataclass(slots=True)
class Figures:
    """What a file gave."""

    results: list[Figure] = field(default_factory=list)
    drifts: list[tuple[str, str, str, Drift]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Which sessions are cut, and which are compacted again and again; an agent's own cuts always count."""

    cut: frozenset[str]
    drifting: frozenset[str]


def measure_file(set_name: str, path: Path, weights: Weights, drawn: Drawn) -> Figures:
    """All figures of those of a file's sessions that were drawn."""
    figures = Figures()
    try:
        for session in read_all(path):
            key = session_key(set_name, path, session)
            for prefix, settings in _runs(session, set_name, weights, cut=key in drawn.cut):
                made = evaluate_session(session, settings, source=str(path), set_name=set_name)
                figures.results.extend(_figures(made, prefix))
            if key in drawn.drifting:
                _measure_drift(session, set_name, weights, figures)
    except TamisError as error:
        figures.unread.append(str(error))
    return figures


def _runs(session: Session, set_name: str, weights: Weights, *, cut: bool) -> Iterator[tuple[str, Settings]]:
    """What is evaluated on a session, each with what stands before its place in the names of tables."""
    within = f"ledger@{weights.of_half[half_of(cluster_of(session, set_name))]}"
    if cut:
        yield "", Settings(methods=(*METHODS, within), budgets=BUDGETS, at=PLACES)
    if cut and set_name in weights.without:
        across = f"ledger@{weights.without[set_name]}"
        yield "across ", Settings(methods=(across,), budgets=BUDGETS, at=PLACES[:1])
    if session.boundaries:
        yield "", Settings(methods=(*OWN_METHODS, within), budgets=(OWN_BUDGET,), at=("own",))


def _figures(made: SessionResults, prefix: str) -> Iterator[Figure]:
    points = {point.key: point for point in made.points}
    for result in made.results:
        score = result.score if isinstance(result.score, Hindsight) else None
        point = points[result.point]
        yield Figure(
            table=prefix + point.label.partition(":")[0],
            set=point.set,
            method=result.method.partition("@")[0],
            budget=result.budget,
            cluster=point.cluster,
            recall=score.recall if score else None,
            regret=score.regret_rate if score else None,
            kept=result.tokens_after / result.tokens_before,
        )


def _measure_drift(session: Session, set_name: str, weights: Weights, figures: Figures) -> None:
    counter = get_counter()
    cluster = cluster_of(session, set_name)
    method = get_method(f"ledger@{weights.of_half[half_of(cluster)]}")
    for point in find_points(session, [At.parse(PLACES[0])], counter):
        if isinstance(point, Point):
            needs = needed_names(point)
            for budget in DRIFT_BUDGETS:
                drift = measure_drift(method, point, needs, budget, counter)
                if isinstance(drift, Drift):
                    figures.drifts.append((set_name, budget, cluster, drift))


def session_key(set_name: str, path: Path, session: Session) -> str:
    """What a sample is drawn by: the same sessions on every machine."""
    return hashlib.sha256(f"{set_name}/{path.name}/{session.id}".encode()).hexdigest()


def draw(files: Sequence[tuple[str, Path]], sample: int | None, drifting: int = DRIFT_SESSIONS) -> Drawn:
    """At most so many sessions of each set, by their hash: to be cut, and to be compacted again and again."""
    keys: dict[str, list[str]] = defaultdict(list)
    for set_name, path in files:
        try:
            keys[set_name].extend(session_key(set_name, path, session) for session in read_all(path))
        except TamisError:
            continue  # said when it is measured
    return Drawn(
        cut=frozenset().union(*(sorted(found)[:sample] for found in keys.values())),
        drifting=frozenset().union(*(sorted(found)[:drifting] for found in keys.values())),
    )


def mean(
    values: Iterable[tuple[float, str]], *, percent: bool = False, within: tuple[float, float] = SHARE
) -> str:
    """A mean with its interval, as it stands in a table; no interval reaches beyond what can be."""
    pairs = list(values)
    estimate = estimate_mean([value for value, _ in pairs], [cluster for _, cluster in pairs], within=within)
    if estimate is None:
        return "–"
    form = (lambda x: f"{100 * x:.1f} %") if percent else (lambda x: f"{x:.2f}")
    if estimate.low is None or estimate.high is None or estimate.clusters < MIN_TASKS:
        return form(estimate.mean)
    return f"{form(estimate.mean)} ({form(estimate.low)}–{form(estimate.high)})"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a Markdown table."""
    print("|", " | ".join(header), "|")
    print("|---" * len(header) + "|")
    for row in rows:
        print("|", " | ".join(row), "|")
    print()


class Tables:
    """The figures of all files, printed table by table."""

    def __init__(self, figures: Figures) -> None:
        self.drifts = figures.drifts
        self.cells: dict[tuple[str, str, str, str], list[Figure]] = defaultdict(list)
        for figure in figures.results:
            self.cells[figure.table, figure.set, figure.method, figure.budget].append(figure)

    def sets(self, place: str) -> list[str]:
        """The sets with a point there, those with most points first."""
        counts: dict[str, int] = defaultdict(int)
        for (table_, set_name, _, _), found in self.cells.items():
            if table_ == place:
                counts[set_name] = max(counts[set_name], len(found))
        return sorted(counts, key=lambda name: (-counts[name], name))

    def recall(self, *cell: str) -> str:
        """Recall in a cell."""
        return mean((f.recall, f.cluster) for f in self.cells[cell] if f.recall is not None)  # type: ignore[index]

    def regret(self, *cell: str) -> str:
        """Regret rate in a cell."""
        found = self.cells[cell]  # type: ignore[index]
        return mean(((f.regret, f.cluster) for f in found if f.regret is not None), percent=True)

    def counts(self, *cell: str) -> str:
        """Points and tasks that were measured in a cell, and what was not."""
        found = self.cells[cell]  # type: ignore[index]
        measured = [f for f in found if f.recall is not None]
        missing = f", {len(found) - len(measured)} not measured" if len(measured) < len(found) else ""
        return f"{len(measured)} in {len({f.cluster for f in measured})}{missing}"

    def within(self, place: str) -> None:
        """Every method at every budget, and the regret rate at the largest."""
        header = ["set", "points in tasks", "method", *BUDGETS, f"regret at {BUDGETS[-1]}"]
        table(
            header,
            [
                [
                    name if method == "ledger" else "",
                    self.counts(place, name, method, BUDGETS[-1]),
                    f"**{method}**" if method == "ledger" else method,
                    *(self.recall(place, name, method, budget) for budget in BUDGETS),
                    self.regret(place, name, method, BUDGETS[-1]),
                ]
                for name in self.sets(place)
                for method in ("ledger", *reversed(METHODS))
            ],
        )

    def across(self) -> None:
        """Weights from the other half of all sets beside weights from other sets only."""
        place = At.parse(PLACES[0])
        rows = []
        for name in self.sets(f"across {place}"):
            for where, said in ((str(place), "all sets, other half"), (f"across {place}", "other sets")):
                cells = (self.recall(where, name, "ledger", budget) for budget in BUDGETS)
                rows.append([name, said, *cells])
        table(["set", "weights from", *BUDGETS], rows)

    def own(self) -> None:
        """Where the agent compacted itself, in the tokens of its summary."""
        rows = []
        for name in self.sets("own"):
            for method in ("recorded", "mask", "index", "ledger"):
                cell = ("own", name, method, OWN_BUDGET)
                kept = mean(((f.kept, f.cluster) for f in self.cells[cell]), percent=True)
                rows.append([name, method, self.counts(*cell), self.recall(*cell), self.regret(*cell), kept])
        table(["set", "method", "points in sessions", "recall", "regret rate", "of the span kept"], rows)

    def drift(self) -> None:
        """Ten compactions in a row against one, and what stayed in place."""
        groups: dict[tuple[str, str], list[tuple[str, Drift]]] = defaultdict(list)
        for set_name, budget, cluster, drift in self.drifts:
            groups[set_name, budget].append((cluster, drift))
        rows = [
            [
                set_name,
                budget,
                str(len(found)),
                mean((d.at_once, c) for c, d in found),
                mean((d.in_a_row, c) for c, d in found),
                mean(((d.in_a_row - d.at_once, c) for c, d in found), within=(-1, 1)),
                mean(((s, c) for c, d in found for s in d.stayed), percent=True),
            ]
            for (set_name, budget), found in sorted(groups.items())
        ]
        table(
            ["set", "budget", "points", "at once", "ten in a row", "difference", "prefix that stayed"], rows
        )


def main() -> None:
    """Learn, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the folder with a folder for each set")
    parser.add_argument("--sample", type=int, metavar="N", help="measure at most N sessions of each set")
    parser.add_argument(
        "--drift", type=int, default=DRIFT_SESSIONS, metavar="N", help="compact N of each set again and again"
    )
    parser.add_argument("--sets", nargs="+", default=list(TAUGHT_BY), metavar="SET")
    parser.add_argument("--weights", type=Path, metavar="FOLDER", help="keep what is learned there")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        weights = learn_weights(options.folder, options.weights or Path(scratch), jobs=options.jobs)
        files = session_files(options.folder, options.sets)
        drawn = draw(files, options.sample, options.drift)
        figures = Figures()
        with workers(options.jobs) as pool:
            waiting = [pool.submit(measure_file, name, path, weights, drawn) for name, path in files]
            for number, done in enumerate(as_completed(waiting), 1):
                part = done.result()
                figures.results += part.results
                figures.drifts += part.drifts
                figures.unread += part.unread
                if sys.stderr.isatty():
                    print(f"\r{number} of {len(files)} files", end="", file=sys.stderr)
    for reason in figures.unread:
        print(f"not read: {reason}", file=sys.stderr)
    tables = Tables(figures)
    for place in (str(At.parse(text)) for text in PLACES):
        print(f"### Cut at {place}\n".replace("18000", "18,000 tokens"))
        tables.within(place)
    print("### Weights from other agents only, cut at 18,000 tokens\n")
    tables.across()
    print("### Where the agent compacted itself, in the tokens of its own summary\n")
    tables.own()
    print("### Ten compactions in a row, cut at 18,000 tokens\n")
    tables.drift()


if __name__ == "__main__":
    main()
