"""Templates: what a benchmark case is made from, as written in a YAML file.

The format is CompactBench's (`template`: key, family, version, difficulty_policy, variables, transcript,
ground_truth, evaluation_items), so its files load as they are, with four additions: a turn may have several
`variants` of which one is drawn; `call` turns run a tool; `work` turns are filled with an agent's everyday
work; and what an item expects may list other `forms` of the answer, what is `superseded`, and whether the
answer `forbids` something. Strings refer to variables as `{{name}}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError, model_validator

from tamis.errors import InputError
from tamis.yaml_files import YamlDocument

Difficulty = Literal["easy", "medium", "hard", "elite"]

BenchItemType = Literal[
    "locked_decision_retention",
    "forbidden_behavior_retention",
    "immutable_fact_recall",
    "unresolved_task_continuity",
    "entity_integrity",
    "planning_soundness",
]
AnswerCheck = Literal["contains_normalized", "forbidden_absent", "exact", "set_match"]

REFERENCE = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")
DISTRACTOR_COUNT = "difficulty.distractor_turns"
_DIFFICULTY_REFERENCES = (DISTRACTOR_COUNT, "difficulty.paraphrase_depth", "difficulty.override_timing")

VariableName = Annotated[str, Field(pattern=r"^[a-zA-Z_]\w*$")]
NonEmptyText = Annotated[str, Field(min_length=1)]
M = TypeVar("M", bound=BaseModel)


class Variable(BaseModel, extra="forbid", frozen=True):
    """A name that the template's strings refer to, and the generator that its value is drawn from."""

    name: VariableName
    generator: NonEmptyText


class DifficultyPolicy(BaseModel, extra="forbid", frozen=True):
    """What a difficulty means: distractor turns in a block, and how many of a turn's variants may be drawn.

    Variants are written from the plainest to the most oblique; without a `paraphrase_depth` all may be drawn.
    """

    distractor_turns: dict[Difficulty, Annotated[int, Field(ge=0)]] = {}
    paraphrase_depth: dict[Difficulty, Annotated[int, Field(ge=0)]] = {}
    override_timing: dict[Difficulty, str] = {}


class TemplateTurn(BaseModel, extra="forbid", frozen=True):
    """One turn, or a block of them.

    `user`, `assistant`, `system` say `template` or one of `variants`. `call` is a tool call of the assistant
    with its result. `distractor_block` is `count` turns of small talk; `work` is filled with everyday work up
    to the length of the case. `tags` are for people who read the template; nothing else ever sees them.
    """

    role: Literal["user", "assistant", "system", "call", "distractor_block", "work"]
    template: NonEmptyText | None = None
    variants: list[NonEmptyText] = []
    tags: list[str] = []
    count: str | Annotated[int, Field(ge=0)] | None = None
    tool: NonEmptyText | None = None
    arguments: dict[str, Any] = {}
    output: str | None = None
    exit_code: int | None = None

    @model_validator(mode="after")
    def _has_what_its_role_needs(self) -> TemplateTurn:
        if self.role in ("user", "assistant", "system") and bool(self.template) == bool(self.variants):
            raise ValueError(f"a turn of role {self.role!r} needs either 'template' or 'variants'")
        if self.role == "distractor_block" and self.count is None:
            raise ValueError("a distractor_block needs 'count'")
        if self.role == "call" and (self.tool is None or self.output is None):
            raise ValueError("a call needs 'tool' and 'output'")
        return self

    @property
    def texts(self) -> tuple[str, ...]:
        """The wordings that it may have."""
        return (self.template,) if self.template else tuple(self.variants)


class Transcript(BaseModel, extra="forbid", frozen=True):
    """The turns, in order."""

    turns: Annotated[list[TemplateTurn], Field(min_length=1)]


class GroundTruth(BaseModel, extra="forbid", frozen=True):
    """What has to survive."""

    immutable_facts: list[str] = []
    locked_decisions: list[str] = []
    forbidden_behaviors: list[str] = []
    unresolved_items: list[str] = []
    deferred_items: list[str] = []
    entity_map: dict[str, str] = {}


class ExpectedAnswer(BaseModel, extra="allow", frozen=True):
    """What an answer must say, or must not.

    `check` is the published one. The other fields are read by this package's own scorer: `forms` are other
    ways to say `value` (or the first of `values`), `superseded` held once and must not be given as holding,
    `forbids` says that the answer has to be a prohibition. Unknown fields are kept: the published format
    allows them.
    """

    check: AnswerCheck
    value: str = ""
    values: list[str] = []
    forms: list[str] = []
    superseded: list[str] = []
    forbids: bool = False

    @model_validator(mode="after")
    def _has_what_its_check_needs(self) -> ExpectedAnswer:
        if self.check == "set_match" and not self.values:
            raise ValueError("set_match needs 'values', a list of texts")
        if self.check != "set_match" and not self.value:
            raise ValueError(f"{self.check} needs 'value', a text")
        return self


class EvaluationItem(BaseModel, extra="forbid", frozen=True):
    """A question about the transcript, and what its answer must say."""

    key: VariableName
    type: BenchItemType
    prompt: NonEmptyText
    expected: ExpectedAnswer


class Template(BaseModel, extra="forbid", frozen=True):
    """A template, checked, and ready to make cases from."""

    key: Annotated[str, Field(pattern=r"^[a-zA-Z_][\w-]*$")]
    family: VariableName
    version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")]
    difficulty_policy: DifficultyPolicy = DifficultyPolicy()
    variables: list[Variable] = []
    transcript: Transcript
    ground_truth: GroundTruth = GroundTruth()
    evaluation_items: Annotated[list[EvaluationItem], Field(min_length=1)]

    def distractors(self, difficulty: Difficulty) -> int:
        """How many distractor turns a block has; raises InputError where there is no such difficulty."""
        levels = self.difficulty_policy.distractor_turns
        if levels and difficulty not in levels:
            known = ", ".join(levels)
            raise InputError(f"template {self.key} has no difficulty {difficulty!r}; it has {known}")
        return levels.get(difficulty, 0)

    def difficulty_bindings(self, difficulty: Difficulty) -> dict[str, str]:
        """What the template's strings may refer to of a difficulty."""
        policy = self.difficulty_policy
        return {
            DISTRACTOR_COUNT: str(self.distractors(difficulty)),
            "difficulty.paraphrase_depth": str(policy.paraphrase_depth.get(difficulty, 0)),
            "difficulty.override_timing": policy.override_timing.get(difficulty, ""),
        }


class _File(BaseModel, extra="forbid", frozen=True):
    template: Template


def template_schema() -> dict[str, Any]:
    """The JSON schema of a template file, for editors and validators."""
    schema = _File.model_json_schema()
    schema["title"] = "tamis benchmark template"
    return schema


def read_template(document: YamlDocument, generators: Iterable[str]) -> Template:
    """The template in a document; `generators` are the names that a variable may draw from.

    Raises:
        InputError: it is not one; says the file, the line, the reason and what is accepted.
    """
    try:
        template = _File.model_validate(document.data).template
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise document.error(_place(first["loc"]), _reason(first)) from None
    _check_names(template, document)
    _check_counts(template, document)
    _check_generators(template, frozenset(generators), document)
    _check_references(template, document)
    return template


def substitute(text: str, bindings: Mapping[str, str]) -> str:
    """The text with every `{{name}}` replaced by its value."""
    return REFERENCE.sub(lambda found: bindings[found[1]], text)


def substitute_within(value: Any, bindings: Mapping[str, str]) -> Any:
    """The same in every text of a list or a mapping, keys too."""
    match value:
        case str():
            return substitute(value, bindings)
        case list():
            return [substitute_within(v, bindings) for v in value]
        case dict():
            return {substitute(k, bindings): substitute_within(v, bindings) for k, v in value.items()}
    return value


def filled(part: M, bindings: Mapping[str, str]) -> M:
    """A part of a template with the same in all its texts."""
    return type(part).model_validate(substitute_within(part.model_dump(), bindings))


def references_in(text: str) -> list[str]:
    """The names that a text refers to, in order.

    >>> references_in("{{ a }} and {{b.c}}")
    ['a', 'b.c']
    """
    return REFERENCE.findall(text)


def _place(where: tuple[str | int, ...]) -> list[str | int]:
    """Where pydantic found it, without what it adds for the branches of a union and the keys of a mapping."""
    added = ("[key]", "constrained-", "function-")
    return [step for step in where if not str(step).startswith(added)]


def _reason(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return "is not a field of a template; remove it or correct its name"
    if error["type"] == "missing":
        return "is missing; add it"
    said = error["msg"].removeprefix("Value error, ")
    given = error["input"]
    return f"{given!r}: {said}" if isinstance(given, str | int | float) else said


def _check_names(template: Template, document: YamlDocument) -> None:
    named = (
        ("variables", "name", [v.name for v in template.variables]),
        ("evaluation_items", "key", [item.key for item in template.evaluation_items]),
    )
    for group, field, names in named:
        for at, name in enumerate(names):
            if name in names[:at]:
                place = ("template", group, at, field)
                raise document.error(place, f"{name!r} stands here twice; give each its own")


def _check_counts(template: Template, document: YamlDocument) -> None:
    for at, turn in enumerate(template.transcript.turns):
        if isinstance(turn.count, str) and references_in(turn.count) != [DISTRACTOR_COUNT]:
            place = ("template", "transcript", "turns", at, "count")
            raise document.error(place, f'{turn.count!r}: give a number or "{{{{{DISTRACTOR_COUNT}}}}}"')


def _check_generators(template: Template, generators: frozenset[str], document: YamlDocument) -> None:
    for at, variable in enumerate(template.variables):
        if variable.generator not in generators:
            place = ("template", "variables", at, "generator")
            known = ", ".join(sorted(generators))
            raise document.error(place, f"no generator is called {variable.generator!r}; use one of {known}")


def _check_references(template: Template, document: YamlDocument) -> None:
    declared = frozenset(v.name for v in template.variables)
    for place, text in _texts(template.model_dump(), ("template",)):
        for name in references_in(text):
            if name in declared or name in _DIFFICULTY_REFERENCES:
                continue
            known = ", ".join(sorted(declared)) or "none is declared"
            raise document.error(
                place, f"{{{{{name}}}}} is not a variable; declare it or use one of: {known}"
            )


def _texts(value: Any, place: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    match value:
        case str():
            yield place, value
        case list():
            for i, v in enumerate(value):
                yield from _texts(v, (*place, i))
        case dict():
            for k, v in value.items():
                yield (*place, k), str(k)
                yield from _texts(v, (*place, k))
