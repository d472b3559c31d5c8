"""Figures of reading in groups: the dimensions by judge, the kinds of questions by reader."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tamis.evals.controls import is_control
from tamis.evals.figures.reading_summary import ReadingCell
from tamis.evals.judging.calibration import Calibration
from tamis.evals.judging.rubric import load_rubric
from tamis.evals.probing.probes import PROBE_KINDS, ProbeKind
from tamis.evals.rundir.readings import judge_label
from tamis.evals.rundir.results import Run
from tamis.reports.figure_labels import highest

SOURCE: Final = "Factory's evaluation of context compression, 2025; 36,611 messages, judged by a model"


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedResult:
    """A row of the published table: what the method is, whose, and its scores from 0 to 5 as printed."""

    method: str
    by: str
    overall: float
    dimensions: Mapping[str, float]

    @property
    def mean_of_dimensions(self) -> float:
        """The unweighted mean of the dimensions, which is how the same source says that overall is made.

        >>> [round(row.mean_of_dimensions, 3) for row in PUBLISHED]
        [3.955, 3.77, 3.72]
        """
        return sum(self.dimensions.values()) / len(self.dimensions)


_DIMENSIONS = (
    "accuracy",
    "context_awareness",
    "artifact_trail",
    "completeness",
    "continuity",
    "instruction_following",
)


def _row(method: str, by: str, overall: float, *scores: float) -> PublishedResult:
    dimensions = dict(zip(_DIMENSIONS, scores, strict=True))
    return PublishedResult(method=method, by=by, overall=overall, dimensions=dimensions)


PUBLISHED: Final = (
    _row("anchored iterative", "Factory", 3.70, 4.04, 4.01, 2.45, 4.44, 3.80, 4.99),
    _row("regenerative", "Anthropic", 3.44, 3.74, 3.56, 2.33, 4.37, 3.67, 4.95),
    _row("opaque", "OpenAI", 3.35, 3.43, 3.64, 2.19, 4.37, 3.77, 4.92),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadingGroup:
    """The methods at one budget after so many cycles, as one reader and one judge have it."""

    budget: str
    cycle: int
    cells: tuple[ReadingCell, ...]

    def best(self) -> frozenset[str]:
        """The methods with the highest overall score; control arms and averages over few points aside."""
        found = [(c.place.method, c.overall) for c in self.cells if c.overall]
        most = max((overall.points for _, overall in found), default=0)
        return highest({m: o.mean for m, o in found if not is_control(m) and o.points * 2 >= most})


@dataclass(frozen=True, kw_only=True, slots=True)
class DimensionTable:
    """The dimensions of the rubric as one judge gave them to one reader's answers.

    `calibration` is None where nobody found out how far the judge can be trusted. `published` are the rows of
    others, where the dimensions are the same; one that was measured nowhere has a column all the same.
    `above_full` are left out: some method was above `full` there.
    """

    reader: str
    judge: str
    calibration: Calibration | None
    dimensions: tuple[str, ...]
    above_full: tuple[str, ...]
    groups: tuple[ReadingGroup, ...]
    published: tuple[PublishedResult, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionTable:
    """The exact scores of one reader's answers, by kind of question."""

    reader: str
    kinds: tuple[ProbeKind, ...]
    groups: tuple[ReadingGroup, ...]


def judged_tables(run: Run, cells: Sequence[ReadingCell]) -> tuple[DimensionTable, ...]:
    """A table for every judge of every reader."""
    by_judge = calibrations_of(run)
    tables = []
    for reader, judge in dict.fromkeys((c.place.reader, c.place.judge) for c in cells):
        if judge is None:
            continue
        of_judge = [c for c in cells if (c.place.reader, c.place.judge) == (reader, judge)]
        measured = {name for cell in of_judge for name in cell.dimensions}
        comparable = tuple(row for row in PUBLISHED if measured <= set(row.dimensions))
        names = _in_order(measured.union(*(row.dimensions for row in comparable)))
        tables.append(
            DimensionTable(
                reader=reader,
                judge=judge,
                calibration=by_judge.get(judge),
                dimensions=names,
                above_full=of_judge[0].above_full,
                groups=_groups(of_judge),
                published=comparable,
            )
        )
    return tuple(tables)


def calibrations_of(run: Run) -> dict[str, Calibration]:
    """How far each judge can be trusted, by what it is called beside its figures; the newest of several."""
    return {judge_label(c.judge, c.rubric): c for c in run.calibrations}


def asked_tables(cells: Sequence[ReadingCell]) -> tuple[QuestionTable, ...]:
    """A table for every reader; who judged makes no difference to it."""
    tables = []
    for reader in dict.fromkeys(c.place.reader for c in cells):
        first = next(c.place.judge for c in cells if c.place.reader == reader)
        of_reader = [c for c in cells if (c.place.reader, c.place.judge) == (reader, first)]
        kinds = tuple(kind for kind in PROBE_KINDS if any(kind in c.by_kind for c in of_reader))
        tables.append(QuestionTable(reader=reader, kinds=kinds, groups=_groups(of_reader)))
    return tuple(tables)


def distrust(calibration: Calibration | None) -> str:
    """What to say of a judge that is not to be relied on; empty where it is.

    >>> distrust(None)
    'nobody found out how far this judge can be trusted'
    """
    if calibration is None:
        return "nobody found out how far this judge can be trusted"
    return "" if calibration.reliable else calibration.verdict


def _in_order(names: Collection[str]) -> tuple[str, ...]:
    """The dimensions that are known in the order in which they are known, then the others."""
    known = [name for name in load_rubric().dimensions if name in names]
    return (*known, *sorted(set(names) - set(known)))


def _groups(cells: Iterable[ReadingCell]) -> tuple[ReadingGroup, ...]:
    found: dict[tuple[int, str], list[ReadingCell]] = {}
    for cell in cells:
        found.setdefault((cell.place.cycle, cell.place.budget), []).append(cell)
    return tuple(
        ReadingGroup(budget=budget, cycle=cycle, cells=tuple(of_group))
        for (cycle, budget), of_group in found.items()
    )
