"""Taking torn pairs out: a call without its result, a result without its call.

No API takes either, so neither is ever handed on; the account says what was left out. What was torn already
in the source stays in the source, and in the archive.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.messages import Message, pair_calls


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedMessages:
    """Messages with every pair whole, and the position in the source that each one came from.

    `torn` says by source position what was left out there.
    """

    messages: tuple[Message, ...]
    sources: tuple[int, ...]
    torn: dict[int, str]


def without_torn_pairs(source: Sequence[Message]) -> PairedMessages:
    """Leave out every part whose other half is missing, and messages that are empty then or were before.

    >>> from tamis.messages import Message, Text, ToolCall
    >>> call = Message(id="1", role="assistant", parts=(Text(text="Now"), ToolCall(id="c", name="ls")))
    >>> [m.parts for m in without_torn_pairs([call]).messages]
    [(Text(text='Now'),)]
    """
    pairing = pair_calls(source)
    lost: dict[int, set[int]] = {}
    torn: dict[int, str] = {}
    for places, what in (
        (pairing.open_calls, "a call without its result"),
        (pairing.orphan_results, "a result without its call"),
    ):
        for place in places:
            lost.setdefault(place.message, set()).add(place.part)
            torn[place.message] = what
    messages: list[Message] = []
    sources: list[int] = []
    for i, message in enumerate(source):
        if i in lost:
            message = message.with_parts(p for n, p in enumerate(message.parts) if n not in lost[i])
        if not message.parts:
            torn.setdefault(i, "nothing in it")
            continue
        messages.append(message)
        sources.append(i)
    return PairedMessages(messages=tuple(messages), sources=tuple(sources), torn=torn)
