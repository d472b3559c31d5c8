"""The scene of the next act: the short tail that every method's context is followed by, and what was done.

The tail is what came first behind the cut, the same for every method, so that none is rewarded for showing
how a conversation looks. The act is all that the agent said and called next, up to the next answer of a tool
or a person; thinking, which no context shows, is left out.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tamis.evals.hindsight import NotMeasured
from tamis.evals.points import Point
from tamis.messages import Counter, Message, Text, ToolCall, ToolResult
from tamis.messages.conversation import Part, arguments_text

TAIL_TOKENS = 200
"""The next act is the first behind so many tokens, where there is one; the newest of them are shown."""

ACT_TOKENS = 200
"""So much of an act is measured at most: a file that is written whole would outweigh all else."""

_CHARS_PER_TOKEN = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """What is in view behind any context, what the agent did then, as text and as its first call."""

    tail: str
    act: str
    call: ToolCall | None

    def behind(self, context: Sequence[Message]) -> str:
        """Everything in view when the agent acts: a context, the tail, and who speaks."""
        return "\n\n".join(filter(None, (shown(context), self.tail, "assistant:\n")))


def scene_of(point: Point, counter: Counter) -> Scene | NotMeasured:
    """The scene at a point; not measured where the agent says and calls nothing that can be read."""
    acts = [i for i, m in enumerate(point.tail) if _acts(m) and not (i and _acts(point.tail[i - 1]))]
    if not acts:
        return NotMeasured(reason="the agent says and calls nothing behind the cut")
    before = [counter.count(shown(point.tail[:i])) for i in acts]
    at = next((i for i, tokens in zip(acts, before, strict=True) if tokens >= TAIL_TOKENS), acts[-1])
    followed = list(_act(point.tail[at:]))
    text = "\n".join(_said(part) for message in followed for part in message.parts if _counts(part))
    calls = [call for message in followed for call in message.calls]
    return Scene(
        tail=_last(shown(point.tail[:at]), TAIL_TOKENS, counter),
        act=_first(text, ACT_TOKENS, counter),
        call=calls[0] if calls else None,
    )


def shown(messages: Sequence[Message]) -> str:
    """Messages as plain text, without the ids that nobody could foresee.

    >>> print(shown([Message(id="m1", role="user", parts=(Text(text="hi"),))]))
    user:
    hi
    """
    texts = ((m.role, "\n".join(_said(part) for part in m.parts if _counts(part))) for m in messages)
    return "\n\n".join(f"{role}:\n{text}" for role, text in texts if text.strip())


def _act(tail: Sequence[Message]) -> Iterator[Message]:
    for message in tail:
        if not _acts(message):
            return
        yield message


def _acts(message: Message) -> bool:
    return message.role == "assistant" and any(_said(p).strip() for p in message.parts if _counts(p))


def _counts(part: Part) -> bool:
    return isinstance(part, Text | ToolCall | ToolResult)


def _said(part: Part) -> str:
    if isinstance(part, ToolCall):
        return call_text(part)
    return part.text if isinstance(part, Text | ToolResult) else ""


def call_text(call: ToolCall) -> str:
    """A call as a model is shown calls, and asked for its own.

    >>> call_text(ToolCall(id="c1", name="bash", arguments={"command": "ls"}))
    '{"tool": "bash", "arguments": {"command": "ls"}}'
    """
    return f'{{"tool": {json.dumps(call.name)}, "arguments": {arguments_text(call)}}}'


def _first(text: str, tokens: int, counter: Counter) -> str:
    """The beginning of a text within so many tokens."""
    text = text[: tokens * _CHARS_PER_TOKEN]
    while (over := counter.count(text)) > tokens:
        text = text[: min(len(text) - 1, len(text) * tokens // over)]
    return text


def _last(text: str, tokens: int, counter: Counter) -> str:
    text = text[-tokens * _CHARS_PER_TOKEN :]
    while (over := counter.count(text)) > tokens:
        text = text[-min(len(text) - 1, len(text) * tokens // over) :]
    return text
