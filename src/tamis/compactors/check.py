"""Running a method through the guarantees: `check_method`.

Every session is compacted whole, in two halves (the second with the answer to the first as its previous), and
at each place where its agent compacted it, all at every budget and everything twice. A method that raises or
hangs has broken a guarantee too; the run goes on.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tamis.compactors.budget import Budget
from tamis.compactors.guarantees import (
    ANSWERS,
    HARD_CHECKS,
    SAME_BYTES,
    SOFT_CHECKS,
    Violation,
    check_compaction,
    check_same,
)
from tamis.compactors.protocol import Compaction, CompactionRequest, Compactor
from tamis.compactors.sync import run_compactor
from tamis.errors import MethodFailed
from tamis.messages import Counter, Message, Session, count_messages, whole_units

BUDGETS = (
    Budget(tokens=1),
    Budget(tokens=50),
    Budget(share=0.05),
    Budget(share=0.3),
    Budget(share=1.0),
)
"""From what holds nothing to what holds all of it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """A violation, and what was asked when it showed."""

    session_id: str
    asked: str
    budget_tokens: int
    violation: Violation


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckReport:
    """What was found wrong with a method, over how many compactions; so many were `answered`."""

    method: str
    version: str
    compactions: int
    answered: int
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether every hard guarantee held each time, and there was at least one time."""
        return self.compactions > 0 and not any(f.violation.hard for f in self.findings)

    def tried(self) -> dict[str, int]:
        """How often each guarantee was looked at: where there is no answer, only whether there is one."""
        of_answers = dict.fromkeys((SAME_BYTES, *HARD_CHECKS, *SOFT_CHECKS), self.answered)
        return {ANSWERS: self.compactions, **of_answers}

    def broken(self) -> dict[str, int]:
        """How often each guarantee was broken, all guarantees named."""
        counts = dict.fromkeys((ANSWERS, SAME_BYTES, *HARD_CHECKS, *SOFT_CHECKS), 0)
        for finding in self.findings:
            counts[finding.violation.guarantee] += 1
        return counts


def check_method(
    compactor: Compactor,
    sessions: Iterable[Session],
    counter: Counter,
    *,
    budgets: Sequence[Budget] = BUDGETS,
    timeout_s: float = 60.0,
) -> CheckReport:
    """Run the method over the sessions and check every answer.

    Args:
        compactor: the method; anybody's.
        sessions: what to compact; `hostile_sessions()` are made for this.
        counter: how tokens are counted.
        budgets: the budgets for each.
        timeout_s: how long one compaction may take.
    """
    compactions = answered = 0
    findings: list[Finding] = []
    for session in sessions:
        for budget in budgets:
            for asked, request in _requests(session, budget, counter, compactor, timeout_s):
                compactions += 1
                violations = _violations(compactor, request, timeout_s)
                answered += all(violation.guarantee != ANSWERS for violation in violations)
                findings += [
                    Finding(
                        session_id=session.id,
                        asked=asked,
                        budget_tokens=request.budget_tokens,
                        violation=violation,
                    )
                    for violation in violations
                ]
    return CheckReport(
        method=compactor.name,
        version=compactor.version,
        compactions=compactions,
        answered=answered,
        findings=tuple(findings),
    )


def _violations(compactor: Compactor, request: CompactionRequest, timeout_s: float) -> list[Violation]:
    first = _answer(compactor, request, timeout_s)
    if isinstance(first, Violation):
        return [first]
    second = _answer(compactor, request, timeout_s)
    same = [second] if isinstance(second, Violation) else check_same(first, second)
    return [*check_compaction(request, first), *same]


def _answer(compactor: Compactor, request: CompactionRequest, timeout_s: float) -> Compaction | Violation:
    try:
        return run_compactor(compactor, request, timeout_s=timeout_s)
    except MethodFailed as error:
        return Violation(guarantee=ANSWERS, reason=str(error))
    except Exception as error:  # a plug-in's call: whatever it raises is the finding
        return Violation(guarantee=ANSWERS, reason=f"{type(error).__name__}: {error}")


def _requests(
    session: Session, budget: Budget, counter: Counter, compactor: Compactor, timeout_s: float
) -> Iterator[tuple[str, CompactionRequest]]:
    """What is asked about one session at one budget, each with a word on what it is."""

    def ask(
        span: tuple[Message, ...],
        previous: Compaction | None = None,
        recorded: Message | None = None,
    ) -> CompactionRequest:
        total = sum(count_messages(span, counter))
        tokens = budget.tokens if budget.tokens is not None else max(1, int((budget.share or 0) * total))
        return CompactionRequest(
            span=span, budget_tokens=tokens, counter=counter, previous=previous, recorded=recorded
        )

    messages = session.messages
    yield "the whole session", ask(messages)
    units = whole_units(messages)
    if len(units) > 1:
        middle = units[len(units) // 2].start
        first_half = ask(messages[:middle])
        previous = _answer(compactor, first_half, timeout_s)
        if isinstance(previous, Compaction):
            yield "the second half, after the first", ask(messages[middle:], previous)
    for boundary in session.boundaries:
        summary = next((m for m in messages[boundary.index :] if m.id == boundary.summary_id), None)
        if summary is not None and boundary.index:
            yield "where the agent compacted", ask(messages[: boundary.index], recorded=summary)
