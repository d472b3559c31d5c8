"""Running the benchmark: compact, ask, go on, compact again.

Cycle 0 compacts the transcript. Every later cycle gets the artifact of the one before and the continuation,
and nothing else: what a method carries besides its messages is taken from it, because nobody counts that. A
reader answers the questions from the artifact alone. An answer that it breaks off or refuses says nothing
about the artifact: it is not measured, why stands in the log, and it can be asked again.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from pydantic_core import to_json

from tamis._version import __version__
from tamis.bench.case import CASE_VERSION, TOKENIZER, Case, CaseQuestions, Position, Spot
from tamis.bench.item_scorer import SCORER
from tamis.bench.methodology import TIER_FLOORS, Tier
from tamis.bench.run_log import (
    AgainEntry,
    AnswerEntry,
    CaseEntry,
    CycleEntry,
    Setup,
    append,
    start_log,
)
from tamis.bench.suite import Suite
from tamis.bench.template import Difficulty, EvaluationItem
from tamis.compactors import Compaction, CompactionRequest, Compactor, run_compactor
from tamis.errors import InputError, MethodFailed, ModelError, PromptTooLong, RequestRejected
from tamis.evals.probing.readers import Reader
from tamis.ledger.state import State
from tamis.messages import Message, get_counter, part_text
from tamis.messages.wire import from_wire, to_wire
from tamis.models.retry import PASSING

READER_PATIENCE: Final = 5
"""So many failures in a row of the reader's server end a run: it is down."""


class Examiner:
    """Where questions are put to the reader. It stops the run where the reader cannot be asked at all."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._has_answered = False
        self._down = 0

    def ask(
        self,
        items: Sequence[EvaluationItem],
        artifact: Sequence[Message],
        only: Collection[str] | None = None,
    ) -> tuple[AnswerEntry, ...]:
        """What the reader answers from the artifact alone, item by item; to those in `only`, where given.

        Raises:
            ModelError: the reader's server is down, or accepts no request (a wrong key, a wrong name).
        """

        async def answer_all() -> tuple[AnswerEntry, ...]:
            asked = [item for item in items if only is None or item.key in only]
            return tuple([await self._answer(item, artifact) for item in asked])

        return asyncio.run(answer_all())

    async def _answer(self, item: EvaluationItem, artifact: Sequence[Message]) -> AnswerEntry:
        try:
            answer = await self._reader.answer(item.prompt, artifact)
        except ModelError as error:
            self._note(error)
            why = f"{type(error).__name__}: {error}"
            return AnswerEntry(item=item.key, text="", not_measured=why)
        self._has_answered, self._down = True, 0
        return AnswerEntry(item=item.key, text="" if answer.declined else answer.text)

    def _note(self, error: ModelError) -> None:
        """Raise what would befall every other question too."""
        if isinstance(error, RequestRejected) and not isinstance(error, PromptTooLong):
            if not self._has_answered:
                raise error
        elif isinstance(error, PASSING):
            self._down += 1
            if self._down == READER_PATIENCE:
                raise error


TIMEOUT_S: Final = 60.0
PATIENCE: Final = 3
"""So many failures in a row end a run: a method that never answers would hold it up for hours."""


CompactFunction = Callable[[CompactionRequest], Compaction]
"""Compacts a request, in this process or in another; raises MethodFailed where it cannot."""


class MethodIdentity(Protocol):
    """What is known of a method without calling it."""

    name: str
    version: str


@dataclass(frozen=True, kw_only=True)
class BenchPlan:
    """What is run: which cases, how often each is compacted again, and how small.

    `per_family` takes the first so many templates of each family, for readers that are slow; None: all.
    """

    suite: Suite
    tier: Tier = "mid"
    difficulty: Difficulty = "medium"
    length_tokens: int = 4_000
    position: Position | None = None
    slots: int = 5
    cycles: int = 2
    seed_group: str = "practice"
    per_family: int | None = None

    def __post_init__(self) -> None:
        if self.slots < 1 or self.cycles < 0:
            raise InputError(
                f"{self.slots} slots and {self.cycles} cycles; give at least 1 slot and 0 cycles"
            )

    @property
    def asked(self) -> Suite:
        """The suite as far as it is run."""
        return self.suite if self.per_family is None else self.suite.narrowed(self.per_family)

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Where each template's cases are made."""
        return tuple(
            Spot(
                seed_group=self.seed_group,
                slot=slot,
                difficulty=self.difficulty,
                length_tokens=self.length_tokens,
                position=self.position,
            )
            for slot in range(self.slots)
        )

    def setup(self, method: MethodIdentity, reader: Reader, called: str, begun: str) -> Setup:
        """The plan with a method and a reader, as it is written down."""
        return Setup(
            tamis=__version__,
            method=method.name,
            method_version=method.version,
            suite=self.suite.key,
            suite_version=self.suite.version,
            suite_digest=self.suite.digest,
            case_version=CASE_VERSION,
            reader=reader.name,
            reader_version=reader.version,
            scorer=SCORER,
            called=called,
            begun=begun,
            **{name: getattr(self, name) for name in PLANNED},
        )


PLANNED: Final = tuple(field.name for field in fields(BenchPlan) if field.name != "suite")
"""What of a plan is written down as it is."""


def run_benchmark(
    plan: BenchPlan,
    method: MethodIdentity,
    reader: Reader,
    path: Path,
    *,
    resume: bool = False,
    retry_missing: bool = False,
    compacts: CompactFunction,
    called: str = "",
    begun: str = "",
) -> Iterator[CaseEntry]:
    """Run every case that the log at `path` does not hold yet, and append it there; gives each as it is done.

    A method that fails several times in a row is given up. An answer that the reader does not give is not
    measured, and the run goes on.

    `retry_missing` first asks again, from the artifacts in the log, what the reader did not answer. `called`
    is how the method is named on a command line, `begun` when that is, for the last of ties; a log that is
    taken up again keeps its own.

    Raises:
        ModelError: the reader's server is down or takes no request; what was done so far stands in the log.
    """
    setup, desk = plan.setup(method, reader, called, begun), Examiner(reader)
    done = {entry.case: entry for entry in start_log(path, setup, resume=resume)}
    if retry_missing:
        for questions in plan.asked.questions(plan.spots):
            if questions.case in done:
                for again in ask_again(questions, done[questions.case], desk):
                    append(path, again)
    failed = 0
    for case in plan.asked.cases(plan.spots, cycles=plan.cycles, leave_out=done.keys()):
        entry = run_case(case, compacts, desk, TIER_FLOORS[plan.tier])
        append(path, entry)
        yield entry
        failed = failed + 1 if entry.failure is not None else 0
        if failed == PATIENCE:
            return


def in_this_process(method: Compactor, *, timeout_s: float = TIMEOUT_S) -> CompactFunction:
    """Calls a method here, with a time limit; for methods that are trusted."""
    return partial(run_compactor, method, timeout_s=timeout_s)


def run_case(case: Case, compacts: CompactFunction, desk: Examiner, floor: float) -> CaseEntry:
    """Every cycle of a case. A method that fails ends the case; why stands in the entry."""
    counter = get_counter(TOKENIZER)
    tokens = count_text(case.messages)
    budget = max(1, int(tokens / floor))
    cycles: list[CycleEntry] = []
    previous: Compaction | None = None
    for span in (case.messages, *case.continuations):
        request = CompactionRequest(span=span, budget_tokens=budget, counter=counter, previous=previous)
        try:
            made = compacts(request)
        except Exception as error:  # a plug-in's call: what it raises is its failure, and the run goes on
            reason = str(error) if isinstance(error, MethodFailed) else f"{type(error).__name__}: {error}"
            return CaseEntry(case=case.questions.case, cycles=tuple(cycles), failure=reason)
        cycles.append(
            CycleEntry(
                artifact=tuple(to_wire(made.messages)),
                artifact_tokens=count_text(made.messages),
                transcript_tokens=tokens,
                outcome=made.outcome,
                warnings=made.warnings,
                answers=desk.ask(case.questions.items, made.messages),
                latency_ms=made.latency_ms,
                withheld_tokens=count_side_channel(made),
            )
        )
        previous = without_side_channel(made)
    return CaseEntry(case=case.questions.case, cycles=tuple(cycles))


def without_side_channel(made: Compaction) -> Compaction:
    """The compaction with its messages alone: what an artifact does not say is not handed on."""
    return replace(made, state=None, carry={}, carry_covers=0)


def count_side_channel(made: Compaction) -> int:
    """The tokens of what a method would carry over besides its messages, written as JSON."""
    beside = [value for value in (made.state, made.carry) if value and value != State()]
    texts = [to_json(value, fallback=str).decode() for value in beside]
    return sum(get_counter(TOKENIZER).count_many(texts))


def ask_again(questions: CaseQuestions, entry: CaseEntry, desk: Examiner) -> Iterator[AgainEntry]:
    """Answers that the reader did not give and gives now, from the artifacts as they stand in the log."""
    for number, cycle in enumerate(entry.cycles):
        if not cycle.missing:
            continue
        answers = desk.ask(questions.items, from_wire(cycle.artifact), only=cycle.missing)
        if given := tuple(answer for answer in answers if answer.not_measured is None):
            yield AgainEntry(again=questions.case, cycle=number, answers=given)


def count_text(messages: Sequence[Message]) -> int:
    """The tokens of what the messages say, as the published benchmark counts them: text only."""
    return sum(get_counter(TOKENIZER).count_many([part_text(p) for m in messages for p in m.parts]))
