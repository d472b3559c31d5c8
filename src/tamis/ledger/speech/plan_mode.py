"""Plan mode: a program has told its agent to look and to plan, and to change nothing yet."""

import re

from tamis.ledger.speech.harness import without_tags
from tamis.messages import Message, Text, ToolCall, ToolResult

_TOOL = re.compile(
    r"(?:(?P<on>enter)|(?P<off>exit|leave))_?plan_?mode|plan_(?:(?P<on2>enter)|(?P<off2>exit))", re.I
)
_REFUSED = re.compile(r"doesn'?t want to|rejected|denied|stay(?:s|ing)? in plan mode", re.IGNORECASE)
_ON = re.compile(
    r"\bplan mode (?:is )?(?:still )?(?:active|on\b)|\b(?:entered|you are (?:now |still )?in) plan mode",
    re.IGNORECASE,
)
_OFF = re.compile(
    r"\b(?:exited|left|out of|no longer in) plan mode|\bmode (?:has )?changed from plan\b", re.IGNORECASE
)
LOOKED_AT = 2_000


def mode_after_call(call: ToolCall, result: ToolResult) -> bool | None:
    """Whether a call turned plan mode on (True) or off (False); None where it did neither.

    >>> call = ToolCall(id="1", name="EnterPlanMode", arguments={})
    >>> mode_after_call(call, ToolResult(call_id="1", text="Entered plan mode."))
    True
    """
    tool = _TOOL.fullmatch(call.name)
    if tool is None or result.is_error or _REFUSED.search(result.text[:LOOKED_AT]):
        return None
    return bool(tool["on"] or tool["on2"])


def mode_told(message: Message) -> bool | None:
    """What the agent's program says of plan mode in a user's message; None where it says nothing."""
    told = None
    for part in message.parts:
        if message.role != "user" or not isinstance(part, Text) or "plan" not in part.text.lower():
            continue
        own = part.text if message.origin == "meta" else _put_in(part.text)
        found = [(m.end(), on) for on, cue in ((True, _ON), (False, _OFF)) for m in cue.finditer(own)]
        told = max(found)[1] if found else told
    return told


def _put_in(text: str) -> str:
    """What the program put into a text."""
    kept = without_tags(text)
    return "".join(a for a, b in zip(text, kept, strict=True) if a != b or a == " ")
