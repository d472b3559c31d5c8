"""An iteration of an agent loop, and where the iterations of a recorded session end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tamis.messages import Counter, Message, count_messages, whole_units

ITERATION_TOKENS = 2000
"""A recorded session's iteration ends when it holds as much: the most that L0 is meant to take."""


Outcome = Literal["success", "error", "partial", "unknown"]
"""`success`: the last test or command that says so passed and no error stands. `error`: it failed. `partial`:
it passed and errors stand. `unknown`: the iteration does not say."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Iteration:
    """One turn of the loop: what was to be done, and every message that was exchanged doing it.

    `task` is the prompt that the iteration began with; it need not stand in `messages`. `number` counts from
    1 in a session. `outcome` is what the loop itself says of it; None where it is read off the messages.
    """

    number: int
    task: str
    messages: tuple[Message, ...]
    outcome: Outcome | None = None


def split_iterations(
    messages: Sequence[Message], counter: Counter, *, tokens: int = ITERATION_TOKENS
) -> Iterator[Iteration]:
    """Cut a recorded conversation into iterations.

    One ends where the user speaks again, or as soon as it holds `tokens`; a call is never torn from its
    result. The task is what the user last asked. System messages belong to none.
    """
    body = [message for message in messages if message.role != "system"]
    sizes = count_messages(body, counter)
    task, number, start, held = "", 1, 0, 0
    for unit in whole_units(body):
        first = body[unit.start]
        asks = first.role == "user" and first.origin == "conversation" and bool(first.text.strip())
        if unit.start > start and (asks or held >= tokens):
            yield Iteration(number=number, task=task, messages=tuple(body[start : unit.start]))
            number, start, held = number + 1, unit.start, 0
        if asks:
            task = first.text
        held += sum(sizes[unit.start : unit.stop])
    if start < len(body):
        yield Iteration(number=number, task=task, messages=tuple(body[start:]))
