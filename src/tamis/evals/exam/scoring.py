"""The scores of an exam, by method: key points, false claims, rating; and how far the judges agree."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from tamis.errors import InputError
from tamis.evals.exam.dealing import read_answers, read_grades, read_key, read_sheet, read_who
from tamis.evals.hindsight import NotMeasured
from tamis.evals.inference.intervals import SHARE, estimate_pairs


@dataclass(frozen=True, kw_only=True, slots=True)
class MethodScore:
    """One method: `score` is the mean share of key points, with its 95 % interval over points.

    `false_claims` counts answers that claim what the session contradicts; `rating` is the readers', of 5.
    """

    method: str
    answers: int
    points: int
    score: float
    low: float | None
    high: float | None
    false_claims: int
    rating: float | None
    kinds: Mapping[str, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class GradeAgreement:
    """How two who graded the same answers agree: of `grades` key points `same` is the share graded alike."""

    grades: int
    same: float
    mean_difference: float

    @property
    def told(self) -> str:
        """The agreement in words."""
        return (
            f"Both who graded: {self.same:.0%} of {self.grades} key points alike, "
            f"{self.mean_difference:.2f} apart on average."
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ExamScore:
    """The table, best first; `ungraded` counts answers without a grade, which count nowhere."""

    methods: tuple[MethodScore, ...]
    ungraded: int
    agreement: GradeAgreement | NotMeasured


def score_exam(folder: Path, *, against: str | None = None) -> ExamScore:
    """Score a sitting from its files; `against` names other grades of the same sheet, as a person's.

    Raises:
        InputError: nothing is graded, or a grade does not fit.
    """
    sheet, who, grades, ratings = read_sheet(folder), read_who(folder), read_grades(folder), _ratings(folder)
    of_question = {
        one.id: (point.id, one.kind) for point in read_key(folder).points for one in point.questions
    }
    found: dict[str, list[tuple[str, str, float, bool]]] = {}
    ungraded = 0
    for row in sheet:
        for letter, method in who[row.id].items():
            grade = grades.get(row.id, {}).get(letter)
            if grade is None:
                ungraded += 1
                continue
            point, kind = of_question[row.id]
            found.setdefault(method, []).append((point, kind, mean(grade.points), grade.false))
    if not found:
        raise InputError(
            f"{folder}: no answer is graded; grade with tamis exam grade, or fill in grades.json"
        )
    methods = [_scored(method, rows, ratings.get(method, [])) for method, rows in found.items()]
    ranked = tuple(sorted(methods, key=lambda one: (-one.score, one.method)))
    agreed = grade_agreement(folder, against) if against else NotMeasured(reason="nobody else graded")
    return ExamScore(methods=ranked, ungraded=ungraded, agreement=agreed)


def _scored(method: str, rows: list[tuple[str, str, float, bool]], ratings: list[float]) -> MethodScore:
    found = estimate_pairs(((score, point) for point, _, score, _ in rows), within=SHARE)
    assert found is not None  # there is a row
    kinds = sorted({kind for _, kind, _, _ in rows})
    return MethodScore(
        method=method,
        answers=len(rows),
        points=found.clusters,
        score=found.mean,
        low=found.low,
        high=found.high,
        false_claims=sum(false for *_, false in rows),
        rating=mean(ratings) if ratings else None,
        kinds={kind: mean(score for _, k, score, _ in rows if k == kind) for kind in kinds},
    )


def _ratings(folder: Path) -> dict[str, list[float]]:
    ratings: dict[str, list[float]] = {}
    for item, method in read_key(folder).items.items():
        reader, _, number = item.partition("/")
        given = read_answers(folder, int(reader)).get(number)
        if given is not None and given.rating is not None:
            ratings.setdefault(method, []).append(given.rating)
    return ratings


def grade_agreement(folder: Path, against: str) -> GradeAgreement | NotMeasured:
    """How the sitting's judge and the grades in the file `against` agree."""
    ours, theirs = read_grades(folder), read_grades(folder, against)
    pairs = [
        (a, b)
        for question, some in ours.items()
        for letter, grade in some.items()
        if (other := theirs.get(question, {}).get(letter)) is not None
        for a, b in zip(grade.points, other.points, strict=True)
    ]
    if not pairs:
        return NotMeasured(reason=f"{against} grades none of the same answers")
    return GradeAgreement(
        grades=len(pairs),
        same=mean(a == b for a, b in pairs),
        mean_difference=mean(abs(a - b) for a, b in pairs),
    )
