"""Iterations of an agent loop, in tamis's own messages, and where those of a recorded session end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tamis.api import get_api, which_api
from tamis.messages import Counter, Message, Text, count_messages, identify, whole_units

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


MessageLike = Message | Mapping[str, Any]


def read_items(items: Sequence[MessageLike]) -> tuple[Message, ...]:
    """The messages; dictionaries are read in the format of the API that they belong to.

    Raises:
        InputError: an item is neither, or the two are mixed.

    >>> [message.text for message in read_items([{"role": "user", "content": "hello"}])]
    ['hello']
    """
    own = tuple(item for item in items if isinstance(item, Message))
    if len(own) == len(items):
        return own
    dictionaries: Sequence[Any] = items
    return get_api(which_api(dictionaries)).decode(dictionaries).messages


def user_message(*texts: str) -> Message:
    """A message of the loop's own: the task word for word, a block of memory, or one below the other."""
    parts = tuple(Text(text=text) for text in texts if text)
    (message,) = identify([Message(id="", role="user", parts=parts or (Text(text=""),))])
    return message
