"""Put questions to what compaction leaves: `python benchmarks/reading.py FOLDER_OF_SESSIONS`.

Per session one point, probes made from its span, and the share of them that a reader answers from each
method's context at each budget, with 95 % intervals (bootstrap over tasks). `full` and `nothing` are the ends
of the scale; `--skip full` where a small model would read each whole span for minutes. `held` is the share of
what is expected that stands in the context at all: what is held and not answered could not be found. Last
comes how far `ledger` is ahead of each other method, paired by point.

The probes are made by the ledger's own reader of sessions, so what it cannot see is not asked for. With
`--weights FOLDER`, `ledger` weighs the statements of each session by weights that never saw the half of the
tasks that the session belongs to; they are learned into the folder where it does not hold them yet
(`splits.py`). Without it the shipped weights do, which were learned from sessions of all three sets.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from splits import half_of, learn_weights

from tamis.compactors import CompactionRequest, get_method, parse_budget, run_compactor
from tamis.errors import InputError
from tamis.evals.inference.intervals import SHARE, Estimate, estimate_mean
from tamis.evals.points import At, Point, find_points
from tamis.evals.probing.exact_scorer import AnswerScore, score_answer
from tamis.evals.probing.examination import ask, score_holding
from tamis.evals.probing.leaks import REASONS
from tamis.evals.probing.passage_index import PassageIndex
from tamis.evals.probing.probe_maker import make_point_probes
from tamis.evals.probing.probes import PROBE_KINDS, Probe
from tamis.evals.probing.readers import LexicalReader, ModelReader, Reader
from tamis.messages import Message, count_messages, get_counter
from tamis.models import get_model
from tamis.sessions import read_all

SETS = {
    "SWE-agent": "sweagent-claude35-swebench-verified",
    "mini-swe-agent": "mini-swe-agent-deepseek",
    "Claude Code": "entire-claude-code",
}
METHODS = ("truncate", "mask", "index", "extractive", "ledger")
CONTROLS = ("full", "nothing")
BUDGETS = ("1.4%", "5%", "10%")
MIN_BUDGET_TOKENS = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One question put to one context. `answered` is None where it was not measured."""

    set: str
    cluster: str
    method: str
    budget: str
    tokens: int
    probe: Probe
    answered: float | None
    held: float | None
    answer: str
    reason: str


def points_of(folder: Path, *, sessions: int, at: str, largest: int) -> Iterator[Point]:
    """One point of each of so many sessions, in an order by hash; one session of a task only."""
    counter = get_counter()
    paths = sorted(
        (p for p in (folder / "raw").iterdir() if p.is_file()),
        key=lambda p: hashlib.sha256(p.name.encode()).digest(),
    )
    seen: set[str] = set()
    for path in paths:
        if len(seen) >= sessions:
            return
        if path.stat().st_size > largest:
            continue
        try:
            found = [p for s in read_all(path) for p in find_points(s, [At.parse(at)], counter)]
        except InputError as error:
            print(f"not read: {error}", file=sys.stderr)
            continue
        for point in found[:1]:
            if isinstance(point, Point) and point.cluster not in seen:
                seen.add(point.cluster)
                yield point


async def measure(
    name: str,
    point: Point,
    probes: Sequence[Probe],
    *,
    methods: Sequence[str],
    budgets: Sequence[str],
    reader: Reader,
) -> list[Row]:
    """Every probe put to every context of a point."""
    counter = get_counter()
    counts = tuple(count_messages(point.span, counter))
    rows = []
    for method in methods:
        for budget in ("",) if method in CONTROLS else budgets:
            share = "100%" if method == "full" else budget or budgets[0]
            room = max(parse_budget(share).resolve(point.span_tokens), MIN_BUDGET_TOKENS)
            request = CompactionRequest(span=point.span, budget_tokens=room, counter=counter, counts=counts)
            try:
                made = run_compactor(get_method(method), request)
            except Exception as error:  # a plug-in's call: its figure is missing, and the rest goes on
                print(f"{method} at {budget}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            if made.outcome == "unmet":
                print(f"{method} at {budget}: not met on {point.session_id}", file=sys.stderr)
                continue
            context: tuple[Message, ...] = tuple(made.messages)
            index = PassageIndex(context)
            for probe in probes:
                answer = await ask(reader, probe, context)
                score = score_answer(probe, answer)
                measured = isinstance(score, AnswerScore)
                rows.append(
                    Row(
                        set=name,
                        cluster=f"{name}/{point.cluster}",
                        method=method.partition("@")[0],
                        budget=budget,
                        tokens=made.tokens_after,
                        probe=probe,
                        answered=float(score.is_answered) if isinstance(score, AnswerScore) else None,
                        held=score_holding(probe, index),
                        answer=getattr(answer, "text", "") if measured else "",
                        reason=score.reason,
                    )
                )
    return rows


def mean(rows: Sequence[Row], what: str = "answered") -> Estimate | None:
    """The mean of what was measured."""
    measured = [(v, r.cluster) for r in rows if (v := getattr(r, what)) is not None]
    return estimate_mean([v for v, _ in measured], [c for _, c in measured], within=SHARE)


def shown(estimate: Estimate | None, *, sign: bool = False) -> str:
    """A mean with its interval, for a table."""
    if estimate is None:
        return "not measured"
    number = f"{estimate.mean:+.3f}" if sign else f"{estimate.mean:.3f}"
    return number if estimate.low is None else f"{number} [{estimate.low:.2f}, {estimate.high:.2f}]"


def print_table(title: str, rows: Sequence[Row]) -> None:
    """The shares per method and budget, and by kind; unanswerable questions stand apart."""
    real = [r for r in rows if r.probe.expected]
    kinds = [k for k in PROBE_KINDS if any(r.probe.kind == k for r in rows)]
    count = {k: len({(r.cluster, r.probe.id) for r in rows if r.probe.kind == k}) for k in kinds}
    asked = sum(n for k, n in count.items() if k != "unanswerable")
    print(f"\n### {title}: {asked} questions, {len({r.cluster for r in rows})} tasks\n")
    print("| budget | method | answered | held | " + " | ".join(f"{k} ({count[k]})" for k in kinds) + " |")
    print("|---|---|---|---|" + "---|" * len(kinds))
    for budget, method in dict.fromkeys((r.budget, r.method) for r in sorted(real, key=lambda r: _order(r))):
        these = [r for r in real if (r.budget, r.method) == (budget, method)]
        every = [r for r in rows if (r.budget, r.method) == (budget, method)]
        cells = [shown(mean([r for r in every if r.probe.kind == k])).partition(" [")[0] for k in kinds]
        held = shown(mean(these, "held")).partition(" [")[0]
        print(f"| {budget or '—'} | {method} | {shown(mean(these))} | {held} | {' | '.join(cells)} |")


def print_differences(rows: Sequence[Row]) -> None:
    """`ledger` less each other method of the same budget, over the same questions."""
    value = {(r.budget, r.method, r.cluster, r.probe.id): r.answered for r in rows if r.probe.expected}
    others: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for (budget, method, cluster, probe), answered in value.items():
        ours = value.get((budget, "ledger", cluster, probe))
        if method != "ledger" and ours is not None and answered is not None:
            others[budget, method].append((ours - answered, cluster))
    print("\n| budget | `ledger` less | share of questions |\n|---|---|---|")
    for (budget, method), pairs in others.items():
        estimate = estimate_mean([d for d, _ in pairs], [c for _, c in pairs], within=(-1, 1))
        print(f"| {budget} | {method} | {shown(estimate, sign=True)} |")


def _order(row: Row) -> tuple[int, int]:
    methods = (*CONTROLS, *METHODS)
    return ("", *BUDGETS).index(row.budget), methods.index(row.method)


def write_losses(path: Path, rows: Sequence[Row]) -> None:
    """The questions that another method of the same budget answers and `ledger` does not, one to a line."""
    ours = {(r.budget, r.cluster, r.probe.id): r for r in rows if r.method == "ledger"}
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            mine = ours.get((row.budget, row.cluster, row.probe.id))
            if mine and row.answered and mine.answered == 0:
                record = {
                    "set": row.set,
                    "task": row.cluster,
                    "budget": row.budget,
                    "kind": row.probe.kind,
                    "question": row.probe.question,
                    "expected": [e.value for e in row.probe.expected],
                    "better": row.method,
                    "its_answer": row.answer[:300],
                    "ledger_answer": mine.answer[:300],
                    "ledger_held": mine.held,
                    "reason": mine.reason,
                }
                file.write(json.dumps(record, ensure_ascii=False) + "\n")


def main() -> None:
    """Measure, and print the tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="holds the sets as folders")
    parser.add_argument("--sessions", type=int, default=20, help="sessions of each set")
    parser.add_argument("--set", choices=SETS, action="append", help="only this set; may be repeated")
    parser.add_argument("--budget", choices=BUDGETS, action="append", help="only this; may be repeated")
    parser.add_argument("--at", default="50%", help="where to cut")
    parser.add_argument("--largest", type=int, default=2_000_000, help="bytes of a session file, as it lies")
    parser.add_argument("--weights", type=Path, help="a folder of weights that never saw what they rank")
    parser.add_argument("--jobs", type=int, default=2, help="processes to learn weights with")
    parser.add_argument(
        "--model", help="a model to read, as gguf:FILE or http://...; the offline reader if not"
    )
    parser.add_argument(
        "--skip", choices=(*CONTROLS, *METHODS), action="append", default=[], help="not this; may be repeated"
    )
    parser.add_argument("--per-kind", type=int, default=6, help="probes of a kind at a point")
    parser.add_argument("--losses", type=Path, help="write what ledger loses, as JSONL")
    args = parser.parse_args()
    weights = learn_weights(args.folder, args.weights, jobs=args.jobs) if args.weights else None
    reader: Reader = ModelReader(get_model(args.model)) if args.model else LexicalReader()
    rows: list[Row] = []
    dropped = dict.fromkeys(REASONS, 0)
    for name in args.set or SETS:
        points = points_of(
            args.folder / SETS[name],
            sessions=args.sessions,
            at=args.at,
            largest=args.largest,
        )
        for point in points:
            half = half_of(f"{SETS[name]}/{point.cluster}")
            ledger = f"ledger@{weights.of_half[half]}" if weights else "ledger"
            made = make_point_probes(point, max_per_kind=args.per_kind)
            for reason, count in made.dropped.items():
                dropped[reason] += count
            rows += asyncio.run(
                measure(
                    name,
                    point,
                    made.probes,
                    methods=[
                        ledger if m == "ledger" else m for m in (*CONTROLS, *METHODS) if m not in args.skip
                    ],
                    budgets=args.budget or BUDGETS,
                    reader=reader,
                )
            )
    print(f"Reader: {reader.name}. Questions left out: {', '.join(f'{n} {r}' for r, n in dropped.items())}.")
    missing = sum(r.answered is None for r in rows)
    print(f"Answers not measured: {missing} of {len(rows)}.")
    for name in args.set or SETS:
        print_table(name, [r for r in rows if r.set == name])
    print_table("all", rows)
    print_differences(rows)
    if args.losses:
        write_losses(args.losses, rows)


if __name__ == "__main__":
    main()
