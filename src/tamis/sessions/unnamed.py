"""Giving calls and results an id where the log has none, so that they can be paired."""

from collections.abc import Sequence
from dataclasses import replace

from tamis.messages import Message, Part, ToolCall, ToolResult


def name_calls(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages, every call and result with an id.

    A result without an id, or with one that no call has, answers the oldest call without an id that has its
    tool's name, or else the oldest. Ids that the log gave are kept.

    >>> call = Message(id="1", role="assistant", parts=(ToolCall(id="", name="ls"),))
    >>> result = Message(id="2", role="tool", parts=(ToolResult(call_id="", text="a.py", name="ls"),))
    >>> [m.parts[0] for m in name_calls([call, result])]
    [ToolCall(id='call-1', name='ls', arguments={}, raw_arguments=None), \
ToolResult(call_id='call-1', text='a.py', name='ls', is_error=None, exit_code=None, media=())]
    """
    known = {part.id for message in messages for part in message.calls if part.id}
    if all(part.id for m in messages for part in m.calls) and all(
        p.call_id for m in messages for p in m.results
    ):
        return tuple(messages)
    waiting: list[ToolCall] = []
    count = 0

    def named(part: Part) -> Part:
        nonlocal count
        if isinstance(part, ToolCall) and not part.id:
            count += 1
            part = replace(part, id=f"call-{count}")
            waiting.append(part)
        elif isinstance(part, ToolResult) and part.call_id not in known:
            answered = next((call for call in waiting if call.name == part.name), next(iter(waiting), None))
            if answered is not None:
                waiting.remove(answered)
                part = replace(part, call_id=answered.id)
            elif not part.call_id:
                count += 1
                part = replace(part, call_id=f"call-{count}")
        return part

    return tuple(replace(message, parts=tuple(named(part) for part in message.parts)) for message in messages)
