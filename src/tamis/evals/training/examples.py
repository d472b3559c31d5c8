"""Training examples: the statements of a span, and whether the agent summed each up behind the cut."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tamis.compactors.brief.choice.signals import FLAGS, signals_of
from tamis.compactors.brief.choice.stock import root_of
from tamis.compactors.brief.reading.settling.validity import settled
from tamis.compactors.brief.reading.statement import KINDS
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.layout import lines_of
from tamis.errors import TamisError
from tamis.evals.experiment.workers import WorkerCrash, get_engine
from tamis.evals.points import At, Point, find_points
from tamis.evals.statements.keypoints import KeyPointTarget, PlaceCache, find_key_points
from tamis.evals.statements.normalization import tokens
from tamis.messages import Counter, Message, Session
from tamis.sessions import read_all

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
POINTS = ("own", "45%", "75%")  # where each session is cut to learn from it
MOST_KEY_POINTS = 60
MIN_KEY_POINTS = 3  # with fewer behind a cut, that a statement is in none of them says little about it
NEEDED = 0.5  # a statement that holds so much of what the whole span holds of a key point was needed
DIGITS = 6  # of the numbers that are learned from; what lies beyond is how a sum was rounded


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """One compaction point to learn from: what can be seen of each statement, and whether it was needed.

    `kinds` are positions in `KINDS`; `flags` has a column for each of `FLAGS`, `numbers` for each of
    `NUMBERS`.
    """

    set: str
    cluster: str
    label: str
    kinds: npt.NDArray[np.int64]
    flags: Bools
    numbers: Floats
    needed: Bools


def examples_of(session: Session, counter: Counter, *, set_name: str) -> Iterator[Example]:
    """The points of a session as examples; those behind which too little is summed up are left out."""
    found = find_points(session, [At.parse(at) for at in POINTS], counter)
    points = [point for point in found if isinstance(point, Point)]
    places = PlaceCache()
    read: tuple[Message, ...] = ()
    reading = StatementReader()
    for point in sorted(points, key=lambda p: (p.cut - len(p.span), p.cut)):
        sought = find_key_points(point, most=MOST_KEY_POINTS, places_of=places).points
        if len(sought) < MIN_KEY_POINTS:
            continue
        if point.span[: len(read)] != read:
            read, reading = (), StatementReader()
        reading.read(point.span[len(read) :])
        read = point.span
        statements = settled(reading, root_of(reading))
        needed = needed_among([s.text for s in statements], sought)
        if not any(needed):
            continue
        counts = counter.count_many(["\n".join(lines_of(s)) + "\n" for s in statements])
        signals = list(signals_of(statements, counts, reading.turns))
        yield Example(
            set=set_name,
            cluster=f"{set_name}/{point.cluster}",
            label=point.label,
            kinds=np.array([KINDS.index(s.kind) for s in statements]),
            flags=np.array([[flag in s.flags for flag in FLAGS] for s in signals]),
            numbers=np.round(np.array([s.numbers for s in signals], dtype=float), DIGITS),
            needed=np.array(needed),
        )


def needed_among(texts: Sequence[str], sought: Sequence[KeyPointTarget]) -> list[bool]:
    """Which of the texts hold half of what the span holds of one key point, by the weight of its words."""
    holders: dict[str, list[int]] = defaultdict(list)
    for at, text in enumerate(texts):
        for form in dict.fromkeys(form for token in tokens(text) for form in token.forms):
            holders[form].append(at)
    needed = [False] * len(texts)
    for one in sought:
        held: dict[int, float] = defaultdict(float)
        for form, weight in one.wanted.weights.items():
            for at in holders.get(form, ()):
                held[at] += weight
        least = NEEDED * one.wanted.total * one.reach
        for at, weight in held.items():
            needed[at] = needed[at] or weight >= least
    return needed


def sample(files: Sequence[tuple[str, Path]], most: int) -> list[tuple[str, Path]]:
    """At most so many files of each set, drawn by the hash of their names: the same on every machine."""
    by_set: dict[str, list[Path]] = defaultdict(list)
    for name, path in sorted(files, key=lambda file: hashlib.sha256(file[1].name.encode()).digest()):
        by_set[name].append(path)
    drawn = {(name, path) for name, paths in by_set.items() for path in paths[:most]}
    return [file for file in files if file in drawn]


def collect(
    files: Sequence[tuple[str, Path]], counter: Counter, *, jobs: int = 1
) -> Iterator[tuple[Path, list[Example] | str]]:
    """The examples of each file, or why there are none: in the order of `files`, whatever the jobs.

    `files` are pairs of a set's name and a session file; with one job nothing is spawned.
    """
    made = get_engine("processes", jobs).map(partial(_examples_in, counter), files)
    for (_, path), found in zip(files, made, strict=True):
        yield path, found.reason if isinstance(found, WorkerCrash) else found


def _examples_in(counter: Counter, file: tuple[str, Path]) -> list[Example] | str:
    set_name, path = file
    try:
        found = [e for s in read_all(path) for e in examples_of(s, counter, set_name=set_name)]
    except TamisError as error:
        return str(error)
    return found or "nothing behind a cut sums up what was done"
