"""Where the tokens of a conversation are: by role, by kind of part, by tool."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from tamis.messages.conversation import (
    Media,
    Message,
    Part,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    part_text,
)
from tamis.messages.pairing import PartAddress, pair_calls
from tamis.messages.tokens import MEDIA_TOKENS, MESSAGE_OVERHEAD_TOKENS, Counter

PartKind = Literal["text", "thinking", "call", "result", "media", "overhead"]
"""`overhead` is what an API adds around each message."""

_KINDS: dict[type[Part], PartKind] = {Text: "text", Thinking: "thinking", ToolCall: "call"}
_KINDS |= {ToolResult: "result", Media: "media"}

K = TypeVar("K", bound=str)


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolShare:
    """What one tool takes: how often it was called, and the tokens of its calls and of its results."""

    calls: int
    call_tokens: int
    result_tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Census:
    """The tokens of a conversation, three times divided; each division adds up to `tokens`, but that by tool.

    The keys are in falling order of tokens. Results of unknown calls are counted under the tool `unknown`.
    """

    messages: int
    tokens: int
    by_role: dict[Role, int]
    by_kind: dict[PartKind, int]
    by_tool: dict[str, ToolShare]


def take_census(messages: Sequence[Message], counter: Counter) -> Census:
    """Count a conversation.

    >>> from tamis.messages import ExactCounter
    >>> hello = Message(id="1", role="user", parts=(Text(text="hello world"),))
    >>> census = take_census([hello], ExactCounter())
    >>> census.tokens, census.by_kind
    (6, {'overhead': 4, 'text': 2})
    """
    places = [(m, p, part) for m, message in enumerate(messages) for p, part in enumerate(message.parts)]
    counts = counter.count_many([part_text(part) for _, _, part in places])
    roles: dict[Role, int] = {}
    kinds: dict[PartKind, int] = {"overhead": MESSAGE_OVERHEAD_TOKENS * len(messages)} if messages else {}
    for message in messages:
        roles[message.role] = roles.get(message.role, 0) + MESSAGE_OVERHEAD_TOKENS
    tokens_at: dict[PartAddress, int] = {}
    for (m, p, part), text_tokens in zip(places, counts, strict=True):
        media_tokens = MEDIA_TOKENS * _media_in(part)
        for kind, tokens in ((_KINDS[type(part)], text_tokens), ("media", media_tokens)):
            if tokens:
                kinds[kind] = kinds.get(kind, 0) + tokens
        roles[messages[m].role] += text_tokens + media_tokens
        tokens_at[PartAddress(message=m, part=p)] = text_tokens + media_tokens
    return Census(
        messages=len(messages),
        tokens=sum(kinds.values()),
        by_role=_falling(roles),
        by_kind=_falling(kinds),
        by_tool=_shares(messages, tokens_at),
    )


def _shares(messages: Sequence[Message], tokens: Mapping[PartAddress, int]) -> dict[str, ToolShare]:
    """The tools, that with the most tokens first."""
    call_of = pair_calls(messages).call_of
    counts: dict[str, list[int]] = {}
    for place, taken in tokens.items():
        part = messages[place.message].parts[place.part]
        if isinstance(part, ToolCall):
            row = counts.setdefault(part.name, [0, 0, 0])
            row[0] += 1
            row[1] += taken
        elif isinstance(part, ToolResult):
            call = call_of.get(place)
            asked = messages[call.message].parts[call.part] if call else None
            name = part.name or (asked.name if isinstance(asked, ToolCall) else "unknown")
            counts.setdefault(name, [0, 0, 0])[2] += taken
    rows = sorted(counts.items(), key=lambda item: -(item[1][1] + item[1][2]))
    return {name: ToolShare(calls=n, call_tokens=c, result_tokens=r) for name, (n, c, r) in rows}


def _media_in(part: Part) -> int:
    if isinstance(part, Media):
        return 1
    return len(part.media) if isinstance(part, ToolResult) else 0


def _falling(counts: dict[K, int]) -> dict[K, int]:
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
