"""What every compaction must keep to, each guarantee as one check.

A check looks at a request and its compaction and says what breaks the guarantee, with the place. The hard
ones hold for every method without exception. The soft ones are about quality that a method may lack and still
be a method (a control arm forgets the user's request on purpose); they are reported as warnings.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from tamis.compactors.brief import FRAME, unfenced_lines
from tamis.compactors.completeness import asks_alone
from tamis.compactors.protocol import Compaction, CompactionRequest
from tamis.ledger import Entry, State
from tamis.messages import (
    Message,
    Thinking,
    ToolCall,
    ToolResult,
    count_messages,
    message_text,
    pair_calls,
    part_text,
)
from tamis.text import message_names, split_sentences, stands_in, texts_of
from tamis.text.cues.discourse_cues import without_praise


@dataclass(frozen=True, kw_only=True, slots=True)
class Violation:
    """A guarantee that does not hold: which, where and how; `hard` where no method may do so."""

    guarantee: str
    reason: str
    hard: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class CompactionCase:
    """A request and what was made of it."""

    request: CompactionRequest
    made: Compaction

    @property
    def source(self) -> tuple[Message, ...]:
        """Everything that is replaced: the messages of the previous answer, then the span."""
        previous = self.request.previous
        return (*(previous.messages if previous else ()), *self.request.span)

    @property
    def tokens_before(self) -> int:
        """The tokens of the source; counted, but for those that the caller had counted already."""
        previous, counts = self.request.previous, self.request.counts
        earlier = count_messages(previous.messages, self.request.counter) if previous else []
        return sum(earlier) + sum(counts or count_messages(self.request.span, self.request.counter))

    @property
    def given(self) -> dict[str, Message]:
        """Every message that was there before, by id."""
        recorded = self.request.recorded
        return {m.id: m for m in (*self.source, *((recorded,) if recorded else ()))}


GuaranteeCheck = Callable[[CompactionCase], Iterator[str]]
"""The ways in which a compaction breaks one guarantee; none where it holds."""


def within_budget(case: CompactionCase) -> Iterator[str]:
    """What fits, fits by a fresh count; a count that was given is the true one."""
    counted = sum(count_messages(case.made.messages, case.request.counter))
    if counted != case.made.tokens_after:
        yield f"tokens_after says {case.made.tokens_after}; counted again they are {counted}"
    if case.made.outcome != "unmet" and counted > case.request.budget_tokens:
        budget = case.request.budget_tokens
        yield f"{counted} tokens in a budget of {budget}, and the outcome is {case.made.outcome!r}"


def smaller_or_unchanged(case: CompactionCase) -> Iterator[str]:
    """Less than what it replaces, or exactly that; an unmet budget is explained."""
    before = case.tokens_before
    if case.made.tokens_before != before:
        yield f"tokens_before says {case.made.tokens_before}; the span and the previous answer are {before}"
    if case.made.outcome == "fits":
        if case.made.tokens_after >= before:
            yield f"{case.made.tokens_after} tokens replace {before}: not smaller"
    elif case.made.messages != case.source:
        yield f"the outcome is {case.made.outcome!r}, but the messages are not those of the span"
    if case.made.outcome == "unmet" and not case.made.warnings:
        yield "the budget was not met and no warning says why"


def pairs_whole(case: CompactionCase) -> Iterator[str]:
    """No call without its result, no result without its call, in anything that was made."""
    if case.made.outcome != "fits":
        return
    pairing = pair_calls(case.made.messages)
    for place in pairing.open_calls:
        yield f"message {case.made.messages[place.message].id} calls a tool, and the result is not there"
    for place in pairing.orphan_results:
        yield f"message {case.made.messages[place.message].id} has a result, and its call is not there"


def roles_well_formed(case: CompactionCase) -> Iterator[str]:
    """Each part stands in a message whose role may say it; no message is empty, no id is used twice.

    What stands as the source had it is not looked at.
    """
    known = case.given
    ids: set[str] = set()
    for message in case.made.messages:
        if known.get(message.id) == message:
            ids.add(message.id)
            continue
        if not message.parts:
            yield f"message {message.id} is empty"
        if message.id in ids:
            yield f"two messages have the id {message.id}"
        ids.add(message.id)
        for part in message.parts:
            if isinstance(part, ToolCall | Thinking) and message.role != "assistant":
                yield f"message {message.id}: a {type(part).__name__} in a message of role {message.role}"
            if isinstance(part, ToolResult) and message.role not in ("tool", "user"):
                yield f"message {message.id}: a tool result in a message of role {message.role}"


def account_complete(case: CompactionCase) -> Iterator[str]:
    """One entry for each message of the span, in its order, each with a reason."""
    told = [f.message_id for f in case.made.account]
    span = [m.id for m in case.request.span]
    if told != span:
        both = zip(told, span, strict=False)
        at = next((i for i, (a, b) in enumerate(both) if a != b), min(len(told), len(span)))
        yield f"{len(told)} entries for {len(span)} messages; they differ at position {at}"
    for fated in case.made.account:
        if not fated.reason.strip():
            yield f"message {fated.message_id} is {fated.fate}, and no reason is given"


def kept_is_kept(case: CompactionCase) -> Iterator[str]:
    """What is called kept is there, byte for byte; and what is called archived is not."""
    there = {m.id: m for m in case.made.messages}
    for message, fated in zip(case.request.span, case.made.account, strict=False):
        if fated.fate == "kept" and there.get(message.id) != message:
            how = "changed" if message.id in there else "gone"
            yield f"message {message.id} is called kept, and is {how}"
        if fated.fate == "archived" and there.get(message.id) == message:
            yield f"message {message.id} is called archived, and is there as it was"


def order_kept(case: CompactionCase) -> Iterator[str]:
    """Messages of the span that are still there stand in their old order."""
    position = {m.id: i for i, m in enumerate(case.source)}
    places = [position[m.id] for m in case.made.messages if m.id in position]
    if places != sorted(places):
        yield "messages of the span stand in another order than before"


def data_fenced(case: CompactionCase) -> Iterator[str]:
    """No line of the session stands bare in a brief, where it could speak as the user or end a fence.

    A line is bare when it is outside every fence of backticks or tildes (read as CommonMark reads them) and
    nothing stands before it. What was kept from the source speaks in its own role and is not looked at.
    """
    given = case.given
    briefs = [m for m in case.made.messages if m.role in ("user", "system") and given.get(m.id) != m]
    if not briefs:
        return
    told = {line for m in case.source for line in _telling_lines(message_text(m))}
    said = told - _frame_of_previous(case) - FRAME
    for brief in briefs:
        own = _telling_lines(message_text(given[brief.id])) if brief.id in given else ()
        for line in unfenced_lines(brief.text):
            if line.strip() in said and line.strip() not in own:
                yield f"message {brief.id}: session text outside the fence: {line.strip()[:60]!r}"


def state_sourced(case: CompactionCase) -> Iterator[str]:
    """Each entry of the state points into a message that was there.

    With a previous answer it may point at messages that only that one saw.
    """
    if case.made.state is None or case.request.previous is not None:
        return
    parts = {m.id: [len(part_text(p)) for p in m.parts] for m in case.source}
    for entry in _entries(case.made.state):
        place = entry.source
        lengths = parts.get(place.message_id)
        if lengths is None:
            yield f"{entry.subject!r} points at message {place.message_id}, which is not in the span"
        elif place.part >= len(lengths) or not 0 <= place.start <= place.end <= lengths[place.part]:
            yield f"{entry.subject!r} points outside message {place.message_id}"


def carry_is_json(case: CompactionCase) -> Iterator[str]:
    """What a method wants to find again can be stored, and comes back as it was."""
    try:
        back = json.loads(json.dumps(dict(case.made.carry)))
    except (TypeError, ValueError) as error:
        yield f"carry is no JSON: {error}"
    else:
        if back != case.made.carry:
            yield "carry does not come back from JSON as it was"


def names_not_invented(case: CompactionCase) -> Iterator[str]:
    """Every name in what was made stands in the span, the previous answer or the goal.

    Numbers are left out: a brief may say how many lines there were. A call may be named by its tool and what
    it was given.
    """
    given = {m.id: m for m in case.source}
    made_messages = [m for m in case.made.messages if given.get(m.id) != m]
    names = {n for m in made_messages for n in message_names(m) if n.kind != "number"}
    if not names:
        return
    known = {n.text for m in case.source for n in message_names(m)}
    strange = sorted(n.text for n in names if n.text not in known)
    if not strange:
        return
    said = [text for m in case.source for p in m.parts for text in texts_of(p)]
    text = "\n".join([*said, case.request.goal or ""])
    calls = [f"{call.name} {part_text(call)}" for m in case.source for call in m.calls]
    for name in strange:
        words = re.findall(r"\w+", name)
        of_call = len(words) > 1 and any(all(word in call for word in words) for call in calls)
        if not of_call and not stands_in(name, text):
            yield f"{name!r} stands nowhere in the span"


def requests_survive(case: CompactionCase) -> Iterator[str]:
    """What the user's first and newest message ask for is there, sentence by sentence, in their words."""
    typed = [m for m in case.source if m.role == "user" and m.origin == "conversation" and m.text.strip()]
    if case.made.outcome != "fits" or not typed:
        return
    there = _words("\n".join(message_text(m) for m in case.made.messages))
    for which, m in (("newest", typed[-1]), ("first", typed[0])):
        asked = [m.text[s.body : s.end] for s in split_sentences(m.text)]
        gone = [text for text in asked if asks_alone(text) and _words(without_praise(text)) not in there]
        if gone:
            yield f"of the user's {which} message {m.id} is not there: {gone[0].strip()[:60]!r}"


def constraints_survive(case: CompactionCase) -> Iterator[str]:
    """Every constraint that the method's own state holds stands in what it made, in its words."""
    if case.made.state is None or case.made.outcome != "fits":
        return
    there = _words("\n".join(message_text(m) for m in case.made.messages))
    for entry in case.made.state.constraints:
        if _words(entry.value.text) not in there:
            yield f"a constraint of message {entry.source.message_id} is not there: {entry.value.text[:60]!r}"


HARD_CHECKS: dict[str, GuaranteeCheck] = {
    "never over the budget": within_budget,
    "smaller or unchanged": smaller_or_unchanged,
    "calls and results in pairs": pairs_whole,
    "roles well-formed": roles_well_formed,
    "every message accounted for": account_complete,
    "kept means kept": kept_is_kept,
    "order kept": order_kept,
    "session text fenced": data_fenced,
    "state points at its sources": state_sourced,
    "carry can be stored": carry_is_json,
}
SOFT_CHECKS: dict[str, GuaranteeCheck] = {
    "no name invented": names_not_invented,
    "requests survive": requests_survive,
    "constraints survive": constraints_survive,
}
SAME_BYTES = "same input, same bytes"
ANSWERS = "answers without failing"


def check_compaction(request: CompactionRequest, made: Compaction) -> list[Violation]:
    """Everything that is wrong with one compaction."""
    return [
        Violation(guarantee=name, reason=reason, hard=hard)
        for checks, hard in ((HARD_CHECKS, True), (SOFT_CHECKS, False))
        for name, check in checks.items()
        for reason in check(CompactionCase(request=request, made=made))
    ]


def check_same(first: Compaction, second: Compaction) -> list[Violation]:
    """Whether two answers to the same request are the same."""
    if first.messages == second.messages and first.account == second.account:
        return []
    return [Violation(guarantee=SAME_BYTES, reason="asked twice, it gave two answers")]


def _entries(state: State) -> Iterator[Entry[Any]]:
    for item in fields(state):
        value = getattr(state, item.name)
        for entry in value if isinstance(value, tuple) else (value,):
            if isinstance(entry, Entry):
                yield entry


def _frame_of_previous(case: CompactionCase) -> set[str]:
    """The words that the method itself put around the fences of its last briefs."""
    previous = case.request.previous
    briefs = [m for m in previous.messages if m.origin == "summary"] if previous else []
    return {line.strip() for m in briefs for line in unfenced_lines(m.text)}


def _telling_lines(text: str) -> set[str]:
    """Lines long enough that one that is the same is no accident."""
    return {line.strip() for line in text.splitlines() if len(line.strip()) >= 12}


def _words(text: str) -> str:
    return " ".join(text.split())
