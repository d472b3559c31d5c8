"""Learn what readers want of a hand-off, and show how well on sessions that were not learned from.

    python benchmarks/statement_grades.py SESSIONS            # what worth reaches on unseen sessions
    python benchmarks/statement_grades.py SESSIONS --write    # the weights of all of them, as they ship

`statement_grades.tsv` holds the grades and no text: which statement of which recorded session, by the place
that it was read from, and how useful a reader found it who had seen all statements of the span and what came
after it (0: should not stand there; 4: a hand-off without it fails). The model is a Poisson regression with a
squared penalty over kinds, flags, binned numbers and words. Words count only where several sets of sessions
have them, so that no weight is a name. No session of the exam is among the graded ones, nor another try at a
task of its.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import minimize

import tamis
from tamis.compactors.brief.choice import grade
from tamis.compactors.brief.choice.signals import NUMBERS, Signals, signals_of
from tamis.compactors.brief.choice.steps import Steps
from tamis.compactors.brief.choice.stock import stock_of
from tamis.compactors.brief.choice.worth import LEARNED_SHARE, UNGRADED, default_worth, prior_worth
from tamis.compactors.brief.reading.statement import KINDS
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.ledger.speech.sentence_acts import features
from tamis.messages import get_counter

GRADES = Path(__file__).with_name("statement_grades.tsv")
WEIGHTS = Path(grade.__file__).parents[1] / "grades.json"
VALUES = np.array([0.0, 0.12, 1.0, 2.5, 5.0])
"""What a grade counts: one that is needed as much as five that are useful where there is room."""

STOCK_SHARE, LEAST_STOCK = 0.05, 800
FOLDS, BINS, PENALTY = 5, 10, 0.001
LEAST_SESSIONS, LEAST_SETS, LEAST_WEIGHT = 6, 3, 0.04
SHARES = (0.1, 0.2, 0.4)

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Graded:
    """The graded statements of one span."""

    file: str
    signals: list[Signals]
    tokens: Floats
    worth: Floats
    values: Floats

    @property
    def fold(self) -> int:
        """The part that it is tested in: all tries at a task stand in one."""
        task = re.search(r"[a-z-]+__[a-z-]+-\d+", self.file)
        name = task.group() if task else self.file
        return hashlib.sha256(name.encode()).digest()[0] % FOLDS


def read(sessions: Path) -> Iterator[Graded]:
    """The graded statements of each span as they are read today; what is read otherwise is left out."""
    counter = get_counter("o200k_base")
    for line in GRADES.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not (sessions / line.split("\t")[0]).exists():
            continue
        file, first, end, graded = line.split("\t")
        grades = dict(item.split("=") for item in graded.split())
        messages = [m for m in tamis.read(sessions / file).messages if m.role != "system"]
        span = messages[int(first) : int(end)]
        reading = StatementReader()
        reading.read(span)
        tokens = sum(counter.count_many([m.text for m in span]))
        stock = stock_of(
            reading,
            [],
            worth=default_worth(),
            counter=counter,
            room=max(LEAST_STOCK, int(STOCK_SHARE * tokens)),
            is_told=lambda _: False,
        )
        told = [c.statement for c in stock.candidates]
        keys = [f"{s.turn}.{s.place[0]}.{s.place[1]}:{s.kind}" for s in told]
        signals = [*signals_of(told, [c.tokens for c in stock.candidates], reading.turns)]
        at = [
            n
            for n, s in enumerate(signals)
            if keys[n] in grades and s.kind not in UNGRADED and "boilerplate" not in s.flags
        ]
        yield Graded(
            file=file,
            signals=[signals[n] for n in at],
            tokens=np.array([stock.candidates[n].tokens for n in at], dtype=float),
            worth=np.array([prior_worth(signals[n]) for n in at]),
            values=VALUES[[int(grades[keys[n]]) for n in at]],
        )


class Encoder:
    """Columns for kinds, flags, rises from bin to bin, and words."""

    def __init__(self, taught: Sequence[Graded]) -> None:
        self.flags = sorted({flag for g in taught for s in g.signals for flag in s.flags})
        numbers = np.array([s.numbers for g in taught for s in g.signals])
        cuts = np.linspace(0, 1, BINS + 1)[1:-1]
        self.edges = [np.unique(np.round(np.quantile(column, cuts), 4)) for column in numbers.T]
        files, sets = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        for g in taught:
            for name in {name for s in g.signals for name in features(s.text)}:
                files[name].add(g.file)
                sets[name].add(g.file.split("/")[0])
        kept = (
            name for name in files if len(files[name]) >= LEAST_SESSIONS and len(sets[name]) >= LEAST_SETS
        )
        self.words = {name: at for at, name in enumerate(sorted(kept))}

    def __call__(self, graded: Sequence[Graded]) -> sparse.csr_array:
        """A row for each statement."""
        signals = [s for g in graded for s in g.signals]
        kinds = np.array([[s.kind == kind for kind in KINDS] for s in signals], dtype=float)
        flags = np.array([[flag in s.flags for flag in self.flags] for s in signals], dtype=float)
        numbers = np.array([s.numbers for s in signals])
        rises = [
            (column[:, None] >= edges[None, :]).astype(float)
            for column, edges in zip(numbers.T, self.edges, strict=True)
        ]
        rows, columns, values = [], [], []
        for row, s in enumerate(signals):
            found = features(s.text)
            held = [self.words[name] for name in sorted(found & self.words.keys())]
            rows += [row] * len(held)
            columns += held
            values += [1 / np.sqrt(max(len(found), 1))] * len(held)
        words = sparse.csr_array((values, (rows, columns)), shape=(len(signals), len(self.words)))
        return sparse.hstack([kinds, flags, *rises, words], format="csr")


def learn(taught: Sequence[Graded]) -> grade.GradeModel:
    """The weights; the same grades give the same weights."""
    encoder = Encoder(taught)
    rows = encoder(taught)
    values = np.concatenate([g.values for g in taught])
    weights = np.concatenate([np.full(len(g.values), len(g.values) ** -0.5) for g in taught])
    weights /= weights.sum()
    # The words' own columns are small: with a smaller penalty they can say as much as a flag.
    penalty = np.full(rows.shape[1], PENALTY)
    penalty[rows.shape[1] - len(encoder.words) :] /= 4

    def loss(found: Floats) -> tuple[float, Floats]:
        odds = np.clip(rows @ found[1:] + found[0], -2 * grade.MOST_ODDS, grade.MOST_ODDS)
        wrong = weights * (np.exp(odds) - values)
        value = np.sum(weights * (np.exp(odds) - values * odds)) + np.sum(penalty * found[1:] ** 2)
        slope = rows.T @ wrong + 2 * penalty * found[1:]
        return float(value), np.concatenate([[wrong.sum()], slope])

    start = np.concatenate([[np.log(values.mean())], np.zeros(rows.shape[1])])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400}).x
    return _model(found, encoder, taught)


def _model(found: Floats, encoder: Encoder, taught: Sequence[Graded]) -> grade.GradeModel:
    rises = iter(found[1:])
    kinds = {kind: round(float(next(rises)), 3) for kind in KINDS}
    flags = {flag: round(float(next(rises)), 3) for flag in encoder.flags}
    steps = {}
    for name, edges in zip(NUMBERS, encoder.edges, strict=True):
        scores = np.cumsum([0.0, *(next(rises) for _ in edges)])
        steps[name] = Steps(
            edges=tuple(map(float, edges)), scores=tuple(round(float(score), 3) for score in scores)
        )
    words = {name: round(float(next(rises)), 2) for name in encoder.words}
    plain = grade.GradeModel(
        intercept=round(float(found[0]), 3),
        scale=1.0,
        kinds=kinds,
        flags=flags,
        steps=steps,
        words={name: weight for name, weight in words.items() if abs(weight) >= LEAST_WEIGHT},
    )
    predicted = np.mean([plain(s) for g in taught for s in g.signals])
    scale = np.mean(np.concatenate([g.worth for g in taught])) / predicted
    return grade.GradeModel(**{**_fields(plain), "scale": round(float(scale), 3)})


def _fields(model: grade.GradeModel) -> dict[str, object]:
    return {name: getattr(model, name) for name in model.__dataclass_fields__}


def reached(g: Graded, worth: Floats, share: float) -> float | None:
    """The value of what is taken by worth per token, of the most that there is in so much of the tokens."""

    def taken(order: npt.NDArray[np.int64]) -> float:
        left, value = share * g.tokens.sum(), 0.0
        for at in order:
            if g.tokens[at] <= left:
                left -= g.tokens[at]
                value += g.values[at]
        return value

    best = taken(np.argsort(-(g.values + 1e-9) / g.tokens, kind="stable"))
    return taken(np.argsort(-worth / g.tokens, kind="stable")) / best if best else None


def show(graded: Sequence[Graded]) -> None:
    """The table, with 95 % intervals over spans."""
    columns: dict[str, list[Floats]] = {"prior": [], "with chance": [], "grade": [], "all three": []}
    spans = sorted(graded, key=lambda g: g.fold)
    for fold in range(FOLDS):
        model = learn([g for g in graded if g.fold != fold])
        for g in (g for g in spans if g.fold == fold):
            learned = np.array([model(s) for s in g.signals])
            chance = np.array([default_worth().chance(s) for s in g.signals])
            columns["prior"].append(g.worth)
            columns["with chance"].append(g.worth ** (1 - LEARNED_SHARE) * chance**LEARNED_SHARE)
            columns["grade"].append(learned)
            columns["all three"].append(np.sqrt(columns["with chance"][-1] * learned))
    print(f"{len(graded)} spans, {sum(len(g.values) for g in graded)} statements; each span by the others")
    print(f"{'':12}" + "".join(f"{share:>22.0%}" for share in SHARES))
    for name, worths in columns.items():
        cells = []
        for share in SHARES:
            found = [reached(g, w, share) for g, w in zip(spans, worths, strict=True)]
            values = np.array([value for value in found if value is not None])
            wide = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
            cells.append(f"{values.mean():.2f} ({values.mean() - wide:.2f} to {values.mean() + wide:.2f})")
        print(f"{name:12}" + "".join(f"{cell:>22}" for cell in cells))


def main() -> None:
    """Read, show, and write if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sessions", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    graded = [g for g in read(options.sessions) if len(g.values)]
    if not graded:
        raise SystemExit(f"{options.sessions}: holds none of the sessions that {GRADES.name} names")
    if options.write:
        fields = asdict(learn(graded))
        text = ",\n".join(
            f'"{name}": {json.dumps(value, ensure_ascii=False)}' for name, value in fields.items()
        )
        WEIGHTS.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
        print(f"wrote {len(fields['words'])} words and pairs")
    else:
        show(graded)


if __name__ == "__main__":
    main()
