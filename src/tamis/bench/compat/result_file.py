"""`results.jsonl`, the published result file: one event a line, read and written as its program does."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from tamis.bench.compat import published_scores as scores
from tamis.bench.methodology import TIER_FLOORS, Tier
from tamis.errors import NotComparable, UnreadableFile
from tamis.faults import first_fault
from tamis.text_files import read_text


class CycleResult(BaseModel, extra="forbid", frozen=True):
    """A cycle."""

    cycle_number: int
    scorecard: scores.Scorecard
    drift_delta: float | None = None
    latency_ms: int | None = None


class CaseResult(BaseModel, extra="forbid", frozen=True):
    """A case."""

    case_id: str
    template_key: str
    seed: int
    cycles: list[CycleResult]
    case_score: float
    drift_resistance: float


class RunStart(BaseModel, extra="forbid", frozen=True):
    """The first line."""

    event: Literal["run_start"] = "run_start"
    run_id: str
    method_name: str
    method_version: str
    suite_key: str
    suite_version: str
    scorer_version: str = scores.PUBLISHED_SCORER
    target_provider: str
    target_model: str
    difficulty: str
    drift_cycles: int
    seed_group: str
    case_count_per_template: int
    started_at: datetime


class CaseComplete(BaseModel, extra="forbid", frozen=True):
    """A case is done."""

    event: Literal["case_complete"] = "case_complete"
    case_result: CaseResult


class RunEnd(BaseModel, extra="forbid", frozen=True):
    """The last line."""

    event: Literal["run_end"] = "run_end"
    completed_at: datetime
    overall_score: float
    drift_resistance: float
    constraint_retention: float
    contradiction_rate: float
    compression_ratio: float
    notes: list[str] = []


ResultEvent = RunStart | CaseComplete | RunEnd
_EVENT: TypeAdapter[ResultEvent] = TypeAdapter(Annotated[ResultEvent, Field(discriminator="event")])


class PublishedRun(BaseModel, frozen=True):
    """A results file that was read. `end` is None where the run was interrupted."""

    start: RunStart
    cases: list[CaseResult]
    end: RunEnd | None


def write_results(path: Path, events: Iterable[ResultEvent]) -> None:
    """Append events, each on the disk before the next is asked for; a cut last line goes first."""
    with path.open("a+b") as file:
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
    with path.open("a", encoding="utf-8") as file:
        for event in events:
            file.write(event.model_dump_json() + "\n")
            file.flush()


def is_results(path: Path) -> bool:
    """Whether a file begins as a published result file; raises UnreadableFile where it cannot be read."""
    try:
        with path.open("rb") as file:
            return b'"run_start"' in file.readline()
    except OSError as error:
        raise UnreadableFile(f"{path}: cannot be read ({error.strerror}); name a run's log") from None


def read_results(path: Path) -> PublishedRun:
    """Read a results file; a last line that was cut off is left out.

    Raises:
        UnreadableFile: not one, or broken; names the line.
        NotComparable: made for another version of the published scorer.
    """
    text = read_text(path, "name a results.jsonl")
    events: list[ResultEvent] = []
    *lines, _cut = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            events.append(_EVENT.validate_json(line))
        except ValidationError as error:
            fault = first_fault(error, "the line")
            raise UnreadableFile(f"{path}, line {number}: {fault}; remove or repair the line") from None
    if not events or not isinstance(events[0], RunStart):
        raise UnreadableFile(f"{path}, line 1: no run_start; name a results.jsonl from its first line on")
    start = events[0]
    if start.scorer_version != scores.PUBLISHED_SCORER:
        raise NotComparable(
            f"{path}, line 1: made for scorer {start.scorer_version!r}, this tamis has "
            f"{scores.PUBLISHED_SCORER!r}; run it again"
        )
    return PublishedRun(
        start=start,
        cases=[e.case_result for e in events if isinstance(e, CaseComplete)],
        end=next((e for e in events if isinstance(e, RunEnd)), None),
    )


def scores_of(result: CaseResult) -> scores.PublishedCaseScore:
    """The figures that stand in a case's result."""
    return scores.PublishedCaseScore(
        template_key=result.template_key,
        cycles=tuple(cycle.scorecard for cycle in result.cycles),
        score=result.case_score,
        drift_resistance=result.drift_resistance,
    )


@dataclass(frozen=True, kw_only=True)
class PublishedScore:
    """What a results file comes to: the figures, and for each tier the elite score and the missed floors."""

    method: str
    method_version: str
    suite: str
    suite_version: str
    scorer: str
    reader: str
    figures: scores.PublishedRunScore
    elite: Mapping[Tier, float]
    disqualified: Mapping[Tier, tuple[str, ...]]


def score_results(run: PublishedRun) -> PublishedScore:
    """The published figures of a results file that was read."""
    scored = [(case.case_id, scores_of(case)) for case in run.cases]
    total = scores.figures([case for _, case in scored])
    start = run.start
    return PublishedScore(
        method=start.method_name,
        method_version=start.method_version,
        suite=start.suite_key,
        suite_version=start.suite_version,
        scorer=start.scorer_version,
        reader=start.target_model,
        figures=total,
        elite={tier: scores.elite_score(total, tier) for tier in TIER_FLOORS},
        disqualified={
            tier: tuple(scores.disqualified(total, scored, tier, start.drift_cycles)) for tier in TIER_FLOORS
        },
    )
