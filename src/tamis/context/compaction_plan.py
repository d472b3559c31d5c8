"""What the next compaction of a live context replaces, and what stays word for word."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tamis.archive.recall_tool import TOOL_NAME
from tamis.errors import InputError
from tamis.messages import Counter, Message, count_messages, cut_messages, whole_units


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowMessage:
    """A message of the context with its tokens; `recalled` from the archive since the last compaction."""

    message: Message
    tokens: int
    recalled: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class TailSize:
    """How much of the newest stays: at least so many messages, and more while they fit so many tokens."""

    messages: int = 0
    tokens: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class CompactionPlan:
    """The first `until` of the messages divided into those to replace and those `recalled`, which stay."""

    span: tuple[WindowMessage, ...]
    recalled: tuple[WindowMessage, ...]
    until: int


def parse_keep(given: int | float | str, window: int) -> TailSize:
    """How much stays: a whole number is messages, a share or a percentage is of the window's tokens.

    Raises:
        InputError: negative, not a number, or more than the window.

    >>> parse_keep("4", 1_000), parse_keep("10%", 1_000)
    (TailSize(messages=4, tokens=0), TailSize(messages=0, tokens=100))
    """
    if isinstance(given, str) and given.isdecimal():
        given = int(given)
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return TailSize(messages=given)
    try:
        share = float(given.rstrip("%")) / 100 if isinstance(given, str) else float(given)
    except ValueError:
        share = -1.0
    if isinstance(given, bool) or not 0 <= share < 1 or (isinstance(given, str) and "%" not in given):
        raise InputError(
            f"keep_last is {given!r}; give a number of messages (4), or a share of the window (10%)"
        )
    return TailSize(tokens=int(share * window))


def plan_compaction(body: Sequence[WindowMessage], keep: TailSize, room: int) -> CompactionPlan:
    """Divide the messages behind the last brief.

    The newest whole units stay, as `keep` says, and no more than `room` tokens of them: a message larger than
    that is itself condensed. Calls that wait for their results stay whatever they take. Behind that, what was
    recalled since the last compaction stays while it fits.
    """
    messages = [held.message for held in body]
    units = whole_units(messages)
    sizes = [sum(held.tokens for held in body[unit.start : unit.stop]) for unit in units]
    taken = last = 0
    for unit, size in zip(reversed(units), reversed(sizes), strict=True):
        wanted = last < keep.messages or taken + size <= keep.tokens
        if not wanted or taken + size > room:
            break
        taken, last = taken + size, last + len(unit)
    # A cut leaves out system messages at the beginning; here they stand in the middle of a conversation.
    until = len(body) - max(last, len(cut_messages(messages, keep_last=last).tail))
    stays: set[int] = set()
    for unit, size in zip(reversed(units), reversed(sizes), strict=True):
        recalled = any(body[i].recalled for i in unit)
        if unit.stop <= until and recalled and taken + size <= room:
            taken += size
            stays.update(unit)
    return CompactionPlan(
        span=tuple(held for i, held in enumerate(body[:until]) if i not in stays),
        recalled=tuple(replace(body[i], recalled=False) for i in sorted(stays)),
        until=until,
    )


def weighed(messages: Sequence[Message], counter: Counter) -> list[WindowMessage]:
    """The messages with their tokens, and whether they came from the archive."""
    weights = zip(messages, count_messages(messages, counter), strict=True)
    return [WindowMessage(message=m, tokens=n, recalled=is_recalled(m)) for m, n in weights]


def is_recalled(message: Message) -> bool:
    """Whether the message calls the recall tool, or carries what it gave back."""
    names = [call.name for call in message.calls] + [result.name or "" for result in message.results]
    return any(name.rpartition("__")[2] == TOOL_NAME for name in names)


def with_own_id(message: Message, taken: set[str]) -> Message:
    """The message under an id that is not taken yet; no two that a brief speaks of may have the same."""
    name, number = message.id, 1
    while name in taken:
        number += 1
        name = f"{message.id}~{number}"
    taken.add(name)
    return message if name == message.id else replace(message, id=name)
