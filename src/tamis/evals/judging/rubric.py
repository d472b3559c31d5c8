"""A rubric: criteria in dimensions, and what a score means.

A rubric is a TOML or JSON file with a name and a version. The one that ships has the six dimensions and
fourteen criteria of Factory's framework for the evaluation of context compression (2025), in our own words.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError, field_validator

from tamis.errors import InputError, UnreadableFile
from tamis.evals.probing.probes import Probe, ProbeKind
from tamis.faults import first_fault
from tamis.text.names import names_in
from tamis.text_files import read_text

LOWEST, HIGHEST = 0.0, 5.0
ANCHORED = (0, 3, 5)  # the scores whose meaning every criterion must give


class Criterion(BaseModel, extra="forbid", frozen=True):
    """One thing that an answer is judged on.

    `kinds` are the kinds of probe that it goes with. With `words` it goes only with questions that have one
    of them, or a word that begins so. `weight` counts among the criteria of its dimension.
    """

    id: str = Field(pattern=r"^[A-Za-z][\w-]*$")
    dimension: str = Field(pattern=r"^[A-Za-z][\w-]*$")
    question: str = Field(min_length=1)
    anchors: dict[Annotated[int, Field(ge=LOWEST, le=HIGHEST)], str]
    weight: float = Field(default=1.0, gt=0, allow_inf_nan=False)
    kinds: Annotated[frozenset[ProbeKind], Field(min_length=1)]
    words: tuple[Annotated[str, Field(min_length=1)], ...] = ()

    @field_validator("anchors")
    @classmethod
    def _are_enough(cls, anchors: dict[int, str]) -> dict[int, str]:
        if missing := [score for score in ANCHORED if score not in anchors]:
            raise ValueError(f"the anchors must say what a score of {missing[0]} means")
        return dict(sorted(anchors.items()))

    def applies_to(self, probe: Probe) -> bool:
        """Whether an answer to this probe can be judged on it."""
        return probe.kind in self.kinds and (not self.words or _has_any(probe.question, self.words))


class Rubric(BaseModel, extra="forbid", frozen=True):
    """Criteria, in the order of the file. `name@version` stands beside every score."""

    name: str = Field(pattern=r"^[A-Za-z][\w.-]*$")
    version: str = Field(pattern=r"^[\w.-]+$")
    criteria: tuple[Criterion, ...] = Field(min_length=1, repr=False)

    @field_validator("criteria")
    @classmethod
    def _named_once(cls, criteria: tuple[Criterion, ...]) -> tuple[Criterion, ...]:
        name, times = Counter(criterion.id for criterion in criteria).most_common(1)[0]
        if times > 1:
            raise ValueError(f"the criterion {name!r} stands there {times} times; give each an id of its own")
        return criteria

    @property
    def id(self) -> str:
        """The name with the version."""
        return f"{self.name}@{self.version}"

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions, in the order in which their first criteria stand."""
        return tuple(dict.fromkeys(criterion.dimension for criterion in self.criteria))

    def for_probe(self, probe: Probe) -> tuple[Criterion, ...]:
        """The criteria that an answer to this probe is judged on."""
        return tuple(criterion for criterion in self.criteria if criterion.applies_to(probe))


def load_rubric(path: Path | None = None) -> Rubric:
    """The rubric in a TOML or JSON file; the one that ships where none is named.

    Raises:
        UnreadableFile: the file cannot be read, or is neither TOML nor JSON.
        InputError: it is no rubric; names the place and what is accepted.

    >>> load_rubric().dimensions[:3]
    ('accuracy', 'context_awareness', 'artifact_trail')
    """
    if path is None:
        return _rubric(tomllib.loads(shipped_rubric()), "the rubric that ships")
    form, parse = ("JSON", json.loads) if path.suffix == ".json" else ("TOML", tomllib.loads)
    text = read_text(path, "name a rubric in TOML or JSON")
    try:
        data = parse(text)
    except ValueError as error:
        raise UnreadableFile(
            f"{path}: is not {form} ({error}); start from the one that ships: tamis judge --show-rubric"
        ) from None
    return _rubric(data, str(path))


def shipped_rubric() -> str:
    """The file of the rubric that ships, to start one's own from."""
    return files("tamis.evals.judging").joinpath("rubric.toml").read_text("utf-8")


def _rubric(data: Any, where: str) -> Rubric:
    try:
        return Rubric.model_validate(data)
    except ValidationError as error:
        told = first_fault(error, "the whole", counted_from=1)
        raise InputError(
            f"{where}: no rubric; at {told}; see the rubric that ships: tamis judge --show-rubric"
        ) from None


def _has_any(question: str, words: Iterable[str]) -> bool:
    """Whether a word of the question begins so.

    A name in it, as `create_user`, says nothing of what is asked. Chinese has no boundaries between words and
    needs none.
    """
    for name in names_in(question):
        question = question.replace(name.text, " ")
    begins = "|".join(re.escape(word) for word in words)
    return bool(re.search(rf"(?<![a-z0-9])(?:{begins})", question, re.IGNORECASE))


FOLDER = "rubrics"


def keep_rubric(run: Path, file: Path) -> Rubric:
    """Copy a rubric's file into a run directory.

    Raises:
        InputError: it is no rubric, or another one of the same name and version is kept already.
    """
    rubric = load_rubric(file)
    kept = run / FOLDER / f"{rubric.id.replace('/', '_')}{file.suffix}"
    data = file.read_bytes()
    if kept.exists() and kept.read_bytes() != data:
        raise InputError(f"{file}: {run} was judged by another {rubric.id}; give the rubric another version")
    kept.parent.mkdir(exist_ok=True)
    kept.write_bytes(data)
    return rubric


def kept_rubrics(run: Path) -> tuple[Rubric, ...]:
    """The rubrics that a run directory keeps, besides the one that ships."""
    folder = run / FOLDER
    return tuple(load_rubric(path) for path in sorted(folder.iterdir())) if folder.is_dir() else ()
