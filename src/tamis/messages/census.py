"""Where the tokens of a conversation are: by role, by kind of part, by tool."""

from collections.abc import Sequence
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

_KINDS: dict[type[Part], PartKind] = {
    Text: "text",
    Thinking: "thinking",
    ToolCall: "call",
    ToolResult: "result",
    Media: "media",
}

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
    tools = _ToolCount(messages)
    for (m, p, part), text_tokens in zip(places, counts, strict=True):
        media_tokens = MEDIA_TOKENS * _media_in(part)
        for kind, tokens in ((_KINDS[type(part)], text_tokens), ("media", media_tokens)):
            if tokens:
                kinds[kind] = kinds.get(kind, 0) + tokens
        roles[messages[m].role] += text_tokens + media_tokens
        tools.add(PartAddress(message=m, part=p), part, text_tokens + media_tokens)
    return Census(
        messages=len(messages),
        tokens=sum(kinds.values()),
        by_role=_falling(roles),
        by_kind=_falling(kinds),
        by_tool=tools.shares(),
    )


class _ToolCount:
    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages
        self._call_of = pair_calls(messages).call_of
        self._counts: dict[str, list[int]] = {}

    def add(self, place: PartAddress, part: Part, tokens: int) -> None:
        if isinstance(part, ToolCall):
            row = self._row(part.name)
            row[0] += 1
            row[1] += tokens
        elif isinstance(part, ToolResult):
            self._row(part.name or self._name_of(place))[2] += tokens

    def _row(self, name: str) -> list[int]:
        return self._counts.setdefault(name, [0, 0, 0])

    def _name_of(self, result: PartAddress) -> str:
        call = self._call_of.get(result)
        part = self._messages[call.message].parts[call.part] if call else None
        return part.name if isinstance(part, ToolCall) else "unknown"

    def shares(self) -> dict[str, ToolShare]:
        rows = sorted(self._counts.items(), key=lambda item: -(item[1][1] + item[1][2]))
        return {name: ToolShare(calls=n, call_tokens=c, result_tokens=r) for name, (n, c, r) in rows}


def _media_in(part: Part) -> int:
    if isinstance(part, Media):
        return 1
    return len(part.media) if isinstance(part, ToolResult) else 0


def _falling(counts: dict[K, int]) -> dict[K, int]:
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
