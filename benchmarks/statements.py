"""Measure statement recall without a model: `python benchmarks/statements.py SESSIONS`.

Prints Markdown: the share of key points (later recaps of what the span says) that one place of the compacted
text says, for every method, peer and control arm, at each budget; the same set by set; and the agent's own
summaries at its own compactions, in the same tokens. Weights that are learned never saw what they are
measured on. Means over points with 95 % intervals, whole tasks resampled.

A quick look at one method: `--method ledger --limit 40 --shipped --json`. Agreement with an exam that was
held: `--exam EXAM OUT`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import cast

from control_arms import CONTROLS
from exam_agreement import print_agreement
from hindsight import mean, session_key, table
from splits import Weights, cluster_of, half_of, learn_weights, session_files

import tamis.evals.statements
from tamis.compactors import CompactionRequest, get_method, run_compactor
from tamis.compactors.budget import parse_budget
from tamis.errors import TamisError
from tamis.evals import At, Point, find_points
from tamis.evals.experiment.workers import workers
from tamis.evals.statements.keypoints import COVERED, KeyPoints, PlaceCache, coverages, find_key_points
from tamis.evals.statements.places import texts_said
from tamis.messages import Message, count_messages, get_counter
from tamis.sessions import read_all

SETS = (
    "entire-claude-code",
    "specstory-claude-code",
    "claude-code-agentv",
    "codex-agentv",
    "copilot-cli-agentv",
    "pi-coding-agent",
    "roo-code",
    "aider-chat-history",
    "openhands-codeact-swebench",
    "sweagent-claude35-swebench-verified",
    "mini-swe-agent-deepseek",
)
PEERS = ("langchain-trim", "inspect-trim", "inspect-edit", "pydantic-ai-clear", "pydantic-ai-window")
METHODS = ("ledger", "mask", "extractive", "head-tail", "truncate", "index", *PEERS)
BOUNDS = ("full", "nothing")
BUDGETS = ("2%", "5%", "10%")
PLACES = ("50%", "75%")
RECORDED = "recorded"
LEARNED = "ledger"
SEEDS = 3

FILE_SESSIONS = 5
"""Of a file that holds many sessions, so many are measured where only some files are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One text at one point. `recall` and `coverage` are None where no key point could be found."""

    place: str
    set: str
    method: str
    budget: str
    cluster: str
    points: int
    recall: float | None
    coverage: float | None


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is measured; of a file with many sessions at most `sessions_each`, drawn by their hash."""

    methods: tuple[str, ...]
    budgets: tuple[str, ...]
    places: tuple[str, ...]
    weights: Weights | None
    sessions_each: int | None
    cache: Path | None


@dataclass(slots=True)
class Measured:
    """What a file gave."""

    figures: list[Figure]
    unread: list[str]
    failed: list[str]


def measure_file(set_name: str, path: Path, plan: Plan) -> Measured:
    """All figures of those of a file's sessions that were drawn."""
    made = Measured([], [], [])
    try:
        found = _kept_points(set_name, path, plan)
    except TamisError as error:
        made.unread.append(str(error))
        return made
    for cluster, point, sought in found:
        weights = str(plan.weights.of_half[half_of(cluster)]) if plan.weights else None
        blank = Figure(
            place=point.label.partition(":")[0],
            set=set_name,
            method="",
            budget="",
            cluster=cluster,
            points=len(sought.points),
            recall=None,
            coverage=None,
        )
        made.figures.extend(_at_point(point, sought, plan, blank, weights, made.failed))
    return made


Found = list[tuple[str, Point, KeyPoints]]


def _kept_points(set_name: str, path: Path, plan: Plan) -> Found:
    """The points of a file with their key points, from the cache where they lie there."""
    if plan.cache is None:
        return list(_find(set_name, path, plan))
    said = f"{set_name}/{path.name}/{plan.places}/{plan.sessions_each}/{_code_version()}"
    kept = plan.cache / f"{hashlib.sha256(said.encode()).hexdigest()[:24]}.pickle"
    if kept.exists():
        with suppress(AttributeError, ImportError):  # of a program whose classes had other names
            return cast(Found, pickle.loads(kept.read_bytes()))
    found = list(_find(set_name, path, plan))
    plan.cache.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(found))
    return found


@cache
def _code_version() -> str:
    """Changes with what decides which key points there are."""
    folder = Path(tamis.evals.statements.__file__).parent
    sources = b"".join(path.read_bytes() for path in sorted(folder.glob("*.py")))
    return hashlib.sha256(sources).hexdigest()


def _find(set_name: str, path: Path, plan: Plan) -> Iterator[tuple[str, Point, KeyPoints]]:
    sessions = sorted(read_all(path), key=lambda session: session_key(set_name, path, session))
    for session in sessions[: plan.sessions_each]:
        at = [At.parse(place) for place in plan.places if place != "own" or session.boundaries]
        read = PlaceCache()
        for point in find_points(session, at, get_counter()):
            if isinstance(point, Point):
                yield cluster_of(session, set_name), point, find_key_points(point, places_of=read)


def _at_point(
    point: Point, sought: KeyPoints, plan: Plan, blank: Figure, weights: str | None, failed: list[str]
) -> Iterator[Figure]:
    """Every arm at every budget at one point."""
    counter = get_counter()
    if blank.place == "own":
        if point.recorded is None:
            return
        budgets = {"own": count_messages([point.recorded], counter)[0]}
    else:
        budgets = {b: parse_budget(b).resolve(point.span_tokens) for b in plan.budgets}
    if not sought.points:
        yield from (replace(blank, method=m, budget=b) for b in budgets for m in plan.methods)
        return
    for budget, room in budgets.items():
        for method in plan.methods:
            try:
                drawn = _texts(point, method, room, weights)
            except Exception as error:  # another's method: what it raises is its failure, and the run goes on
                failed.append(f"{method}: {type(error).__name__}: {error}")
                drawn = None
            if drawn is None:
                yield replace(blank, method=method, budget=budget)
                continue
            shares = [coverages(sought.points, texts) for texts in drawn]
            yield replace(
                blank,
                method=method,
                budget=budget,
                recall=statistics.mean(s >= COVERED for draw_ in shares for s in draw_),
                coverage=statistics.mean(s for draw_ in shares for s in draw_),
            )


def _texts(point: Point, method: str, room: int, weights: str | None) -> list[list[str]] | None:
    """The texts of an arm, several where it draws; None where it gives none in this budget."""
    counter = get_counter()
    if method == "full":
        return [_said(point.span)]
    if method == "nothing":
        return [[]]
    if method == RECORDED:
        return [_said([point.recorded])] if point.recorded else None
    if control := CONTROLS.get(method):
        return [[control(point.span, room, counter, seed)] for seed in range(SEEDS)]
    name = f"{method}@{weights}" if method == LEARNED and weights else method
    request = CompactionRequest(span=point.span, budget_tokens=room, counter=counter, recorded=point.recorded)
    made = run_compactor(get_method(name), request)
    return None if made.outcome == "unmet" else [_said(made.messages)]


def _said(messages: Sequence[Message]) -> list[str]:
    return [text for message in messages for text in texts_said(message)]


def print_tables(figures: Sequence[Figure], plan: Plan) -> None:
    """The tables of a run."""
    cells: dict[tuple[str, str, str, str], list[Figure]] = defaultdict(list)
    for figure in figures:
        cells[figure.place, figure.set, figure.method, figure.budget].append(figure)
        cells[figure.place, "all", figure.method, figure.budget].append(figure)
    for place in plan.places:
        budgets = ("own",) if place == "own" else plan.budgets
        sets = sorted({f.set for f in figures if f.place == place and f.points})
        if not sets:
            continue
        print(f"### Statement recall, cut at {place}\n")
        print(_counts([f for f in figures if f.place == place and f.method == plan.methods[0]], budgets[0]))
        methods = [m for m in plan.methods if any(cells[place, "all", m, b] for b in budgets)]
        best = budgets[min(1, len(budgets) - 1)]
        methods.sort(key=lambda m: -_plain(cells[place, "all", m, best]))
        table(
            ["method", *budgets, f"coverage at {best}", "points"],
            [
                [
                    m,
                    *(_recall(cells[place, "all", m, b]) for b in budgets),
                    mean(
                        (f.coverage, f.cluster)
                        for f in cells[place, "all", m, best]
                        if f.coverage is not None
                    ),
                    str(sum(f.recall is not None for f in cells[place, "all", m, best])),
                ]
                for m in methods
            ],
        )
        if len(sets) > 1:
            print(f"#### By set, at {best}\n")
            table(
                ["set", *methods], [[s, *(_recall(cells[place, s, m, best]) for m in methods)] for s in sets]
            )


def _counts(found: Sequence[Figure], budget: str) -> str:
    at = [f for f in found if f.budget == budget]
    measured = [f for f in at if f.points]
    return (
        f"{sum(f.points for f in measured)} key points at {len(measured)} points in "
        f"{len({f.cluster for f in measured})} tasks; not measured at {len(at) - len(measured)} points "
        "without a recap that the span explains.\n"
    )


def _plain(found: Iterable[Figure]) -> float:
    values = [f.recall for f in found if f.recall is not None]
    return statistics.mean(values) if values else -1.0


def _recall(found: Iterable[Figure]) -> str:
    return mean((f.recall, f.cluster) for f in found if f.recall is not None)


def main() -> None:
    """Learn, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", help="the folder with a folder for each set")
    parser.add_argument(
        "--method", nargs="+", metavar="METHOD", help="only these; more by any name tamis takes"
    )
    parser.add_argument("--budget", nargs="+", default=list(BUDGETS), metavar="BUDGET")
    parser.add_argument("--at", nargs="+", default=[*PLACES, "own"], metavar="PLACE")
    parser.add_argument("--sets", nargs="+", default=list(SETS), metavar="SET")
    parser.add_argument(
        "--limit", type=int, metavar="N", help="measure at most N files, evenly from the sets"
    )
    parser.add_argument("--shipped", action="store_true", help="weights as they ship, learned here too")
    parser.add_argument("--weights", type=Path, metavar="FOLDER", help="keep what is learned there")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep the key points found there")
    parser.add_argument("--json", action="store_true", help="print every figure as a line of JSON instead")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--exam", nargs=2, type=Path, metavar=("EXAM", "OUT"), help="agreement with an exam")
    options = parser.parse_args()
    if options.exam:
        print_agreement(*options.exam)
    if options.folder is None:
        return
    with tempfile.TemporaryDirectory() as scratch:
        methods = tuple(options.method or (*BOUNDS, RECORDED, *METHODS, *CONTROLS))
        learned = LEARNED in methods and not options.shipped
        into = options.weights or Path(scratch)
        files = drawn_files(session_files(options.folder, options.sets), options.limit)
        plan = Plan(
            methods=methods,
            budgets=tuple(options.budget),
            places=tuple(options.at),
            weights=learn_weights(options.folder, into, jobs=options.jobs) if learned else None,
            cache=options.cache,
            sessions_each=FILE_SESSIONS if options.limit else None,
        )
        made = _measure(files, plan, options.jobs)
    for reason in dict.fromkeys([*made.failed, *(f"not read: {reason}" for reason in made.unread)]):
        print(reason, file=sys.stderr)
    if options.json:
        for figure in made.figures:
            print(json.dumps(asdict(figure)))
    else:
        print_tables(made.figures, plan)


def drawn_files(files: Sequence[tuple[str, Path]], limit: int | None) -> list[tuple[str, Path]]:
    """At most so many files, evenly from the sets, by the hash of their names: the same on every machine."""
    if limit is None:
        return list(files)
    by_set: dict[str, list[tuple[str, Path]]] = defaultdict(list)
    for file in sorted(files, key=_file_key):
        by_set[file[0]].append(file)
    rounds = zip_longest(*(by_set[name] for name in dict.fromkeys(name for name, _ in files)))
    return [file for one_round in rounds for file in one_round if file is not None][:limit]


def _file_key(file: tuple[str, Path]) -> str:
    return hashlib.sha256(f"{file[0]}/{file[1].name}".encode()).hexdigest()


def _measure(files: Sequence[tuple[str, Path]], plan: Plan, jobs: int) -> Measured:
    made = Measured([], [], [])
    with workers(jobs) as pool:
        waiting = {pool.submit(measure_file, name, path, plan): i for i, (name, path) in enumerate(files)}
        parts: dict[int, Measured] = {}
        for number, done in enumerate(as_completed(waiting), 1):
            parts[waiting[done]] = done.result()
            if sys.stderr.isatty():
                print(f"\r{number} of {len(files)} files", end="", file=sys.stderr)
    for _, part in sorted(parts.items()):  # in the order of the files, so that intervals are the same
        made.figures += part.figures
        made.unread += part.unread
        made.failed += part.failed
    return made


if __name__ == "__main__":
    main()
