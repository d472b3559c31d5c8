"""Learn relevance from labelled pairs of task and skill, and measure it on pairs that were not learned.

The set that ships (`relevance_set.json`) was written for tamis: every second task is for learning, the others
are held out. Pairs from your own loop, with whether the skill helped, do as well.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from tamis.memory.relevance import FEATURES, SkillIndex, Weights, background, score
from tamis.memory.settings import Scoring
from tamis.memory.skillbook import Skill

RIDGE = 0.5
"""How strongly weights are drawn to 0, in pairs."""

STEPS = 60

SURE = 0.95
"""The precision on the learning half that the threshold of 0.5 stands for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelledTask:
    """A task and the names of the skills that are relevant to it: one, several, or none."""

    text: str
    relevant: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelledSet:
    """Skills, and tasks in two halves."""

    skills: tuple[Skill, ...]
    learning: tuple[LabelledTask, ...]
    held_out: tuple[LabelledTask, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Accuracy:
    """How a selection stands against the labels.

    `precision`: chosen skills that are relevant / chosen; None where nothing was chosen. `recall`: relevant
    skills that were chosen / relevant.
    """

    tasks: int
    chosen: int
    relevant: int
    right: int

    @property
    def precision(self) -> float | None:
        """Chosen and relevant / chosen."""
        return self.right / self.chosen if self.chosen else None

    @property
    def recall(self) -> float | None:
        """Chosen and relevant / relevant."""
        return self.right / self.relevant if self.relevant else None


def labelled_set() -> LabelledSet:
    """The set that ships."""
    data = json.loads(files("tamis.memory").joinpath("relevance_set.json").read_text(encoding="utf-8"))
    tasks = [LabelledTask(text=t["text"], relevant=frozenset(t["relevant"])) for t in data["tasks"]]
    return LabelledSet(skills=background(), learning=tuple(tasks[::2]), held_out=tuple(tasks[1::2]))


def learn_weights(skills: Sequence[Skill], tasks: Sequence[LabelledTask]) -> Weights:
    """Logistic regression by Newton's method; every pair of a task and a skill is an example."""
    index = SkillIndex(skills)
    rows: list[tuple[tuple[float, ...], bool]] = []
    bm25: dict[bool, list[float]] = {True: [], False: []}
    for task in tasks:
        for skill, evidence in zip(skills, index.evidence(task.text), strict=True):
            label = skill.name in task.relevant
            rows.append(((1.0, *evidence.features), label))
            if evidence.bm25:
                bm25[label].append(evidence.bm25)
    weights = [0.0] * (len(FEATURES) + 1)
    for _ in range(STEPS):
        step = _newton_step(rows, weights)
        weights = [w + s for w, s in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-9:
            break
    odds = [(sum(w * x for w, x in zip(weights, features, strict=True)), label) for features, label in rows]
    return Weights(
        intercept=weights[0] - _lowest_sure(odds),
        features=tuple(weights[1:]),
        bm25_half=_half_score(bm25[True], bm25[False]),
    )


def weights_to_json(weights: Weights) -> str:
    """The text of `relevance.json`."""
    data = {
        "intercept": round(weights.intercept, 4),
        "features": {n: round(w, 4) for n, w in zip(FEATURES, weights.features, strict=True)},
        "bm25_half": round(weights.bm25_half, 4),
    }
    return json.dumps(data, indent=1) + "\n"


def measure_accuracy(
    skills: Sequence[Skill],
    tasks: Sequence[LabelledTask],
    weights: Weights,
    *,
    scoring: Scoring,
    threshold: float = 0.5,
    max_skills: int = 5,
) -> Accuracy:
    """Choose for every task and count."""
    index = SkillIndex(skills)
    chosen = right = 0
    for task in tasks:
        scored = [
            (score(evidence, skill, scoring, weights), skill.name)
            for skill, evidence in zip(skills, index.evidence(task.text), strict=True)
        ]
        names = {
            name for relevance, name in sorted(scored, reverse=True)[:max_skills] if relevance >= threshold
        }
        chosen += len(names)
        right += len(names & task.relevant)
    return Accuracy(
        tasks=len(tasks), chosen=chosen, relevant=sum(len(t.relevant) for t in tasks), right=right
    )


def _newton_step(rows: Sequence[tuple[tuple[float, ...], bool]], weights: Sequence[float]) -> list[float]:
    n = len(weights)
    gradient = [0.0] + [-RIDGE * w for w in weights[1:]]
    curvature = [[RIDGE * (i == j and i > 0) + 1e-9 * (i == j) for j in range(n)] for i in range(n)]
    for features, label in rows:
        p = 1 / (1 + math.exp(-sum(w * x for w, x in zip(weights, features, strict=True))))
        for i, x in enumerate(features):
            gradient[i] += (label - p) * x
            for j in range(n):
                curvature[i][j] += p * (1 - p) * x * features[j]
    return _solve(curvature, gradient)


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gaussian elimination with pivots; the matrix is small and regular."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    solution = [0.0] * n
    for i in reversed(range(n)):
        known = sum(rows[i][j] * solution[j] for j in range(i + 1, n))
        solution[i] = (rows[i][n] - known) / rows[i][i]
    return solution


def _lowest_sure(odds: Sequence[tuple[float, bool]]) -> float:
    """The lowest log odds above which `SURE` of the pairs are relevant; they become the threshold of 0.5."""
    ordered = sorted(odds, reverse=True)
    right, lowest = 0, 0.0
    for chosen, (edge, label) in enumerate(ordered[:-1], 1):
        right += label
        if right / chosen >= SURE:
            lowest = (edge + ordered[chosen][0]) / 2
    return lowest


def _half_score(relevant: Sequence[float], others: Sequence[float]) -> float:
    """The BM25 score that parts relevant skills from others with the fewest mistakes."""
    candidates = sorted({*relevant, *others})
    if not candidates:
        return 1.0

    def mistakes(edge: float) -> int:
        return sum(s < edge for s in relevant) + sum(s >= edge for s in others)

    return min(candidates, key=mistakes)
