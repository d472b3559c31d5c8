"""What an evaluation leaves behind, as values that go to JSON and back.

The same classes are the documented schema of `tamis eval --json` and of a run directory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from pydantic import Field

from tamis.evals.hindsight import Hindsight, Need, NotMeasured

RUN_FORMAT: Final = "tamis-run/1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What an evaluation was asked to do, as given on the command line."""

    methods: tuple[str, ...]
    budgets: tuple[str, ...]
    at: tuple[str, ...] = ("50%",)
    tokenizer: str = "o200k_base"


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """A method that raised, hung or broke a guarantee here. Not a zero.

    `failed` tells it from `NotMeasured` where it is read back from JSON.
    """

    reason: str
    failed: Literal[True] = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """One method at one budget at one point.

    `outcome` is the compactor's own word (`fits`, `unchanged`, `unmet`) or `failed`. `score` is the figure,
    or why there is none. `context` is the key of the compacted text in the run's store.
    """

    point: str
    method: str
    version: str
    budget: str
    budget_tokens: int
    tokens_before: int
    tokens_after: int
    outcome: Literal["fits", "unchanged", "unmet", "failed"]
    score: Annotated[Hindsight | NotMeasured | Failure, Field(union_mode="smart")]
    warnings: tuple[str, ...] = ()
    latency_ms: float = 0.0
    context: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PointRecord:
    """One compaction point: where it stands and what was needed behind it.

    `key` names the point in the run. `cluster` is what intervals are resampled by: the session, or the task
    where several sessions are tries at the same one. `span` is the key of the span's text in the store.
    """

    key: str
    set: str
    source: str
    session_id: str
    cluster: str
    label: str
    cut: int
    span_tokens: int
    turns_after: int
    needs: tuple[Need, ...]
    span: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """Something that was not measured, and why: a file, a session, or a point in one."""

    source: str
    what: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionResults:
    """Everything measured in one session or file; what a worker hands back.

    `texts` are the spans and contexts that `PointRecord.span` and `Result.context` name.
    """

    sessions: int = 0
    messages: int = 0
    points: tuple[PointRecord, ...] = ()
    results: tuple[Result, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    texts: dict[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """A finished evaluation."""

    format: Literal["tamis-run/1"] = "tamis-run/1"
    tamis: str
    settings: Settings
    exact_tokens: bool
    sessions: int
    messages: int
    points: tuple[PointRecord, ...]
    results: tuple[Result, ...]
    skipped: tuple[Skipped, ...]
