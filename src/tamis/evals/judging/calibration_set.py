"""Answers whose worth is known: the set that ships, or one of the user's own (TOML)."""

import hashlib
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, Field, ValidationError, model_validator

from tamis.errors import InputError, UnreadableFile
from tamis.evals.judging.judge import JudgeCase
from tamis.evals.judging.rubric import HIGHEST, LOWEST
from tamis.evals.probing.probes import PROBE_KINDS, Expected, Probe, ProbeKind, probe_id
from tamis.evals.probing.readers import Answer
from tamis.faults import first_fault
from tamis.text_files import read_text

Label = Literal["right", "partly right", "vague", "wrong", "declined"]
LABELS: tuple[Label, ...] = get_args(Label)


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelledCase:
    """An answer, what it is, and the overall score that a good judge gives it.

    `criteria` bounds the scores of single criteria, where the set says more of them. `question` is the id of
    the probe, by which a right answer is paired with a wrong one.
    """

    case: JudgeCase
    label: Label
    low: float
    high: float
    criteria: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def question(self) -> str:
        """The id of the probe."""
        return self.case.probe.id


@dataclass(frozen=True, kw_only=True, slots=True)
class CalibrationSet:
    """Labelled cases, with a name and a version. `whole` is how many the file holds."""

    name: str
    version: str
    cases: tuple[LabelledCase, ...] = field(repr=False)
    whole: int

    @property
    def id(self) -> str:
        """The name with the version, and how many cases of how many where some were left out."""
        left_out = f" ({len(self.cases)} of {self.whole} answers)" if len(self.cases) < self.whole else ""
        return f"{self.name}@{self.version}{left_out}"

    def smaller(self, most: int) -> Self:
        """At most so many cases, for a slow judge: every kind by turns, right and wrong answers first.

        Which of several right or wrong answers to a question comes first is told by a hash, so that neither
        the easy nor the hard ones are favoured.
        """
        ranks = self._ranks()
        chosen = sorted(range(len(self.cases)), key=ranks.__getitem__)[:most]
        return replace(self, cases=tuple(self.cases[at] for at in sorted(chosen)))

    def _ranks(self) -> dict[int, tuple[int, int, int]]:
        """For each case how many like it come before it, then the turns of its label and its question."""
        questions = _by_turns({case.question: case.case.probe.kind for case in self.cases})
        before: Counter[tuple[str, Label]] = Counter()
        ranks = {}
        hashes = [hashlib.sha256(case.case.answer.text.encode()).digest() for case in self.cases]
        for at in sorted(range(len(self.cases)), key=hashes.__getitem__):
            case = self.cases[at]
            ranks[at] = (before[case.question, case.label], _TURN[case.label], questions[case.question])
            before[case.question, case.label] += 1
        return ranks


_TURN: Mapping[Label, int] = {"right": 0, "wrong": 0, "vague": 1, "partly right": 2, "declined": 3}


def _by_turns(kinds: Mapping[str, ProbeKind]) -> dict[str, int]:
    """The place of each question when every kind has its turn."""
    nth: Counter[ProbeKind] = Counter()
    turns = {}
    for question, kind in kinds.items():
        turns[question] = nth[kind] * len(PROBE_KINDS) + PROBE_KINDS.index(kind)
        nth[kind] += 1
    return turns


def load_calibration_set(path: Path | None = None) -> CalibrationSet:
    """The set in a TOML file; the one that ships where none is named.

    Raises:
        UnreadableFile: the file cannot be read, or is not TOML.
        InputError: it is no calibration set; names the place.
    """
    if path is None:
        text = files("tamis.evals.judging").joinpath("calibration.toml").read_text("utf-8")
        return _set(text, "the calibration set that ships")
    return _set(read_text(path, "name a calibration set in TOML"), str(path))


_Score = Annotated[float, Field(ge=LOWEST, le=HIGHEST)]
_Range = tuple[_Score, _Score]


class _AnswerFile(BaseModel, extra="forbid", frozen=True):
    label: Label
    text: str = ""
    overall: _Range | None = None
    criteria: dict[str, _Range] = {}


class _QuestionFile(BaseModel, extra="forbid", frozen=True):
    kind: ProbeKind
    question: str
    expected: list[Expected] = []
    closed: bool = False
    superseded: list[Expected] = []
    answers: list[_AnswerFile] = Field(min_length=1)


class _SetFile(BaseModel, extra="forbid", frozen=True):
    name: str
    version: str
    overall: dict[Label, _Range]
    questions: list[_QuestionFile] = Field(min_length=1)

    @model_validator(mode="after")
    def _bounds_every_label(self) -> Self:
        if missing := [label for label in LABELS if label not in self.overall]:
            raise ValueError(f"[overall] must say between which scores answers lie that are {missing[0]!r}")
        return self


def _set(text: str, where: str) -> CalibrationSet:
    try:
        made = _SetFile.model_validate(tomllib.loads(text))
    except ValidationError as error:
        told = first_fault(error, "the whole", counted_from=1)
        raise InputError(f"{where}: no calibration set; at {told}") from None
    except tomllib.TOMLDecodeError as error:
        raise UnreadableFile(f"{where}: is not TOML ({error})") from None
    cases = tuple(_cases(made))
    return CalibrationSet(name=made.name, version=made.version, cases=cases, whole=len(cases))


def _cases(made: _SetFile) -> Iterator[LabelledCase]:
    for asked in made.questions:
        probe = Probe(
            id=probe_id(asked.kind, asked.question),
            kind=asked.kind,
            question=asked.question,
            expected=tuple(asked.expected),
            closed=asked.closed,
            superseded=tuple(asked.superseded),
        )
        for answer in asked.answers:
            low, high = answer.overall or made.overall[answer.label]
            yield LabelledCase(
                case=JudgeCase(probe=probe, answer=Answer(text=answer.text, declined=not answer.text)),
                label=answer.label,
                low=low,
                high=high,
                criteria=answer.criteria,
            )
