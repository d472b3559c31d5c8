"""How to share a brief's room between the story and the newest messages word for word.

`python benchmarks/verbatim_share.py SESSIONS --likelihood gguf:FILE` prints, share by share, the bits of the
agent's next act and statement recall, at the same points, with 95 % intervals over whole tasks. Share 0 is
`ledger` as it is, share 1 the newest messages and nothing else. In between the newest messages that fit into
their share stand whole behind a brief of all that came before them; what they leave of it goes to the brief.

`--likelihood unigram` needs no model and takes minutes. What a model said is kept in `--cache`: stopped, the
same command goes on.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path

from hindsight import table
from splits import TAUGHT_BY, cluster_of, session_files

from tamis.compactors import CompactionRequest, Compactor, get_method
from tamis.compactors.invocation import ask
from tamis.errors import ModelError, TamisError
from tamis.evals import At, Point, find_points
from tamis.evals.acting.measuring import Scene, scene_of
from tamis.evals.inference.intervals import SHARE, Estimate, estimate_mean
from tamis.evals.statements.keypoints import StatementRecall, find_key_points, score_statements
from tamis.messages import Counter, Message, count_messages, get_counter
from tamis.models.likelihood import Likelihoods
from tamis.models.likelihood_registry import get_likelihoods
from tamis.sessions import read_all

SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
STORY, VERBATIM = "ledger", "truncate"
MOST_BYTES = 4_000_000
"""Larger files take minutes to read for one point."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One share at one point; None where it was not measured."""

    share: float
    cluster: str
    point: str
    bits: float | None
    recall: float | None


async def shared(span: Sequence[Message], share: float, budget: int, counter: Counter) -> tuple[Message, ...]:
    """The newest messages whole in their share of the budget, behind a brief of those before them."""
    newest: tuple[Message, ...] = ()
    if share > 0:
        newest = await _compact(get_method(VERBATIM), span, int(share * budget), counter)
    older = span[: len(span) - len(newest)]
    left = budget - sum(count_messages(newest, counter))
    if share == 1 or not older:
        return newest
    return (*await _compact(get_method(STORY), older, left, counter), *newest)


async def _compact(
    method: Compactor, span: Sequence[Message], budget: int, counter: Counter
) -> tuple[Message, ...]:
    request = CompactionRequest(span=tuple(span), budget_tokens=budget, counter=counter)
    made = await ask(method, request)
    return () if made.outcome == "unmet" else made.messages


class Kept:
    """Bits by a model, each worked out once and written down."""

    def __init__(self, model: Likelihoods, path: Path | None) -> None:
        self._model = model
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        self._known: dict[str, float | None] = dict(map(json.loads, lines))

    async def bits(self, prefix: str, act: str) -> float | None:
        """The bits of an act; None where the model gives none."""
        key = hashlib.sha256(f"{self._model.name}\0{prefix}\0{act}".encode(errors="replace")).hexdigest()
        if key not in self._known:
            try:
                self._known[key] = (await self._model.bits(prefix, act)).bits
            except ModelError as error:
                print(f"not measured: {error}")
                self._known[key] = None
            if self._path:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, self._known[key]]) + "\n")
        return self._known[key]


async def measure(point: Point, cluster: str, budget: int, model: Kept, counter: Counter) -> list[Figure]:
    """Every share at one point; none where the agent does nothing behind it that could be read."""
    scene, sought = scene_of(point, counter), find_key_points(point)
    made = []
    for share in SHARES if isinstance(scene, Scene) else ():
        assert isinstance(scene, Scene)
        context = await shared(point.span, share, budget, counter)
        if not context:
            continue  # no whole message fits that share
        said = score_statements(sought, context)
        made.append(
            Figure(
                share=share,
                cluster=cluster,
                point=f"{point.session_id}/{point.label}",
                bits=await model.bits(scene.behind(context), scene.act),
                recall=said.recall if isinstance(said, StatementRecall) else None,
            )
        )
    return made


def points_of(
    folder: Path, sets: Sequence[str], limit: int, budget: int, counter: Counter
) -> Iterator[tuple[str, Point]]:
    """Points of many sets in turn, of which a budget really takes something out."""
    of_set = [
        sorted(
            (p for _, p in session_files(folder, [name])),
            key=lambda p: hashlib.sha256(p.name.encode()).digest(),
        )
        for name in sets
    ]
    named = [[(name, path) for path in paths] for name, paths in zip(sets, of_set, strict=True)]
    found = 0
    for one in filter(None, chain.from_iterable(zip_longest(*named))):
        name, path = one
        if found >= limit or path.stat().st_size > MOST_BYTES:
            continue
        try:
            session = next(iter(read_all(path)), None)
        except TamisError:
            continue
        for point in find_points(session, [At.parse("50%")], counter) if session else ():
            if isinstance(point, Point) and point.span_tokens > 2 * budget:
                found += 1
                yield cluster_of(session, name), point  # type: ignore[arg-type]


def print_curve(figures: Sequence[Figure]) -> None:
    """Means over the points where every share was measured, and what each share saves against share 0."""
    by_point: dict[str, dict[float, Figure]] = {}
    for figure in figures:
        by_point.setdefault(figure.point, {})[figure.share] = figure
    whole = [of for of in by_point.values() if len(of) == len(SHARES)]
    rows = []
    for share in SHARES:
        bits = [(of[share].bits, of[0.0].bits, of[share].cluster) for of in whole]
        known = [(b, first, c) for b, first, c in bits if b is not None and first is not None]
        recalls = [(of[share].recall, of[0.0].recall, of[share].cluster) for of in whole]
        told = [(r, first, c) for r, first, c in recalls if r is not None and first is not None]
        rows.append(
            [
                f"{share:.0%}",
                _shown(estimate_mean([b for b, _, _ in known], [c for *_, c in known]), 0),
                _shown(estimate_mean([first - b for b, first, _ in known], [c for *_, c in known]), 0),
                _shown(estimate_mean([r for r, _, _ in told], [c for *_, c in told], within=SHARE), 2),
                _shown(estimate_mean([r - first for r, first, _ in told], [c for *_, c in told]), 2),
                f"{len(known)} / {len(told)}",
            ]
        )
    headings = [
        "verbatim share",
        "bits",
        "saved against 0 %",
        "statement recall",
        "gained against 0 %",
        "points",
    ]
    table(headings, rows)
    print(f"{len(by_point) - len(whole)} points left out: no whole message fits one of the shares")


def _shown(estimate: Estimate | None, digits: int) -> str:
    if estimate is None:
        return "–"
    mean = f"{estimate.mean:.{digits}f}"
    if estimate.low is None or estimate.high is None:
        return mean
    return f"{mean} ({estimate.low:.{digits}f} to {estimate.high:.{digits}f})"


async def run(args: argparse.Namespace) -> None:
    """Measure point by point, and print the curve of what was measured when it ends or is stopped."""
    counter, model = get_counter(), Kept(get_likelihoods(args.likelihood), args.cache)
    figures: list[Figure] = []
    try:
        for cluster, point in points_of(
            args.sessions, args.set or TAUGHT_BY, args.limit, args.budget, counter
        ):
            figures += await measure(point, cluster, args.budget, model, counter)
    finally:
        print_curve(figures)


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sessions", type=Path)
    parser.add_argument("--likelihood", default="unigram")
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--limit", type=int, default=60, help="points at most")
    parser.add_argument("--set", action="append")
    parser.add_argument("--cache", type=Path)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background too
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
