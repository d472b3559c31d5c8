"""Messages as text for a reader: what the report shows beside a compaction."""

import itertools
import re
from collections.abc import Sequence

from tamis.messages import Media, Message, Part, Text, Thinking, ToolCall, ToolResult, part_text

_HEADING = re.compile(r"(?m)^### \d+ (?:system|user|assistant|tool) \S+$")


def transcript(messages: Sequence[Message]) -> str:
    """One text, each message under a heading line `### position role id`.

    A line of a message that looks like such a heading is indented by a space, so that no text can pass for a
    message.

    >>> from tamis.messages import Message, Text
    >>> print(transcript([Message(id="m1", role="user", parts=(Text(text="hi"),))]))
    ### 1 user m1
    hi
    """
    return "\n\n".join(
        "\n".join([f"### {i} {m.role} {m.id}", *(_HEADING.sub(r" \g<0>", _shown(p)) for p in m.parts)])
        for i, m in enumerate(messages, 1)
    )


def joined(*transcripts: str) -> str:
    r"""Transcripts one behind the other as one, its messages counted through.

    >>> print(joined("### 1 system s1\nBe brief.", "### 1 user m7\nhi"))
    ### 1 system s1
    Be brief.
    <BLANKLINE>
    ### 2 user m7
    hi
    """
    position = itertools.count(1)
    whole = "\n\n".join(filter(None, transcripts))
    return _HEADING.sub(lambda heading: f"### {next(position)} {heading[0].split(' ', 2)[2]}", whole)


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
