"""The gate: looks at a compaction before anything is replaced by it.

What breaks an invariant (budget, size, pairs, roles, fences, sources) is refused: the original stands, the
outcome is `unmet`, and the warnings say why. What is merely incomplete is repaired as far as there is room:
the missing lines are added, in a budget too small for both the method is asked again with a little less, and
what still has no room is named in the warnings. `strict` refuses that, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tamis.compactors.account import stands
from tamis.compactors.brief import HEADER, NOTE, brief_message, fence
from tamis.compactors.brief.writing.layout import with_lines
from tamis.compactors.completeness import TITLES, Demand, DemandSection, find_missing, together
from tamis.compactors.guarantees import HARD_CHECKS, CompactionCase, Violation
from tamis.compactors.invocation import ask
from tamis.compactors.protocol import Compaction, CompactionRequest, Compactor
from tamis.ledger import read_ledger
from tamis.messages import Message, Text, count_messages

GateMode = Literal["repair", "strict", "off"]

INVARIANTS = (
    "never over the budget",
    "smaller or unchanged",
    "calls and results in pairs",
    "roles well-formed",
    "session text fenced",
    "state points at its sources",
)
"""Of the hard guarantees those that the gate holds to."""

REPAIR_SHARE = 0.25
"""The part of the budget that a method is asked to leave for what it did not say."""

MAX_SHORTENED = 3
"""Times that a method is asked for a shorter answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GateReport:
    """What the gate found: broken invariants, and demands that the compaction does not meet."""

    broken: tuple[Violation, ...] = ()
    missing: tuple[Demand, ...] = ()

    @property
    def passes(self) -> bool:
        """Whether there is nothing to object to."""
        return not self.broken and not self.missing


def check_before_replacing(request: CompactionRequest, made: Compaction) -> GateReport:
    """Check a compaction. A method without a state of its own is held to what the ledger reads."""
    case = CompactionCase(request=request, made=made)
    broken = tuple(
        Violation(guarantee=name, reason=reason) for name in INVARIANTS for reason in HARD_CHECKS[name](case)
    )
    if broken or made.outcome != "fits":
        return GateReport(broken=broken)
    state = made.state or read_ledger(case.source).state
    return GateReport(missing=tuple(find_missing(state, made.messages)))


def guard(compactor: Compactor, *, strict: bool = False) -> Compactor:
    """The compactor with the gate behind it."""
    return _Guarded(compactor, strict=strict)


class _Guarded:
    """Asks, looks, repairs or refuses."""

    def __init__(self, compactor: Compactor, *, strict: bool) -> None:
        self.name = compactor.name
        self.version = compactor.version
        self._compactor = compactor
        self._strict = strict

    async def compact(self, request: CompactionRequest) -> Compaction:
        """The method's answer, repaired where it has to be, or the original."""
        made = await ask(self._compactor, request)
        report = check_before_replacing(request, made)
        if report.broken:
            return refuse(request, made, [f"{v.guarantee}: {v.reason}" for v in report.broken])
        if not report.missing:
            return made
        repaired, left = _repair(request, made, report)
        if left.missing and not made.usage.requests:  # what asked a model is not asked twice
            again, less = await self._with_less(request, made, report)
            if not less.broken and len(less.missing) < len(left.missing):
                repaired, left = again, less
        if left.broken:
            return refuse(request, made, [f"{v.guarantee}: {v.reason}" for v in left.broken])
        if not left.missing:
            return repaired
        if self._strict:
            return refuse(request, made, [_naming(left.missing)])
        return replace(repaired, warnings=(*repaired.warnings, _naming(left.missing)))

    async def _with_less(
        self, request: CompactionRequest, made: Compaction, report: GateReport
    ) -> tuple[Compaction, GateReport]:
        """The method's answer to a budget that leaves room for what is missing, with that added.

        What is shorter may lack more: then room is made for that, too.
        """
        room = int(request.budget_tokens * (1.0 if self._strict else REPAIR_SHARE))
        best, left, lacking = made, report, report
        for _ in range(MAX_SHORTENED):
            note = _note_tokens(_fitting(lacking.missing, made, request, room), made, request)
            if not 0 < note < request.budget_tokens:
                break
            again = await ask(self._compactor, replace(request, budget_tokens=request.budget_tokens - note))
            lacking = check_before_replacing(request, again)
            if lacking.broken or again.outcome != "fits":
                break
            repaired, still = _repair(request, again, lacking)
            if len(still.missing) < len(left.missing):
                best, left = repaired, still
            if not left.missing:
                break
        return best, left


def refuse(request: CompactionRequest, made: Compaction, reasons: Sequence[str]) -> Compaction:
    """The original as it was, and why nothing stands in its place."""
    case = CompactionCase(request=request, made=made)
    before = case.tokens_before
    previous = request.previous
    return replace(
        made,
        messages=case.source,
        account=stands(request.span, "what was made of it did not pass the gate"),
        tokens_before=before,
        tokens_after=before,
        outcome="unmet",
        warnings=(*made.warnings, *(f"not replaced: {reason}" for reason in reasons)),
        state=None,
        carry=previous.carry if previous else {},
        carry_covers=previous.carry_covers if previous else 0,
    )


def _fitting(
    missing: Sequence[Demand], made: Compaction, request: CompactionRequest, room: int
) -> list[Demand]:
    """Those that can be added in so many tokens, the most important first.

    The sum of the lines says which to take; tokens of lines do not add up, so the note is then counted whole.
    """
    chosen: list[Demand] = []
    left = room - request.counter.count(NOTE + fence(""))
    sizes = request.counter.count_many([demand.line + "\n" for demand in missing])
    for demand, size in zip(missing, sizes, strict=True):
        if size <= left:
            chosen.append(demand)
            left -= size
    while chosen and _note_tokens(chosen, made, request) > room:
        chosen.pop()
    return chosen


def _note_tokens(demands: Sequence[Demand], made: Compaction, request: CompactionRequest) -> int:
    """What the messages grow by when these are added."""
    if not demands:
        return 0
    replaced, note = _placed(demands, made, request)
    counts = count_messages([note, *([replaced] if replaced else [])], request.counter)
    return counts[0] - sum(counts[1:])


def _repair(
    request: CompactionRequest, made: Compaction, report: GateReport
) -> tuple[Compaction, GateReport]:
    """The compaction with as much of what is missing as it has room for, and what the gate says to that."""
    repaired = _with_note(made, report.missing, request)
    return repaired, report if repaired is made else check_before_replacing(request, repaired)


def _with_note(made: Compaction, missing: Sequence[Demand], request: CompactionRequest) -> Compaction:
    demands = _fitting(missing, made, request, request.budget_tokens - made.tokens_after)
    if not demands:
        return made
    replaced, note = _placed(demands, made, request)
    kept = (note if m is replaced else m for m in made.messages)
    return replace(
        made,
        messages=tuple(kept) if replaced else (note, *kept),
        tokens_after=made.tokens_after + _note_tokens(demands, made, request),
        carry_covers=made.carry_covers + (replaced is None) if made.carry else 0,
    )


def _placed(
    demands: Sequence[Demand], made: Compaction, request: CompactionRequest
) -> tuple[Message | None, Message]:
    """The brief that the method wrote and what takes its place; without one, a brief of the gate's own."""
    given = CompactionCase(request=request, made=made).given
    brief = next((m for m in made.messages if _is_brief(m) and given.get(m.id) != m), None)
    sections = _sections(demands)
    if brief is not None and (merged := with_lines(brief.text, sections.items())):
        return brief, brief_message(merged)
    note = fence("\n".join(line for name, own in sections.items() for line in (f"## {TITLES[name]}", *own)))
    if brief is None:
        return None, brief_message(f"{HEADER}\n{note}")
    return brief, brief_message(f"{brief.text}\n{NOTE}\n{note}")


def _is_brief(message: Message) -> bool:
    return (message.role, message.origin) == ("user", "summary") and [*map(type, message.parts)] == [Text]


def _sections(demands: Sequence[Demand]) -> dict[DemandSection, list[str]]:
    own = {name: [demand.line for demand in demands if demand.section == name] for name in TITLES}
    return {name: together(lines) for name, lines in own.items() if lines}


def _naming(missing: Sequence[Demand]) -> str:
    """What has no room, counted, with the first of each kind."""
    kinds = []
    for section, title in TITLES.items():
        if own := [demand for demand in missing if demand.section == section]:
            words = " ".join(own[0].words.split())
            short = words if len(words) <= 60 else f"{words[:57]}..."
            kinds.append(f"{len(own)} under {title!r} (first: {short!r})")
    return f"no room in the budget, or only for a part: {', '.join(kinds)}"
