"""`results.jsonl`, the published result file: one event a line, read and written as its program does."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from tamis.bench.compat.scores import PUBLISHED_SCORER, PublishedCaseScore, PublishedCycle
from tamis.errors import NotComparable, UnreadableFile


class _Event(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ItemResult(_Event):
    """The score of an item."""

    item_key: str
    item_type: str
    score: float
    weight: float
    check_type: str
    details: dict[str, Any] = {}


class Scorecard(_Event):
    """The scores of a cycle."""

    cycle_number: int
    cycle_score: float
    penalized_cycle_score: float
    contradiction_rate: float
    compression_ratio: float
    item_scores: list[ItemResult]


class CycleResult(_Event):
    """A cycle."""

    cycle_number: int
    scorecard: Scorecard
    drift_delta: float | None = None
    latency_ms: int | None = None


class CaseResult(_Event):
    """A case."""

    case_id: str
    template_key: str
    seed: int
    cycles: list[CycleResult]
    case_score: float
    drift_resistance: float


class RunStart(_Event):
    """The first line."""

    event: Literal["run_start"] = "run_start"
    run_id: str
    method_name: str
    method_version: str
    suite_key: str
    suite_version: str
    scorer_version: str = PUBLISHED_SCORER
    target_provider: str
    target_model: str
    difficulty: str
    drift_cycles: int
    seed_group: str
    case_count_per_template: int
    started_at: datetime


class CaseComplete(_Event):
    """A case is done."""

    event: Literal["case_complete"] = "case_complete"
    case_result: CaseResult


class RunEnd(_Event):
    """The last line."""

    event: Literal["run_end"] = "run_end"
    completed_at: datetime
    overall_score: float
    drift_resistance: float
    constraint_retention: float
    contradiction_rate: float
    compression_ratio: float
    notes: list[str] = []


Event = RunStart | CaseComplete | RunEnd
_EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event")])


class PublishedRun(BaseModel):
    """A results file that was read. `end` is None where the run was interrupted."""

    model_config = ConfigDict(frozen=True)

    start: RunStart
    cases: list[CaseResult]
    end: RunEnd | None


def write_results(path: Path, events: Iterable[Event]) -> None:
    """Write events, each on the disk before the next is asked for."""
    with path.open("w", encoding="utf-8") as file:
        for event in events:
            file.write(event.model_dump_json() + "\n")
            file.flush()


def read_results(path: Path) -> PublishedRun:
    """Read a results file; a last line that was cut off is left out.

    Raises:
        UnreadableFile: not one, or broken; names the line.
        NotComparable: made for another version of the published scorer.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{path}: cannot be read ({error}); name a results.jsonl") from None
    events: list[Event] = []
    *lines, _cut = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            events.append(_EVENT.validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            raise UnreadableFile(
                f"{path}, line {number}: {where}: {first['msg']}; remove or repair the line"
            ) from None
    if not events or not isinstance(events[0], RunStart):
        raise UnreadableFile(f"{path}, line 1: no run_start; name a results.jsonl from its first line on")
    start = events[0]
    if start.scorer_version != PUBLISHED_SCORER:
        raise NotComparable(
            f"{path}, line 1: made for scorer {start.scorer_version!r}, this tamis has {PUBLISHED_SCORER!r}; "
            "run it again"
        )
    return PublishedRun(
        start=start,
        cases=[e.case_result for e in events if isinstance(e, CaseComplete)],
        end=next((e for e in events if isinstance(e, RunEnd)), None),
    )


def scores_of(result: CaseResult) -> PublishedCaseScore:
    """The figures that stand in a case's result."""
    cards = [cycle.scorecard for cycle in result.cycles]
    return PublishedCaseScore(
        template_key=result.template_key,
        cycles=tuple(
            PublishedCycle(
                items=tuple((i.item_key, i.item_type, i.score) for i in card.item_scores),
                score=card.cycle_score,
                penalized=card.penalized_cycle_score,
                contradiction_rate=card.contradiction_rate,
                ratio=card.compression_ratio,
            )
            for card in cards
        ),
        score=result.case_score,
        drift_resistance=result.drift_resistance,
    )
