"""A run as the published program makes it: its cases, its cycles, its figures, its result file.

Every cycle hands over the full transcript again, lengthened by a question and the answer that the reader
gives to it from the artifact; the previous artifact comes along. That is what their program does, and not
what the methodology says: see `tamis.bench.run` for that.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256

from tamis.bench.case import TOKENIZER
from tamis.bench.compat import result_file
from tamis.bench.compat.artifact import Artifact, artifact_tokens, artifact_within
from tamis.bench.compat.published_cases import (
    Derivation,
    PublishedCase,
    PublishedTurn,
    PublishedWords,
    case_seed,
    continuation_prompt,
    make_published_case,
)
from tamis.bench.compat.published_scores import figures, score_case, score_cycle
from tamis.bench.run import TIMEOUT_S
from tamis.bench.suite import Suite
from tamis.bench.template import Difficulty
from tamis.compactors import Compaction, CompactionRequest, Compactor, run_compactor
from tamis.errors import NotComparable
from tamis.evals.probing.readers import Reader
from tamis.messages import Counter, Message, Text, get_counter, identify


@dataclass(frozen=True, kw_only=True)
class PublishedPlan:
    """What is run. `ratio` is how far a method is asked to compress: the published program sets no budget."""

    suite: Suite
    words: PublishedWords
    difficulty: Difficulty = "medium"
    slots: int = 5
    cycles: int = 2
    seed_group: str = "default"
    derivation: Derivation = "template"
    ratio: float = 4.0

    def start(self, method: Compactor, reader: Reader) -> result_file.RunStart:
        """The first line of a run."""
        made_of = f"{self.suite.digest}{method.name}{method.version}{reader.name}"
        return result_file.RunStart(
            run_id=sha256(made_of.encode()).hexdigest()[:32],
            method_name=method.name,
            method_version=method.version,
            suite_key=self.suite.key,
            suite_version=self.suite.version,
            target_provider="tamis",
            target_model=f"{reader.name}@{reader.version}",
            difficulty=self.difficulty,
            drift_cycles=self.cycles,
            seed_group=self.seed_group,
            case_count_per_template=self.slots,
            started_at=datetime.now(UTC),
        )

    def cases(self) -> Iterator[PublishedCase]:
        """Every case, in the published order."""
        for template in self.suite.templates:
            for slot in range(self.slots):
                seed = case_seed(self.suite.name, template, self.seed_group, slot, derivation=self.derivation)
                yield make_published_case(template, seed, self.difficulty, self.words)


def run_published(
    plan: PublishedPlan, method: Compactor, reader: Reader, *, earlier: result_file.PublishedRun | None = None
) -> Iterator[result_file.ResultEvent]:
    """The events of a run, as they come; where it goes on from an earlier one, those that are missing there.

    Raises:
        NotComparable: the earlier run has other settings; names them.
    """
    start = plan.start(method, reader)
    if earlier is None:
        earlier = result_file.PublishedRun(start=start, cases=[], end=None)
        yield start
    _check_same(earlier.start, start)
    if earlier.end is not None:
        return
    results = {result.case_id: result for result in earlier.cases}
    done = [result_file.scores_of(result) for result in results.values()]
    for case in plan.cases():
        if case.case_id not in results:
            result = _run_case(case, plan, method, reader)
            done.append(result_file.scores_of(result))
            yield result_file.CaseComplete(case_result=result)
    yield result_file.RunEnd(completed_at=datetime.now(UTC), **asdict(figures(done)))


def _check_same(there: result_file.RunStart, asked: result_file.RunStart) -> None:
    was, now = there.model_dump(exclude={"started_at"}), asked.model_dump(exclude={"started_at"})
    if other := [f"{name} {was[name]!r}, now {now[name]!r}" for name in was if was[name] != now[name]]:
        raise NotComparable(
            f"the results are of a run with other settings ({'; '.join(other)}); "
            "resume with the same, or name another file with -o"
        )


def _run_case(
    case: PublishedCase, plan: PublishedPlan, method: Compactor, reader: Reader
) -> result_file.CaseResult:
    counter = get_counter(TOKENIZER)
    before = sum(counter.count_many([turn.content for turn in case.turns]))
    turns = list(case.turns)
    artifact: Artifact | None = None
    results: list[result_file.CycleResult] = []
    for number in range(plan.cycles + 1):
        started = time.perf_counter()
        if artifact is not None:
            asked = continuation_prompt(case.seed, number, plan.words)
            turns.append(PublishedTurn(id=len(turns), role="user", content=asked))
            answer = _ask(asked, artifact, reader)
            turns.append(PublishedTurn(id=len(turns), role="assistant", content=answer))
        artifact = _artifact(method, to_messages(turns), max(1, int(before / plan.ratio)), counter)
        answers = {item.key: _ask(item.prompt, artifact, reader) for item in case.items}
        ratio = before / max(artifact_tokens(artifact, counter), 1)
        card = score_cycle(case.items, case.ground_truth, answers, ratio, number=number)
        first = results[0].scorecard if results else None
        results.append(
            result_file.CycleResult(
                cycle_number=number,
                drift_delta=card.penalized_cycle_score - first.penalized_cycle_score if first else None,
                latency_ms=int((time.perf_counter() - started) * 1000),
                scorecard=card,
            )
        )
    score = score_case(case.template_key, [cycle.scorecard for cycle in results])
    return result_file.CaseResult(
        case_id=case.case_id,
        template_key=case.template_key,
        seed=case.seed,
        cycles=results,
        case_score=score.score,
        drift_resistance=score.drift_resistance,
    )


def _artifact(method: Compactor, span: tuple[Message, ...], budget_tokens: int, counter: Counter) -> Artifact:
    def compact(room: int) -> Compaction:
        request = CompactionRequest(span=span, budget_tokens=room, counter=counter)
        return run_compactor(method, request, timeout_s=TIMEOUT_S)

    return artifact_within(budget_tokens, compact, counter)[1]


def _ask(question: str, artifact: Artifact, reader: Reader) -> str:
    answer = asyncio.run(reader.answer(question, (rendered(artifact),)))
    return "" if answer.declined else answer.text.strip()


def rendered(artifact: Artifact) -> Message:
    """The artifact as a reader sees it: the summary, then each section under its name."""
    lines = [artifact.summaryText] if artifact.summaryText else []
    for section, held in artifact.structured_state:
        if held:
            said = [f"{k}: {v}" for k, v in held.items()] if isinstance(held, dict) else held
            lines += [f"## {section.replace('_', ' ')}", *(f"- {line}" for line in said)]
    text = Text(text="\n".join(lines))
    (message,) = identify([Message(id="", role="user", parts=(text,), origin="summary")])
    return message


def to_messages(turns: Sequence[PublishedTurn]) -> tuple[Message, ...]:
    """The turns as a method gets them: who spoke and what was said, without tags."""
    return identify([Message(id="", role=turn.role, parts=(Text(text=turn.content),)) for turn in turns])
