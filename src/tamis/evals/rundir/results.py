"""The records of an evaluation, as values that go to JSON and back.

The same classes are the documented schema of `tamis eval --json` and of a run directory. Records name each
other by key: an answer its result and its probe, a judgement its answer. A key is a digest of what it names,
so the same measurement has the same key in every run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Final, Literal

from tamis.compactors.protocol import Usage
from tamis.evals.acting.actions import CallAgreement, Said
from tamis.evals.figures.prices import Price
from tamis.evals.figures.short_table import KeptShare, ShortTable, short_table
from tamis.evals.hindsight import Hindsight, KindScore, Need, NotMeasured
from tamis.evals.judging.calibration import Calibration
from tamis.evals.judging.judge import Judgement
from tamis.evals.probing.exact_scorer import AnswerScore
from tamis.evals.probing.probes import Probe
from tamis.evals.probing.readers import Answer
from tamis.evals.statements.keypoints import KeyPoint, StatementRecall
from tamis.models.likelihood import Cost
from tamis.text.names import NameKind

RUN_FORMAT: Final = "tamis-run/2"
LEXICAL = "lexical"
OFFLINE = "offline"
"""The reader and the judge that need no model."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What an evaluation was asked to do, as given on the command line.

    No `readers`: no probes are asked. `probes` names a file of saved probes, which are asked instead of made
    ones. `probe_model` names a model that makes more. `rubric` names the file that judges go by; None: the
    one that ships. `calibration` is how many answers of known worth a model judges first; None: as many as is
    sound for it. `timeout_s` is the most that one compaction may take. `price` is what the tokens are
    priced at, where that was asked for, or why it is not known. `by` says what is averaged together beside
    the whole: the sessions of a path, or those that work at the same kind of task. `likelihoods` are models
    that tell how little the agent's next act surprises them; `next_actions` models that are asked for their
    next call.
    """

    methods: tuple[str, ...]
    budgets: tuple[str, ...]
    at: tuple[str, ...] = ("50%",)
    tokenizer: str = "o200k_base"
    cycles: int = 1
    readers: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    repeats: int = 1
    calibration: int | Literal["all"] | None = None
    rubric: str | None = None
    probes: str | None = None
    probe_model: str | None = None
    timeout_s: float | None = None
    price: Price | NotMeasured | None = None
    by: Literal["set", "task"] = "set"
    likelihoods: tuple[str, ...] = ()
    next_actions: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """A method that raised, hung or broke a guarantee here. Not a zero.

    `failed` tells it from `NotMeasured` where it is read back from JSON.
    """

    reason: str
    failed: Literal[True] = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """One method at one budget at one point, after so many cycles of compaction.

    `outcome` is the compactor's own word (`fits`, `unchanged`, `unmet`) or `failed`. `score` is the figure,
    or why there is none. `context` is the key of the compacted text in the run's store. `tokens_before` is
    what has been replaced in all cycles up to this one. `lasting` says, in a run of several cycles, how many
    of the point's lasting names stand in the context still, by kind. `usage` and `cost_usd` are what the
    method spent on a model; None where it asks none, or the price is not known. `statements` says how many of
    the point's key points the context says; None where the method failed.
    """

    point: str
    method: str
    version: str
    budget: str
    budget_tokens: int
    tokens_before: int
    tokens_after: int
    outcome: Literal["fits", "unchanged", "unmet", "failed"]
    score: Hindsight | NotMeasured | Failure
    warnings: tuple[str, ...] = ()
    latency_ms: float = 0.0
    context: str | None = None
    cycle: int = 1
    lasting: Mapping[NameKind, KindScore] | None = None
    usage: Usage | None = None
    cost_usd: float | None = None
    statements: StatementRecall | NotMeasured | None = None

    @property
    def key(self) -> str:
        """What answers name it by."""
        return result_key(self.point, self.method, self.budget, self.cycle)


@dataclass(frozen=True, kw_only=True, slots=True)
class LaterCut:
    """Where a further cycle cuts, and what was needed behind that cut.

    `span_tokens` counts everything before the cut; `new` is the key of the text that came since the last one.
    """

    cycle: int
    cut: int
    span_tokens: int
    turns_after: int
    needs: tuple[Need, ...]
    new: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PointRecord:
    """One compaction point: where it stands and what was needed behind it.

    `key` names the point in the run. `cluster` is what intervals are resampled by: the session, or the task
    where several sessions are tries at the same one. `span` is the key of the span's text in the store.
    `view_before` and `view_behind` are those of what a reader has in view beside the compacted span: the
    system prompt, and what came before the next act; None where there is nothing.

    `later` are the cuts of the further cycles. `lasting` are the names that were needed at the first cut and
    that no message between the first and the last cut says again: what only memory can keep. `key_points` are
    sentences of later recaps whose content stands in the span, at the first cut.
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
    view_before: str | None = None
    view_behind: str | None = None
    later: tuple[LaterCut, ...] = ()
    lasting: tuple[str, ...] = ()
    key_points: tuple[KeyPoint, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ProbeRecord:
    """A probe, and the point that it is asked at.

    `asked_until` is the last cycle in which its answer still held: what came later changes some answers.
    """

    point: str
    probe: Probe
    asked_until: int = 1

    @property
    def key(self) -> str:
        """What names it in the run: the same question may be asked at many points."""
        return f"{self.point}/{self.probe.id}"


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerRecord:
    """What a reader answered to a probe from one compacted context, and what the answer is worth.

    `result` is the key of the result, `probe` the id of the probe at its point. `exact` is the exact scorer's
    figure; `held` the share of what was expected that stands in the context at all. `prompt` and `reply` are
    the keys of what a model was asked and said, word for word.
    """

    result: str
    probe: str
    reader: str
    reader_version: str
    answer: Answer | NotMeasured
    exact: AnswerScore | NotMeasured
    held: float | None
    usage: Usage | None = None
    cost_usd: float | None = None
    prompt: str | None = None
    reply: str | None = None

    @property
    def key(self) -> str:
        """What judgements name it by."""
        return answer_key(self.result, self.probe, self.reader)


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgementRecord:
    """What a judge made of an answer, by which rubric (`name@version`), the how-manieth time."""

    answer: str
    judge: str
    judge_version: str
    rubric: str
    repeat: int
    judgement: Judgement | NotMeasured
    usage: Usage | None = None
    cost_usd: float | None = None
    prompt: str | None = None
    reply: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class LikelihoodRecord:
    """What the agent's next act cost a model behind one compacted context, or why that was not measured."""

    result: str
    model: str
    cost: Cost | NotMeasured


@dataclass(frozen=True, kw_only=True, slots=True)
class NextActionRecord:
    """What a model called next behind one compacted context, and how far that agrees.

    With what the agent called; with what the model calls when everything is in view; `noise` is how far it
    agrees with itself, everything in view, when it is asked again in other words.
    """

    result: str
    model: str
    said: Said | NotMeasured
    with_agent: CallAgreement | NotMeasured
    with_full: CallAgreement | NotMeasured
    noise: CallAgreement | NotMeasured
    usage: Usage | None = None
    cost_usd: float | None = None
    prompt: str | None = None
    reply: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SkippedInput:
    """Something that was not measured, and why: a file, a session, or a point in one."""

    source: str
    what: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionResults:
    """Everything measured in one session or file; what a worker hands back.

    `texts` are the texts that the records name, by key.
    """

    sessions: int = 0
    messages: int = 0
    points: tuple[PointRecord, ...] = ()
    probes: tuple[ProbeRecord, ...] = ()
    results: tuple[Result, ...] = ()
    answers: tuple[AnswerRecord, ...] = ()
    judgements: tuple[JudgementRecord, ...] = ()
    calibrations: tuple[Calibration, ...] = ()
    likelihoods: tuple[LikelihoodRecord, ...] = ()
    next_actions: tuple[NextActionRecord, ...] = ()
    skipped: tuple[SkippedInput, ...] = ()
    texts: dict[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def merged(cls, parts: Sequence[SessionResults]) -> SessionResults:
        """Several sessions' results as one."""
        return cls(
            sessions=sum(p.sessions for p in parts),
            messages=sum(p.messages for p in parts),
            texts={key: text for p in parts for key, text in p.texts.items()},
            **{name: tuple(x for p in parts for x in getattr(p, name)) for name in RECORDS},
        )


RECORDS: Final = tuple(f.name for f in fields(SessionResults) if str(f.type).startswith("tuple["))
"""The kinds of records, each of which has a file in a run directory."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Run:
    """A finished evaluation.

    The records of a run that was read from a folder are read anew each time they are gone through, so that a
    large run takes no more memory than a small one.
    """

    format: Literal["tamis-run/2"] = "tamis-run/2"
    tamis: str
    settings: Settings
    exact_tokens: bool
    sessions: int
    messages: int
    points: Collection[PointRecord]
    results: Collection[Result]
    skipped: Collection[SkippedInput]
    probes: Collection[ProbeRecord] = ()
    answers: Collection[AnswerRecord] = ()
    judgements: Collection[JudgementRecord] = ()
    calibrations: Collection[Calibration] = ()
    likelihoods: Collection[LikelihoodRecord] = ()
    next_actions: Collection[NextActionRecord] = ()

    def table(self) -> ShortTable:
        """What each method kept at each budget, in one small table."""
        clusters = {point.key: point.cluster for point in self.points}
        kept = (
            KeptShare(
                method=result.method,
                budget=result.budget,
                cluster=clusters[result.point],
                share=result.score.recall if isinstance(result.score, Hindsight) else None,
                said=result.statements.recall if isinstance(result.statements, StatementRecall) else None,
            )
            for result in self.results
            if result.cycle == 1 and result.point in clusters
        )
        return short_table(kept, budgets=self.settings.budgets)

    def __repr__(self) -> str:
        counts = f"{len(self.points):,} points, {len(self.results):,} results, {len(self.answers):,} answers"
        return f"<Run of {self.sessions:,} sessions: {counts}; table() has the figures>"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def digest(text: str) -> str:
    """The key of a text in a run's store."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def result_key(point: str, method: str, budget: str, cycle: int) -> str:
    """The key of a result."""
    return digest(f"{point}\0{method}\0{budget}\0{cycle}")


def answer_key(result: str, probe: str, reader: str) -> str:
    """The key of an answer: one per result, probe and reader."""
    return digest(f"{result}\0{probe}\0{reader}")
