"""Cases: a transcript with its questions, made from a template, a seed and a difficulty, and nothing else.

The same template version, seed group, slot, difficulty, length and position give the same bytes on every
Python and platform. No tag and no label of the template is in a case's messages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final, Literal

from tamis.bench.filler import FillerWork
from tamis.bench.template import (
    Difficulty,
    EvaluationItem,
    GroundTruth,
    Template,
    TemplateTurn,
    filled,
    references_in,
    substitute,
    substitute_within,
)
from tamis.bench.word_lists import Draws, Words
from tamis.errors import InputError
from tamis.messages import Message, Session, Text, ToolCall, ToolResult, count_messages, get_counter, identify
from tamis.messages.conversation import Part
from tamis.sessions import write

CASE_VERSION: Final = "1"
"""Changes when the same template and seed give another case."""

TOKENIZER: Final = "cl100k_base"
"""The tokenizer of the published benchmark, for lengths and ratios."""

Position = Literal["start", "middle", "end"]
POSITIONS: Final[tuple[Position, ...]] = ("start", "middle", "end")

LENGTHS: Final = (1_000, 200_000)
_LEAD: Final[Mapping[Position, float]] = {"start": 0.1, "middle": 0.5, "end": 0.9}
_WITHIN = 0.4
"""The share of the work that stands between the tested turns, where the template leaves room there."""

_CONTINUED = 0.3
"""A continuation's length, as a share of the transcript's."""

_TALK = 2
"""A distractor block counts turns; a piece of small talk has about two."""


@dataclass(frozen=True, kw_only=True)
class Spot:
    """Which case of a template: seed group and slot, how hard, how long, and where the tested turns are."""

    seed_group: str = "practice"
    slot: int = 0
    difficulty: Difficulty = "medium"
    length_tokens: int = 4_000
    position: Position | None = None

    def __post_init__(self) -> None:
        low, high = LENGTHS
        if not low <= self.length_tokens <= high:
            raise InputError(f"a length of {self.length_tokens} tokens; give {low:,} to {high:,}")

    @property
    def placed(self) -> Position:
        """Where the tested turns stand: as told, or by turns."""
        return self.position or POSITIONS[self.slot % len(POSITIONS)]


@dataclass(frozen=True, kw_only=True)
class CaseQuestions:
    """What has to survive a transcript's compaction, and how that is asked.

    `rivals` are, for each item's key, values of the same kind as the expected ones that stand in the
    transcript too.
    """

    case: str
    template: str
    family: str
    slot: int
    ground_truth: GroundTruth
    items: tuple[EvaluationItem, ...]
    rivals: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A transcript and the questions about it. `continuations[n]` follows the artifact of cycle n."""

    questions: CaseQuestions
    messages: tuple[Message, ...]
    continuations: tuple[tuple[Message, ...], ...]


def make_case(
    template: Template, suite: str, spot: Spot, *, words: Words, work: FillerWork, cycles: int = 2
) -> Case:
    """The case of a template at a spot; `suite` is the suite's `key@version`."""
    draws, values = _seed(template, suite, spot, words)
    bindings = {**values, **template.difficulty_bindings(spot.difficulty)}
    maker = _Maker(template=template, spot=spot, draws=draws, bindings=bindings, work=work)
    return Case(
        questions=make_questions(template, suite, spot, words=words),
        messages=identify(maker.transcript()),
        continuations=tuple(identify(maker.continuation(n)) for n in range(1, cycles + 1)),
    )


def make_questions(template: Template, suite: str, spot: Spot, *, words: Words) -> CaseQuestions:
    """Only the questions of a case: what scoring needs."""
    _, values = _seed(template, suite, spot, words)
    bindings = {**values, **template.difficulty_bindings(spot.difficulty)}
    return CaseQuestions(
        case=case_id(template, spot),
        template=template.key,
        family=template.family,
        slot=spot.slot,
        ground_truth=filled(template.ground_truth, bindings),
        items=tuple(filled(item, bindings) for item in template.evaluation_items),
        rivals={item.key: _rivals(item, template, values) for item in template.evaluation_items},
    )


def case_id(template: Template, spot: Spot) -> str:
    """What a case is called in logs."""
    return (
        f"{template.key}@{template.version}:{spot.seed_group}:{spot.slot}"
        f":{spot.difficulty}:{spot.length_tokens}:{spot.placed}"
    )


def _seed(template: Template, suite: str, spot: Spot, words: Words) -> tuple[Draws, dict[str, str]]:
    """Where a case's draws start, and a value for each variable; none could be taken for another's."""
    where = f"{template.key}@{template.version}:{spot.seed_group}:{spot.slot}"
    draws = Draws(f"tamis-bench/{CASE_VERSION}:{suite}/{where}")
    values: dict[str, str] = {}
    for variable in template.variables:
        own = draws.named(f"variable/{variable.name}")
        values[variable.name] = words.draw_other(variable.generator, own, values.values())
    return draws, values


def _rivals(item: EvaluationItem, template: Template, values: Mapping[str, str]) -> tuple[str, ...]:
    """The values drawn from the same lists as the expected ones, and not expected themselves."""
    wanted = {name for text in (item.expected.value, *item.expected.values) for name in references_in(text)}
    kinds = {v.generator for v in template.variables if v.name in wanted}
    named = wanted | {name for form in item.expected.forms for name in references_in(form)}
    named |= set(references_in(item.prompt))
    return tuple(values[v.name] for v in template.variables if v.generator in kinds and v.name not in named)


@dataclass(frozen=True, kw_only=True)
class _Maker:
    template: Template
    spot: Spot
    draws: Draws
    bindings: Mapping[str, str]
    work: FillerWork

    def transcript(self) -> list[Message]:
        turns = self.template.transcript.turns
        blocks = [self._turn(at, turn) for at, turn in enumerate(turns)]
        counter = get_counter(TOKENIZER)
        tested = sum(sum(count_messages(block, counter)) for block in blocks)
        places = [at for at, turn in enumerate(turns) if turn.role == "work"]
        if places:
            shares = _shares(places, len(turns), self.spot.placed)
            parts = self._work(shares, self.spot.length_tokens - tested)
            for at, part in zip(places, parts, strict=True):
                blocks[at] = part
        return [message for block in blocks for message in block]

    def continuation(self, number: int) -> list[Message]:
        """What comes after the artifact of a cycle: more everyday work, about other things."""
        room = int(self.spot.length_tokens * _CONTINUED)
        (part,) = self._work((1.0,), room, name=f"continuation/{number}")
        return part

    def _work(self, shares: Sequence[float], room: int, name: str = "work") -> list[list[Message]]:
        """Whole episodes up to `room` tokens, dealt out to the places by their shares, in order."""
        counter = get_counter(TOKENIZER)
        episodes: list[tuple[int, tuple[Message, ...]]] = []
        total = 0
        draws = self.draws.named(f"{name}/{self.spot.difficulty}")
        for number, episode in enumerate(self.work.episodes(draws, self._to_avoid)):
            if total >= room:
                break
            own = tuple(_renamed(m, f"{name}_{number}") for m in episode)
            tokens = sum(count_messages(own, counter))
            if total + tokens > room and episodes:
                break
            episodes.append((tokens, own))
            total += tokens
        parts: list[list[Message]] = [[] for _ in shares]
        at, filled, due = 0, 0.0, shares[0] * total
        for tokens, episode in episodes:
            while at < len(shares) - 1 and filled + tokens / 2 > due:
                at += 1
                due += shares[at] * total
            parts[at].extend(episode)
            filled += tokens
        return parts

    @property
    def _to_avoid(self) -> list[str]:
        return [value for name, value in self.bindings.items() if "." not in name]

    def _turn(self, at: int, turn: TemplateTurn) -> list[Message]:
        draws = self.draws.named(f"turn/{at}")
        match turn.role:
            case "work":
                return []
            case "distractor_block":
                return self._talk(turn, draws)
            case "call":
                return self._call(at, turn, draws)
            case "user" | "assistant" | "system":
                return [Message(id="", role=turn.role, parts=(Text(text=self._wording(turn, draws)),))]

    def _wording(self, turn: TemplateTurn, draws: Draws) -> str:
        """One of the wordings; how oblique it may be is up to the difficulty."""
        texts = turn.texts
        depth = self.template.difficulty_policy.paraphrase_depth.get(self.spot.difficulty)
        texts = texts if depth is None else texts[: depth + 1]
        return substitute(draws.choice(texts), self.bindings)

    def _talk(self, turn: TemplateTurn, draws: Draws) -> list[Message]:
        named = self.template.distractors(self.spot.difficulty)
        number = turn.count if isinstance(turn.count, int) else named
        talk: list[Message] = []
        for episode in self.work.episodes(draws, self._to_avoid, only_talk=True):
            if len(talk) >= number:
                break
            talk.extend(episode)
        return talk[: -(-number // _TALK) * _TALK]

    def _call(self, at: int, turn: TemplateTurn, draws: Draws) -> list[Message]:
        arguments = substitute_within(turn.arguments, self.bindings)
        call = ToolCall(id=f"call_{at}", name=turn.tool or "", arguments=arguments)
        said = (Text(text=self._wording(turn, draws)),) if turn.texts else ()
        result = ToolResult(
            call_id=call.id,
            name=call.name,
            text=substitute(turn.output or "", self.bindings),
            exit_code=turn.exit_code,
            is_error=None if turn.exit_code is None else turn.exit_code != 0,
        )
        return [
            Message(id="", role="assistant", parts=(*said, call)),
            Message(id="", role="tool", parts=(result,)),
        ]


def _shares(places: Sequence[int], turns: int, position: Position) -> list[float]:
    """How the work is dealt out to the places: before, between and behind the tested turns."""
    lead = _LEAD[position]
    inner = sum(0 < at < turns - 1 for at in places)
    weights = [
        lead if at == 0 else 1.0 - lead if at == turns - 1 else _WITHIN / (1.0 - _WITHIN) / inner
        for at in places
    ]
    return [weight / sum(weights) for weight in weights]


def _renamed(message: Message, name: str) -> Message:
    """The message with call ids of this place, so that no two calls of a case share one."""
    ids = (f"{name}_{number}".replace("/", "_") for number in count())
    parts: list[Part] = []
    for part in message.parts:
        match part:
            case ToolCall():
                parts.append(replace(part, id=next(ids)))
            case ToolResult():
                parts.append(replace(part, call_id=next(ids)))
            case _:
                parts.append(part)
    return replace(message, parts=tuple(parts))


def write_case(case: Case, folder: Path) -> Path:
    """Write the transcript into the folder; gives the file's path."""
    name = case.questions.case.replace(":", "_").replace("@", "-")
    path = folder / f"{name}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror}); choose another place") from None
    write(Session(id=name, format="tamis", messages=case.messages), path, "openai-chat", force=True)
    return path
