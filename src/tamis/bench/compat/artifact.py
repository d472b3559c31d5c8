"""The published artifact: its schema, what a compaction becomes in it, and its tokens."""

from collections.abc import Callable
from itertools import pairwise
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, StringConstraints

from tamis.compactors import Compaction
from tamis.compactors.brief.writing.frame import FRAME
from tamis.ledger.projection import MAX_SUMMARY_CHARS, SCHEMA_VERSION, to_artifact
from tamis.ledger.state import State
from tamis.messages import Counter, part_text

MAX_ITEMS: Final = 200
WEIGHTIEST_FIRST: Final = (
    "forbidden_behaviors", "locked_decisions", "immutable_facts",
    "unresolved_items", "entity_map", "deferred_items",
)  # fmt: skip
"""The sections, by what the questions about them weigh."""

FRAME_TOKENS: Final = 26
"""Of what stands around a small brief, and of a message."""

ArtifactLine = Annotated[str, StringConstraints(min_length=1, max_length=500)]
ArtifactLines = Annotated[list[ArtifactLine], Field(max_length=MAX_ITEMS)]


class StructuredState(BaseModel, extra="forbid", frozen=True):
    """The six sections."""

    immutable_facts: ArtifactLines = []
    locked_decisions: ArtifactLines = []
    deferred_items: ArtifactLines = []
    forbidden_behaviors: ArtifactLines = []
    entity_map: dict[str, ArtifactLine] = {}
    unresolved_items: ArtifactLines = []


class Artifact(BaseModel, extra="forbid", frozen=True):
    """What the published benchmark's methods return."""

    schemaVersion: str = SCHEMA_VERSION  # noqa: N815 - the published names
    summaryText: Annotated[str, StringConstraints(max_length=MAX_SUMMARY_CHARS)] = ""  # noqa: N815
    structured_state: StructuredState = StructuredState()
    selectedSourceTurnIds: list[int] = []  # noqa: N815
    warnings: Annotated[list[ArtifactLine], Field(max_length=50)] = []
    methodMetadata: dict[str, Any] = {}  # noqa: N815


def artifact_of(made: Compaction) -> Artifact:
    """A compaction as an artifact: its messages are the summary, its state the sections, within bounds."""
    text = "\n\n".join(part_text(part) for message in made.messages for part in message.parts)
    return Artifact.model_validate(to_artifact(made.state or State(), summary=text))


def artifact_within(
    budget_tokens: int, compact: Callable[[int], Compaction], counter: Counter
) -> tuple[Compaction, Artifact]:
    """What a method makes within a budget that holds for the whole artifact, summary and state.

    The state has its room first: it says in a line what a brief needs a frame for. Where no brief fits beside
    it, it stands alone; where no line of it fits either, all is as it was.
    """
    made = compact(budget_tokens)
    whole = artifact_of(made)
    fits = artifact_tokens(whole, counter) <= budget_tokens
    if made.state is None or (fits and made.outcome != "fits"):
        return made, whole
    state, room = _lines_within(budget_tokens, whole.structured_state, counter)
    summary = _summary_within(room, compact, state, counter)
    if not summary and state == StructuredState():
        summary = whole.summaryText
    return made, whole.model_copy(update={"summaryText": summary, "structured_state": state})


def _summary_within(
    room: int, compact: Callable[[int], Compaction], state: StructuredState, counter: Counter
) -> str:
    """What a method says in so many tokens beside the state.

    A brief needs no frame in it, as the artifact says what it is, and does not repeat the state: it is asked
    for by as much longer as that may save.
    """
    told = {line for section in WEIGHTIEST_FIRST for line in getattr(state, section)}
    saved = FRAME_TOKENS + sum(counter.count_many(list(told)))
    for asked in (room + saved * part // 4 for part in range(4, -1, -1)):
        made = compact(max(1, asked))
        lines = artifact_of(made).summaryText.splitlines() if made.outcome == "fits" else []
        if lines[:1] and lines[0] in FRAME and sum(line.startswith("```") for line in lines) == 2:
            lines = [line for line in lines[1:] if line[2:] not in told and not line.startswith("```")]
            pairs = pairwise([*lines, "## "])  # a heading with nothing below it goes
            lines = [line for line, after in pairs if line[:3] != "## " or after[:3] != "## "]
        if lines and counter.count(text := "\n".join(lines)) <= room:
            return text
    return ""


def _lines_within(room: int, state: StructuredState, counter: Counter) -> tuple[StructuredState, int]:
    """The lines that fit, weightiest sections first, and the room that is left."""
    kept: dict[str, Any] = {}
    said = ""
    for section in WEIGHTIEST_FIRST:
        held, fits = getattr(state, section), dict[str, str]()
        for line, role in (held if isinstance(held, dict) else dict.fromkeys(held, "")).items():
            if f"{line} {role}".strip() in said:
                continue
            if (tokens := sum(counter.count_many([line, role]))) <= room:
                room -= tokens
                fits[line] = role
                said += f"{line} {role}\n"
        kept[section] = fits if isinstance(held, dict) else [*fits]
    return StructuredState(**kept), room


def artifact_tokens(artifact: Artifact, counter: Counter) -> int:
    """The tokens of the summary and of every value of the state, counted one by one as published."""
    state = artifact.structured_state
    texts = [
        artifact.summaryText,
        *state.immutable_facts,
        *state.locked_decisions,
        *state.deferred_items,
        *state.forbidden_behaviors,
        *state.unresolved_items,
        *(text for pair in state.entity_map.items() for text in pair),
    ]
    return sum(counter.count_many(texts))
