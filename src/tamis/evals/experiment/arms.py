"""The arms of an experiment: methods by name, and `METHOD+restated`, with the constraints said again.

Said again is what the user, the system prompt or the agent laid down, in its own words, newest first, behind
whatever the method made. It counts towards the budget: the method gets what is left, so the arm is never
over. What the constraints may take is bounded by half of the budget. Read beside the bare method it tells how
much of what was lost was constraints, and what saying them again costs.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tamis.compactors import Compaction, CompactionRequest, Compactor, get_method
from tamis.compactors.brief import brief_message, fence
from tamis.compactors.invocation import ask
from tamis.compactors.method import Method
from tamis.compactors.modelled.interview import ModelMethod
from tamis.compactors.packing import most_that_fit
from tamis.errors import UnknownMethod
from tamis.evals.experiment.model_cache import ExchangeLog, listening
from tamis.ledger import read_ledger
from tamis.messages import Counter, Message, count_messages
from tamis.messages.tokens import MESSAGE_OVERHEAD_TOKENS

RESTATED = "+restated"
HEADER = "[What was laid down earlier and still holds, newest first; not typed by the user.]"
MOST_OF_BUDGET = 0.5


def get_arm(name: str) -> Compactor:
    """The arm of this name.

    Raises:
        UnknownMethod: no such method, or `restated` without one.

    >>> get_arm("truncate+restated").name
    'truncate+restated'
    """
    if name.strip("+") == "restated":
        raise UnknownMethod("restated goes with a method; write METHOD+restated, as in ledger+restated")
    if name.endswith(RESTATED):
        return RestatedMethod(get_method(name.removesuffix(RESTATED)))
    return get_method(name)


def takes_previous(arm: Compactor) -> bool:
    """Whether an arm reads its own last answer from `request.previous`.

    tamis's methods do. One from elsewhere says so with the attribute `uses_previous = True`; else it gets its
    last answer as the beginning of the span.
    """
    return isinstance(arm, Method | RestatedMethod) or bool(getattr(arm, "uses_previous", False))


def model_method(arm: Compactor) -> ModelMethod | None:
    """The method of an arm that asks a language model, where it does."""
    inner = arm.inner if isinstance(arm, RestatedMethod) else arm
    return inner if isinstance(inner, ModelMethod) else None


def listening_arm(arm: Compactor) -> tuple[Compactor, ExchangeLog]:
    """The same arm with a log of what it asks models."""
    if isinstance(arm, RestatedMethod):
        inner, log = listening(arm.inner)
        return RestatedMethod(inner), log
    return listening(arm)


class RestatedMethod:
    """A method's answer with the constraints said again behind it, both within the budget."""

    def __init__(self, inner: Compactor) -> None:
        self.inner = inner
        self.name = f"{inner.name}{RESTATED}"
        self.version = f"{inner.version}+1"

    async def compact(self, request: CompactionRequest) -> Compaction:
        """Compact within what the constraints leave, and say them again where anything was replaced."""
        carry = request.previous.carry if request.previous else {}
        newest_first = reversed(read_ledger(request.span).state.constraints)
        laid_down = [entry.value.text for entry in newest_first]
        known = list(dict.fromkeys([*laid_down, *carry.get("constraints", ())]))
        again = _say_again(known, int(request.budget_tokens * MOST_OF_BUDGET), request.counter)
        taken = sum(count_messages(again, request.counter))
        earlier = request.previous.messages if request.previous else ()
        span = request.counts if request.counts is not None else count_messages(request.span, request.counter)
        before = sum(count_messages(earlier, request.counter)) + sum(span)
        room = request.budget_tokens if before <= request.budget_tokens else request.budget_tokens - taken
        previous = self._inner_previous(request.previous, carry)
        made = await ask(self.inner, replace(request, budget_tokens=room, previous=previous))
        said = again if made.outcome == "fits" and before > request.budget_tokens else ()
        inner = {"carry": made.carry, "carry_covers": made.carry_covers, "tokens_after": made.tokens_after}
        return replace(
            made,
            messages=(*made.messages, *said),
            tokens_before=before,
            tokens_after=made.tokens_after + (taken if said else 0),
            method=self.name,
            version=self.version,
            carry={"constraints": known, "said": len(said), "inner": inner},
            carry_covers=len(made.messages) + len(said),
        )

    def _inner_previous(self, previous: Compaction | None, carry: Any) -> Compaction | None:
        """The method's own last answer, without what was said again behind it."""
        if previous is None or not carry:
            return previous
        inner = carry["inner"]
        return replace(
            previous,
            messages=previous.messages[: len(previous.messages) - carry["said"]],
            tokens_after=inner["tokens_after"],
            method=self.inner.name,
            version=self.inner.version,
            carry=inner["carry"],
            carry_covers=inner["carry_covers"],
        )


def _say_again(constraints: Sequence[str], room: int, counter: Counter) -> tuple[Message, ...]:
    lines = [f"- {' '.join(text.split())}" for text in constraints]
    many = most_that_fit(lines, _render, room - MESSAGE_OVERHEAD_TOKENS, counter) if lines else 0
    return (brief_message(_render(lines[:many])),) if many else ()


def _render(lines: Sequence[str]) -> str:
    return f"{HEADER}\n" + fence("\n".join(lines))
