"""Messages as text for a reader: what the report shows beside a compaction."""

from __future__ import annotations

from collections.abc import Sequence

from tamis.messages import Media, Message, Part, Text, Thinking, ToolCall, ToolResult, part_text


def transcript(messages: Sequence[Message]) -> str:
    """One text, each message under a heading line `### position role id`.

    >>> from tamis.messages import Message, Text
    >>> print(transcript([Message(id="m1", role="user", parts=(Text(text="hi"),))]))
    ### 1 user m1
    hi
    """
    return "\n\n".join(
        "\n".join([f"### {i} {m.role} {m.id}", *(_shown(p) for p in m.parts)])
        for i, m in enumerate(messages, 1)
    )


def _shown(part: Part) -> str:
    match part:
        case Text():
            return part.text
        case Thinking():
            return f"[thinking]\n{part.text}"
        case ToolCall():
            return f"[call {part.id}] {part_text(part)}"
        case ToolResult():
            state = " failed" if part.is_error else ""
            return f"[result of {part.call_id}{state}]\n{part.text}"
        case Media():
            return f"[{part.kind}{f' {part.mime}' if part.mime else ''}]"
