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
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamis.compactors.importance import FEATURES, Importance, Steps, features
from tamis.errors import InputError, MissingExtra, TamisError
from tamis.evals.hindsight import needed_names
from tamis.evals.points import At, Point, find_points
from tamis.ledger.mentions import Mentions
from tamis.ledger.names import KINDS
from tamis.messages import Counter, Session
from tamis.sessions import read_all

try:
    import numpy as np
    from sklearn.linear_model import LogisticRegression
except ImportError:
    raise MissingExtra("learning needs scikit-learn; install it with: pip install 'tamis[learn]'") from None

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

POINTS = ("own", "18k", "30%", "50%", "70%")
"""Where each session is cut to learn from it."""

MIN_POINTS = 20
MIN_SESSIONS = 5
"""With fewer, the weights would say more about those sessions than about agents."""

BINS = 16
REGULARISATION = 0.1
"""scikit-learn's `C`: the inverse strength of the squared penalty on each step."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """One compaction point to learn from: a row of features per name, and whether it was needed."""

    set: str
    cluster: str
    label: str
    rows: Floats
    kinds: npt.NDArray[np.int64]
    needed: npt.NDArray[np.bool_]


def examples_of(session: Session, counter: Counter, *, set_name: str) -> Iterator[Example]:
    """The points of a session as examples; those where nothing was needed teach nothing and are left out."""
    for point in find_points(session, [At.parse(at) for at in POINTS], counter):
        if not isinstance(point, Point):
            continue
        needed = {n.name for n in needed_names(point).needs}
        if not needed:
            continue
        mentions = Mentions()
        for message in point.span:
            mentions.read(message)
        yield Example(
            set=set_name,
            cluster=f"{set_name}/{point.cluster}",
            label=point.label,
            rows=np.array([features(n, m, mentions) for n, m in mentions.names.items()], dtype=float),
            kinds=np.array([KINDS.index(m.kind) for m in mentions.names.values()]),
            needed=np.array([n in needed for n in mentions.names]),
        )


def collect(
    files: Sequence[tuple[str, Path]], counter: Counter
) -> Iterator[tuple[Path, list[Example] | str]]:
    """The examples of each file, in order, or why there are none."""
    for set_name, path in files:
        try:
            found = [
                e for session in read_all(path) for e in examples_of(session, counter, set_name=set_name)
            ]
        except TamisError as error:
            yield path, str(error)
        else:
            yield path, found or "no compaction point with a needed name"


def learn(examples: Sequence[Example]) -> Importance:
    """Learn importance from examples; the same examples give the same weights.

    Raises:
        InputError: too few points or sessions to learn from.
    """
    clusters = {e.cluster for e in examples}
    if len(examples) < MIN_POINTS or len(clusters) < MIN_SESSIONS:
        raise InputError(
            f"only {len(examples)} compaction points in {len(clusters)} sessions; learning needs "
            f"{MIN_POINTS} in {MIN_SESSIONS}: add sessions, or use the weights that ship with tamis"
        )
    rows = np.concatenate([e.rows for e in examples])
    kinds = np.concatenate([e.kinds for e in examples])
    needed = np.concatenate([e.needed for e in examples])
    weights = np.concatenate([np.full(len(e.needed), 1 / e.needed.sum()) for e in examples])
    edges = [_edges(column) for column in rows.T]
    model = LogisticRegression(C=REGULARISATION, max_iter=1_000, tol=1e-5)
    model.fit(_encode(rows, kinds, edges), needed, sample_weight=weights / weights.mean())
    return _importance(model.coef_[0], float(model.intercept_[0]), edges, _provenance(examples))


def _edges(column: Floats) -> Floats:
    """Bin edges at the quantiles of the values, each distinct value at most once."""
    quantiles = np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1], method="nearest")
    return np.unique(quantiles[quantiles > column.min()])


def _encode(rows: Floats, kinds: npt.NDArray[np.int64], edges: Sequence[Floats]) -> Any:
    """One 0/1 column per kind, then one per edge: 1 where the value has reached it."""
    reached = [column[:, None] >= e[None, :] for column, e in zip(rows.T, edges, strict=True)]
    return np.hstack([kinds[:, None] == np.arange(len(KINDS)), *reached]).astype(np.float32)


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
