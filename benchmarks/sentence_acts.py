"""Learn what a sentence of the user's does (a rule, a fact, neither), and show how well on unseen hands.

    python benchmarks/sentence_acts.py                  # recall and precision, each hand by the others
    python benchmarks/sentence_acts.py --write          # the weights of all of them, as they ship

`filler/sentences.tsv` holds made-up sentences, each with its label and with the hand that wrote it. A
multinomial logistic regression with a squared penalty; labels weigh the same.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

import tamis.ledger.speech.sentence_acts as acts
from tamis.ledger.speech.claims import states
from tamis.ledger.speech.rule_polarity import rule_polarity

SENTENCES = Path(__file__).parent / "filler" / "sentences.tsv"
WEIGHTS = Path(acts.__file__).with_name("sentence_acts.json")
LABELS = ("none", "rule", "fact")
PENALTY = 0.09
LEAST_SEEN = 3
LEAST_WEIGHT = 0.1


class Labelled(NamedTuple):
    """A sentence, what it does and who wrote it."""

    label: str
    hand: str
    text: str


class Model(NamedTuple):
    """Weights by feature and label, and intercepts by label."""

    place: dict[str, int]
    weights: np.ndarray
    intercept: np.ndarray

    def chances(self, texts: Sequence[str]) -> np.ndarray:
        """Chances by text and label."""
        return _softmax(_matrix(texts, self.place) @ self.weights + self.intercept)


def read() -> list[Labelled]:
    """The sentences; lines that begin with a hash are comments."""
    lines = SENTENCES.read_text(encoding="utf-8").splitlines()
    return [Labelled(*line.split("\t")) for line in lines if not line.startswith("#")]


def learn(rows: Sequence[Labelled]) -> Model:
    """Fit the weights; the same rows give the same."""
    seen = Counter(feature for row in rows for feature in acts.features(row.text))
    place = {
        name: at for at, name in enumerate(sorted(n for n, times in seen.items() if times >= LEAST_SEEN))
    }
    told = np.array([LABELS.index(row.label) for row in rows])
    counts = np.bincount(told, minlength=len(LABELS))
    weight = (len(rows) / len(LABELS) / counts)[told]
    matrix, size = _matrix([row.text for row in rows], place), len(place)
    wanted = np.eye(len(LABELS))[told]

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat[: size * len(LABELS)].reshape(size, len(LABELS))
        chances = _softmax(matrix @ weights + flat[size * len(LABELS) :])
        cost = -(weight * np.log(chances[np.arange(len(rows)), told] + 1e-12)).sum()
        off = (chances - wanted) * weight[:, None]
        slope = matrix.T @ off + PENALTY * weights
        return cost + PENALTY / 2 * (weights**2).sum(), np.concatenate([slope.ravel(), off.sum(0)])

    found = minimize(loss, np.zeros((size + 1) * len(LABELS)), jac=True, method="L-BFGS-B").x
    return Model(place, found[: size * len(LABELS)].reshape(size, len(LABELS)), found[size * len(LABELS) :])


def _matrix(texts: Sequence[str], place: dict[str, int]) -> sparse.csr_matrix:
    rows, columns, values = [], [], []
    for row, text in enumerate(texts):
        features = acts.features(text)
        known = [place[name] for name in features if name in place]
        rows += [row] * len(known)
        columns += known
        values += [len(features) ** -0.5] * len(known)
    return sparse.csr_matrix((values, (rows, columns)), shape=(len(texts), len(place)))


def _softmax(scores: np.ndarray) -> np.ndarray:
    odds = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(odds / odds.sum(1, keepdims=True))


def write(model: Model) -> None:
    """Keep the weights of rule and fact against neither; what says little is left out."""
    none = model.weights[:, 0]
    weights = {}
    for name, at in model.place.items():
        pair = [round(float(model.weights[at, label] - none[at]), 2) for label in (1, 2)]
        if max(map(abs, pair)) >= LEAST_WEIGHT:
            weights[name] = pair
    intercept = [round(float(model.intercept[label] - model.intercept[0]), 3) for label in (1, 2)]
    lines = ",\n".join(f"{json.dumps(name, ensure_ascii=False)}: {pair}" for name, pair in weights.items())
    WEIGHTS.write_text(f'{{"intercept": {intercept}, "weights": {{\n{lines}\n}}}}\n', encoding="utf-8")
    print(f"{len(weights)} weights, {WEIGHTS.stat().st_size // 1024} KB")


def show(rows: Sequence[Labelled]) -> None:
    """Each hand's sentences by what the others taught, beside the cues alone."""
    print("| hand | by | rule: recall | precision | fact: recall | precision |\n|---|---|---|---|---|---|")
    for hand in sorted({row.hand for row in rows}):
        own = [row for row in rows if row.hand == hand]
        model = learn([row for row in rows if row.hand != hand])
        learned = [LABELS[at] for at in model.chances([row.text for row in own]).argmax(1)]
        cues = ["rule" if rule_polarity(row.text) else "fact" if states(row.text) else "none" for row in own]
        for by, labels in (("learned", learned), ("cues", cues)):
            figures = []
            for label in LABELS[1:]:
                both = sum(row.label == label == said for row, said in zip(own, labels, strict=True))
                figures += [both / sum(row.label == label for row in own), both / max(1, labels.count(label))]
            print(f"| {hand} | {by} | " + " | ".join(f"{figure:.2f}" for figure in figures) + " |")


def main() -> None:
    """Show, or write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the weights that ship")
    rows = read()
    if parser.parse_args().write:
        write(learn(rows))
    else:
        show(rows)


if __name__ == "__main__":
    main()
