"""The published artifact: its schema, what a compaction becomes in it, and its tokens."""

from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, StringConstraints

from tamis.compactors import Compaction
from tamis.ledger.projection import MAX_SUMMARY_CHARS, SCHEMA_VERSION, to_artifact
from tamis.ledger.state import State
from tamis.messages import Counter, part_text

MAX_ITEMS: Final = 200
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
