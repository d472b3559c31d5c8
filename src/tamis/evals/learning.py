"""Learning what will be needed from what was needed: hindsight as free supervision.

Every compaction point of a recorded session labels the names of its span: needed later, or not. A logistic
regression over binned features learns the odds; since each bin only adds to the sum, the result is one step
function per feature (an additive model in the sense of Hastie and Tibshirani, "Generalized Additive Models",
1986). Every point counts the same, however many names were needed at it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit

from tamis.compactors.importance import FEATURES, Importance, Steps, features, is_talk
from tamis.errors import InputError, TamisError
from tamis.evals.hindsight import RememberedNames, needed_names
from tamis.evals.points import At, Point, find_points
from tamis.evals.workers import workers
from tamis.ledger.mentions import Mentions
from tamis.ledger.names import KINDS
from tamis.messages import Counter, Message, Session
from tamis.sessions import read_all

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

POINTS = ("own", "18k", "30%", "50%", "70%")
"""Where each session is cut to learn from it."""

MIN_POINTS = 20
MIN_SESSIONS = 5
"""With fewer, the weights would say more about those sessions than about agents."""

BINS = 16
REGULARISATION = 0.01
"""The inverse strength of the squared penalty on each rise."""

MAX_STEPS = 500
TOLERANCE = 1e-6
"""The search for the best rises ends after so many steps, or when the loss falls by a smaller share."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """One compaction point to learn from: a row of features per name, and whether it was needed."""

    set: str
    cluster: str
    label: str
    rows: Floats
    kinds: npt.NDArray[np.int64]
    needed: npt.NDArray[np.bool_]
    is_talk: bool = False


def examples_of(session: Session, counter: Counter, *, set_name: str) -> Iterator[Example]:
    """The points of a session as examples; those where nothing was needed teach nothing and are left out."""
    found = find_points(session, [At.parse(at) for at in POINTS], counter)
    points = [point for point in found if isinstance(point, Point)]
    names_of = RememberedNames()
    read: tuple[Message, ...] = ()
    mentions = Mentions()
    for point in sorted(points, key=lambda p: (p.cut - len(p.span), p.cut)):
        if point.span[: len(read)] != read:
            read, mentions = (), Mentions()
        for message in point.span[len(read) :]:
            mentions.read(message)
        read = point.span
        needed = {n.name for n in needed_names(point, names_of).needs}
        if not needed:
            continue
        yield Example(
            set=set_name,
            cluster=f"{set_name}/{point.cluster}",
            label=point.label,
            rows=np.array([features(n, m, mentions) for n, m in mentions.names.items()], dtype=float),
            kinds=np.array([KINDS.index(m.kind) for m in mentions.names.values()]),
            needed=np.array([n in needed for n in mentions.names]),
            is_talk=is_talk(mentions),
        )


def collect(
    files: Sequence[tuple[str, Path]], counter: Counter, *, jobs: int = 1
) -> Iterator[tuple[Path, list[Example] | str]]:
    """The examples of each file, or why there are none: in the order of `files`, whatever the jobs.

    Args:
        files: pairs of a set's name and a session file.
        counter: what counts as a token where a point is told in tokens.
        jobs: worker processes; with 1 nothing is spawned.
    """
    paths = [path for _, path in files]
    tasks = [(set_name, path, counter) for set_name, path in files]
    if jobs == 1:
        yield from zip(paths, starmap(_examples_in, tasks), strict=True)
        return
    with workers(jobs) as pool:
        yield from zip(paths, pool.map(_examples_in, *zip(*tasks, strict=True)), strict=True)


def _examples_in(set_name: str, path: Path, counter: Counter) -> list[Example] | str:
    try:
        found = [e for s in read_all(path) for e in examples_of(s, counter, set_name=set_name)]
    except TamisError as error:
        return str(error)
    return found or "no compaction point with a needed name"


def learn(examples: Sequence[Example]) -> Importance:
    """Learn importance from examples; the same examples give the same weights.

    Talks (`is_talk`) get weights of their own where there are enough of both kinds: what is needed of a
    support chat and of work on files has little in common.

    Raises:
        InputError: too few points or sessions to learn from.
    """
    if not _are_enough(examples):
        raise InputError(
            f"only {len(examples)} compaction points in {len({e.cluster for e in examples})} sessions; "
            f"learning needs {MIN_POINTS} in {MIN_SESSIONS}: add sessions, or use the weights that ship "
            "with tamis"
        )
    talk, work = ([e for e in examples if e.is_talk is kind] for kind in (True, False))
    if not (_are_enough(talk) and _are_enough(work)):
        return _learned(examples)
    of_talk, of_work = _learned(talk), _learned(work)
    return replace(
        of_work,
        version=hashlib.sha256(f"{of_work.version}{of_talk.version}".encode()).hexdigest()[:12],
        learned_from=_provenance(examples),
        talk=of_talk,
    )


def _are_enough(examples: Sequence[Example]) -> bool:
    return len(examples) >= MIN_POINTS and len({e.cluster for e in examples}) >= MIN_SESSIONS


def _learned(examples: Sequence[Example]) -> Importance:
    rows = np.concatenate([e.rows for e in examples])
    kinds = np.concatenate([e.kinds for e in examples])
    needed = np.concatenate([e.needed for e in examples])
    weights = np.concatenate([np.full(len(e.needed), 1 / e.needed.sum()) for e in examples])
    edges = [_edges(column) for column in rows.T]
    intercept, rises = _fit(_encode(rows, kinds, edges), _stairs(edges), needed, weights / weights.mean())
    return _importance(rises, intercept, edges, _provenance(examples))


def _edges(column: Floats) -> Floats:
    """Bin edges at the quantiles of the values, each distinct value at most once."""
    quantiles = np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1], method="nearest")
    return np.unique(quantiles[quantiles > column.min()])


def _encode(rows: Floats, kinds: npt.NDArray[np.int64], edges: Sequence[Floats]) -> Any:
    """A sparse row per name with a 1 for its kind and one for the bin of each feature."""
    bins = [np.searchsorted(e, column, side="right") for column, e in zip(rows.T, edges, strict=True)]
    widths = [len(KINDS), *(len(e) + 1 for e in edges)]
    columns = np.stack([kinds, *bins], axis=1) + np.cumsum([0, *widths[:-1]])
    ones = np.ones(columns.size, dtype=np.float64)
    starts = np.arange(len(rows) + 1) * len(widths)
    return sparse.csr_array((ones, columns.ravel(), starts), shape=(len(rows), sum(widths)))


def _stairs(edges: Sequence[Floats]) -> Any:
    """What makes scores per bin of the rises from bin to bin: the rises are learned, so steps stay small."""
    return sparse.block_diag(
        [np.eye(len(KINDS)), *(np.tri(len(e) + 1, len(e), k=-1) for e in edges)], format="csr"
    )


def _fit(bins: Any, stairs: Any, needed: npt.NDArray[np.bool_], weights: Floats) -> tuple[float, Floats]:
    """Logistic regression with a squared penalty on every rise: the intercept and the rises."""

    def loss(parameters: Floats) -> tuple[float, Floats]:
        intercept, rises = parameters[0], parameters[1:]
        log_odds = bins @ (stairs @ rises) + intercept
        wrong = weights * (expit(log_odds) - needed)
        # no dot product: how BLAS divides a long one among threads depends on how busy the machine is
        value = np.sum(weights * np.logaddexp(0, np.where(needed, -log_odds, log_odds)))
        gradient = stairs.T @ (bins.T @ wrong) + rises / REGULARISATION
        return value + rises @ rises / (2 * REGULARISATION), np.concatenate([[wrong.sum()], gradient])

    start = np.zeros(1 + stairs.shape[1])
    found = minimize(
        loss, start, jac=True, method="L-BFGS-B", options={"maxiter": MAX_STEPS, "ftol": TOLERANCE}
    )
    return float(found.x[0]), found.x[1:]


def _importance(
    weights: Floats, intercept: float, edges: Sequence[Floats], learned_from: Mapping[str, Mapping[str, int]]
) -> Importance:
    steps = {}
    at = len(KINDS)
    for name, e in zip(FEATURES, edges, strict=True):
        rises = weights[at : at + len(e)]
        at += len(e)
        scores = np.concatenate([[0.0], np.cumsum(rises)])
        if len(e):
            steps[name] = Steps(
                edges=tuple(round(float(x), 6) for x in e), scores=tuple(round(float(x), 4) for x in scores)
            )
    kinds = {kind: round(float(w), 4) for kind, w in zip(KINDS, weights, strict=False)}
    content = json.dumps([intercept, kinds, [[s.edges, s.scores] for s in steps.values()]])
    return Importance(
        version=hashlib.sha256(content.encode()).hexdigest()[:12],
        learned_from=learned_from,
        intercept=round(intercept, 4),
        kinds=kinds,
        steps=steps,
    )


def _provenance(examples: Sequence[Example]) -> dict[str, dict[str, int]]:
    """What the weights come from: points, sessions and names, per set."""
    return {
        name: {
            "points": len(of_set),
            "sessions": len({e.cluster for e in of_set}),
            "names": sum(len(e.needed) for e in of_set),
            "needed": int(sum(e.needed.sum() for e in of_set)),
        }
        for name in sorted({e.set for e in examples})
        if (of_set := [e for e in examples if e.set == name])
    }
