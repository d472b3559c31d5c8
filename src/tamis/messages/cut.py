"""Cutting a conversation where a compaction may replace what is older."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.errors import InputError
from tamis.messages.conversation import Message
from tamis.messages.pairing import pair_calls, whole_units


@dataclass(frozen=True, kw_only=True, slots=True)
class Cut:
    """A conversation in three: the prompt that stays, the span that is replaced, the tail that stays."""

    system: tuple[Message, ...]
    span: tuple[Message, ...]
    tail: tuple[Message, ...]


def cut_messages(messages: Sequence[Message], *, keep_last: int = 0) -> Cut:
    """Cut a conversation where a compaction may replace what is older.

    System messages at the beginning stay. At least the last `keep_last` messages stay, more where a call
    would be torn from its result; so does a call at the very end whose result is still to come.

    >>> from tamis.messages import Text
    >>> talk = [Message(id=r, role=r, parts=(Text(text=r),)) for r in ("system", "user", "assistant")]
    >>> [m.id for m in cut_messages(talk, keep_last=1).span]
    ['user']

    Raises:
        InputError: `keep_last` is negative.
    """
    if keep_last < 0:
        raise InputError(f"keep_last is {keep_last}; give 0 or the number of newest messages to keep")
    start = next((i for i, m in enumerate(messages) if m.role != "system"), len(messages))
    body = messages[start:]
    at = max(0, len(body) - keep_last)
    waiting = {place.message for place in pair_calls(body).open_calls}
    last_reply = max((i for i, m in enumerate(body) if m.role == "assistant"), default=len(body))
    if last_reply in waiting and all(m.role == "tool" for m in body[last_reply + 1 :]):
        at = min(at, last_reply)
    at = next((unit.start for unit in whole_units(body) if unit.start < at < unit.stop), at)
    return Cut(system=tuple(messages[:start]), span=tuple(body[:at]), tail=tuple(body[at:]))
