"""How well measures without a model agree with an exam that was held: answer by answer.

An exam's folder holds `sheet.json` (questions with their key points), `who.json` (question, letter: method)
and `grades.json` (question, letter: a grade for each key point); beside it a folder `pN` for each point with
the texts that were read, `ctx_METHOD.txt`, and `span.txt` where there is one.
"""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamis.evals.statements.coverage import Rarity, best_window, wanted, windows, with_order_of
from tamis.evals.statements.places import SearchableText, read_text
from tamis.text.names import names_in, stands_in

THRESHOLDS = (0.5, 0.6, 0.7, 0.8)
ORDERED_BY = 3
"""The order of words in so many windows of the span is one to know a key point by."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """One graded answer beside what cheaper measures say of the text that it was given from.

    `names` is None where no key point of the question has a name.
    """

    question: str
    method: str
    grade: float
    shares: tuple[float, ...]
    names: float | None


def graded_answers(exam: Path, out: Path) -> list[Answer]:
    """The answers of an exam, each with the coverage and the names of its key points in its text."""
    sheet, who, grades = (_json(exam / f"{name}.json") for name in ("sheet", "who", "grades"))
    points: dict[str, _Point] = {}
    answers = []
    for question in sheet:
        name = question["id"].split("-")[0]
        if name not in points:
            points[name] = _Point(out / name)
        for letter, method in who[question["id"]].items():
            given = grades.get(question["id"], {}).get(letter)
            if given is None or method not in points[name].texts:
                continue
            key_points = question["key_points"]
            answers.append(
                Answer(
                    question=question["id"],
                    method=method,
                    grade=statistics.mean(given["points"]),
                    shares=tuple(points[name].share(said, method) for said in key_points),
                    names=points[name].names(key_points, method),
                )
            )
    return answers


class _Point:
    """The texts of one point, ready to be searched."""

    def __init__(self, folder: Path) -> None:
        self.plain = {
            path.stem.removeprefix("ctx_"): path.read_text("utf-8")
            for path in sorted(folder.glob("ctx_*.txt"))
        }
        self.texts: dict[str, SearchableText] = {
            method: read_text([text]) for method, text in self.plain.items()
        }
        span = folder / "span.txt"
        sources = [span.read_text("utf-8")] if span.exists() else list(self.plain.values())
        self.span = read_text(sources)
        self.rarity = Rarity([self.span])

    def share(self, key_point: str, method: str) -> float:
        """How far one place of a method's text says a key point."""
        what = wanted(key_point, self.rarity)
        for found in windows(what, self.span, least=0.0)[:ORDERED_BY]:
            what = with_order_of(what, self.span, found.window)
        return best_window(what, self.texts[method]).share

    def names(self, key_points: Sequence[str], method: str) -> float | None:
        """The share of the key points' names that stand in a method's text."""
        names = {name.text for said in key_points for name in names_in(said)}
        if not names:
            return None
        return statistics.mean(stands_in(name, self.plain[method]) for name in names)


def correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Pearson's r; None where one side does not vary."""
    if len(pairs) < 3 or len({a for a, _ in pairs}) < 2 or len({b for _, b in pairs}) < 2:
        return None
    return statistics.correlation([a for a, _ in pairs], [b for _, b in pairs])


def print_agreement(exam: Path, out: Path) -> None:
    """Correlations with the grades, and each method's means."""
    answers = graded_answers(exam, out)
    print(f"### Agreement with graded answers ({len(answers)} answers)\n")
    print("| measure | answers | r |\n|---|---|---|")
    _row("coverage of the key points", [(statistics.mean(a.shares), a.grade) for a in answers])
    for least in THRESHOLDS:
        covered = [(statistics.mean(s >= least for s in a.shares), a.grade) for a in answers]
        _row(f"key points covered to {least:g}", covered)
    _row("names of the key points in the text", [(a.names, a.grade) for a in answers if a.names is not None])
    by_method: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        by_method[answer.method].append(answer)
    print("\n| method | answers | grade | coverage | names |\n|---|---|---|---|---|")
    for method, of in sorted(by_method.items(), key=lambda item: -statistics.mean(a.grade for a in item[1])):
        named = [a.names for a in of if a.names is not None]
        print(
            f"| {method} | {len(of)} | {statistics.mean(a.grade for a in of):.2f} "
            f"| {statistics.mean(statistics.mean(a.shares) for a in of):.2f} "
            f"| {f'{statistics.mean(named):.2f}' if named else '–'} |"
        )
    print()


def _row(name: str, pairs: Sequence[tuple[float, float]]) -> None:
    r = correlation(pairs)
    print(f"| {name} | {len(pairs)} | {'–' if r is None else f'{r:.2f}'} |")


def _json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
