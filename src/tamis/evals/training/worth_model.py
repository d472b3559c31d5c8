"""The model of worth: a logistic regression over kinds, flags and binned numbers.

Since each bin only adds to the sum, the result is one step function per number (an additive model in the
sense of Hastie and Tibshirani, "Generalized Additive Models", 1986). Every compaction point counts the same,
however many statements stand before it.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit

from tamis.compactors.brief.choice.signals import FLAGS, NUMBERS
from tamis.compactors.brief.choice.steps import Steps
from tamis.compactors.brief.choice.worth import Worth, worth_to_json
from tamis.compactors.brief.reading.statement import KINDS
from tamis.errors import InputError
from tamis.evals.training.examples import DIGITS, Bools, Example, Floats

MIN_POINTS = 20
MIN_SESSIONS = 5
"""With fewer, the weights would say more about those sessions than about agents."""

BINS = 12
REGULARISATION = 0.01  # the inverse strength of the squared penalty on each weight and each rise
MAX_STEPS = 500
TOLERANCE = 1e-6
"""The search for the best rises ends after so many steps, or when the loss falls by a smaller share."""

HALVES = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """The statements of all examples, one below the other."""

    kinds: npt.NDArray[np.int64]
    flags: Bools
    numbers: Floats
    needed: Bools
    weights: Floats

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Self:
        """Each example's rows weigh the same together."""
        weights = np.concatenate([np.full(len(e.needed), 1 / len(e.needed)) for e in examples])
        return cls(
            kinds=np.concatenate([e.kinds for e in examples]),
            flags=np.concatenate([e.flags for e in examples]),
            numbers=np.concatenate([e.numbers for e in examples]),
            needed=np.concatenate([e.needed for e in examples]),
            weights=weights / weights.mean(),
        )


def learn(examples: Sequence[Example]) -> Worth:
    """Learn the worth of statements from examples; the same examples give the same weights.

    Raises:
        InputError: too few points or sessions to learn from.
    """
    if not _are_enough(examples):
        raise InputError(
            f"only {len(examples)} compaction points in {len({e.cluster for e in examples})} sessions; "
            f"learning needs {MIN_POINTS} in {MIN_SESSIONS}: add sessions, or use the weights that ship "
            "with tamis"
        )
    rows = Rows.of(examples)
    edges = [_edges(column) for column in rows.numbers.T]
    intercept, rises = _fit(_encode(rows, edges), _stairs(edges), rows.needed, rows.weights)
    made = _worth(intercept, rises, edges, rows, _provenance(examples))
    return replace(made, version=hashlib.sha256(worth_to_json(made).encode()).hexdigest()[:12])


def log_odds(worth: Worth, example: Example) -> Floats:
    """What `worth` says of each statement of an example: the log-odds of its chance to be needed."""
    odds = np.full(len(example.needed), worth.intercept)
    odds += np.array([worth.kinds.get(kind, 0.0) for kind in KINDS])[example.kinds]
    for flag, column in zip(FLAGS, example.flags.T, strict=True):
        odds += np.where(column, worth.flags.get(flag, 0.0), 0.0)
    for name, column in zip(NUMBERS, example.numbers.T, strict=True):
        if steps := worth.steps.get(name):
            odds += np.array(steps.scores)[np.searchsorted(steps.edges, column, side="right")]
    return odds


def half_of(cluster: str) -> int:
    """The half of a task by its hash, so that several tries at a task never stand on both sides."""
    return hashlib.sha256(cluster.encode()).digest()[0] % HALVES


def held_out_auc(examples: Sequence[Example]) -> float | None:
    """How well weights tell what was needed in sessions that they were not learned from.

    The mean over points of the area under the ROC curve: the share of pairs of a needed and another
    statement in which the needed one scores higher. Each half of the tasks is judged by weights that were
    learned on the other; None where a half is too small to learn from.
    """
    areas = []
    for half in range(HALVES):
        taught = [e for e in examples if half_of(e.cluster) != half]
        if not _are_enough(taught):
            return None
        worth = learn(taught)
        held_out = [e for e in examples if half_of(e.cluster) == half and not e.needed.all()]
        areas += [auc(log_odds(worth, e), e.needed) for e in held_out]
    return float(np.mean(areas)) if areas else None


def auc(scores: Floats, needed: Bools) -> float:
    """The area under the ROC curve, by the ranks, as in Mann and Whitney's test."""
    many = int(needed.sum())
    _, at, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2  # equal scores share the mean of their ranks
    above = ranks[at][needed].sum() - many * (many + 1) / 2
    return float(above / (many * (len(needed) - many)))


def _are_enough(examples: Sequence[Example]) -> bool:
    return len(examples) >= MIN_POINTS and len({e.cluster for e in examples}) >= MIN_SESSIONS


def _edges(column: Floats) -> Floats:
    """Bin edges at the quantiles of the values, each distinct value at most once.

    An edge between fractions stands halfway to the next lower value, where no rounding can cross it.
    """
    values = np.unique(column)
    quantiles = np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1], method="nearest")
    edges = np.unique(quantiles[quantiles > values[0]])
    if np.all(values == np.rint(values)):
        return edges
    below = values[np.searchsorted(values, edges) - 1]
    return np.unique(np.round((edges + below) / 2, DIGITS))


def _encode(rows: Rows, edges: Sequence[Floats]) -> Any:
    """A sparse row per statement: a 1 for its kind, for each flag, and for the bin of each number."""
    binned = [
        np.searchsorted(e, column, side="right") for e, column in zip(edges, rows.numbers.T, strict=True)
    ]
    columns = [(rows.kinds, len(KINDS)), *((b, len(e) + 1) for b, e in zip(binned, edges, strict=True))]
    kinds, *bins = (_one_hot(at, width) for at, width in columns)
    return sparse.hstack([kinds, sparse.csr_array(rows.flags.astype(np.float64)), *bins], format="csr")


def _one_hot(at: npt.NDArray[np.int64], width: int) -> Any:
    return sparse.csr_array((np.ones(len(at)), at, np.arange(len(at) + 1)), shape=(len(at), width))


def _stairs(edges: Sequence[Floats]) -> Any:
    """What makes scores per bin of the rises from bin to bin: the rises are learned, so steps stay small."""
    weights = np.eye(len(KINDS) + len(FLAGS))
    return sparse.block_diag([weights, *(np.tri(len(e) + 1, len(e), k=-1) for e in edges)], format="csr")


def _fit(bins: Any, stairs: Any, needed: Bools, weights: Floats) -> tuple[float, Floats]:
    """Logistic regression with a squared penalty on every weight and rise: the intercept, and these."""

    def loss(parameters: Floats) -> tuple[float, Floats]:
        intercept, rises = parameters[0], parameters[1:]
        log_odds = bins @ (stairs @ rises) + intercept
        wrong = weights * (expit(log_odds) - needed)
        # no dot product: how BLAS divides a long one among threads depends on how busy the machine is
        value = np.sum(weights * np.logaddexp(0, np.where(needed, -log_odds, log_odds)))
        gradient = stairs.T @ (bins.T @ wrong) + rises / REGULARISATION
        return value + np.sum(rises * rises) / (2 * REGULARISATION), np.concatenate([[wrong.sum()], gradient])

    start = np.zeros(1 + stairs.shape[1])
    found = minimize(
        loss, start, jac=True, method="L-BFGS-B", options={"maxiter": MAX_STEPS, "ftol": TOLERANCE}
    )
    return float(found.x[0]), found.x[1:]


def _worth(
    intercept: float,
    rises: Floats,
    edges: Sequence[Floats],
    rows: Rows,
    learned_from: dict[str, dict[str, int]],
) -> Worth:
    """The weights of what was seen at all, as they are written."""

    def seen(names: Sequence[str], weights: Floats, times: npt.NDArray[np.int64]) -> dict[str, float]:
        return {k: round(float(w), 4) for k, w, n in zip(names, weights, times, strict=False) if n}

    steps = {}
    at = len(KINDS) + len(FLAGS)
    for name, e in zip(NUMBERS, edges, strict=True):
        scores = np.concatenate([[0.0], np.cumsum(rises[at : at + len(e)])])
        at += len(e)
        if len(e):
            steps[name] = Steps(
                edges=tuple(float(x) for x in e), scores=tuple(round(float(x), 4) for x in scores)
            )
    return Worth(
        version="",
        learned_from=learned_from,
        intercept=round(intercept, 4),
        kinds=seen(KINDS, rises, np.bincount(rows.kinds, minlength=len(KINDS))),
        flags=seen(FLAGS, rises[len(KINDS) :], rows.flags.sum(axis=0)),
        steps=steps,
    )


def _provenance(examples: Sequence[Example]) -> dict[str, dict[str, int]]:
    return {
        name: {
            "points": len(of_set),
            "sessions": len({e.cluster for e in of_set}),
            "statements": sum(len(e.needed) for e in of_set),
            "needed": int(sum(e.needed.sum() for e in of_set)),
        }
        for name in sorted({e.set for e in examples})
        if (of_set := [e for e in examples if e.set == name])
    }
