"""How Roo Code and Cline answer a call that was written as text: `[read_file for 'a.py'] Result:` and on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tamis.messages import Part, Text, ToolCall, ToolResult
from tamis.sessions.loose import as_dict, as_list, as_text
from tamis.sessions.xml_calls import Element, find_elements

ANSWERED_BY_USER = frozenset({"ask_followup_question", "attempt_completion", "plan_mode_respond"})
_HEADER = re.compile(r"\[([A-Za-z_]\w*)(?=[ \]])")
_SPOKEN = frozenset({"feedback", "user_message", "answer"})
_FAILED = ("The tool execution failed", "Error: ", "<error>", "The user denied this operation")
_EXIT_CODE = re.compile(r"^Exit code: (-?\d+)", re.MULTILINE)
_DECIDED = re.compile(
    r"The user (?:denied|approved) this operation and (?:provided|responded with) [^\n<]{0,80}\n*<feedback>"
)
"""The one form in which a word of the user's comes with another tool's result: right behind this."""
_RESULT = "] Result:"


@dataclass(frozen=True, slots=True)
class PendingResult:
    """A result that has begun: its call, and what stands behind the header already."""

    call: ToolCall
    rest: str


def read_answer(call: ToolCall, text: str) -> tuple[ToolResult, list[Part]]:
    """The result with its text, and what the user said in it, which is taken out of it."""
    spoken: list[Part] = []
    if call.name in ANSWERED_BY_USER or _DECIDED.match(text):
        found = _spoken(text, all_of_it=call.name in ANSWERED_BY_USER)
        spoken = [Text(text=element.inner) for element in found]
        for element in reversed(found):
            text = text[: element.start] + text[element.end :]
    ended = _EXIT_CODE.search(text) if call.name == "execute_command" else None
    failed, code = text.startswith(_FAILED) or None, int(ended[1]) if ended else None
    result = ToolResult(call_id=call.id, name=call.name, text=text, is_error=failed, exit_code=code)
    return result, spoken


def _spoken(text: str, *, all_of_it: bool) -> list[Element]:
    """What the user said: the first element, and nothing that only looks like one behind it.

    Where the whole answer is the user's, it reaches to the last tag that closes it: what it quotes is part
    of it.
    """
    first = next(iter(find_elements(text, _SPOKEN)), None)
    if first is None or not all_of_it:
        return [first] if first else []
    opening = text[first.start : text.index(">", first.start) + 1]
    closing = opening.replace("<", "</", 1)
    last = text.rfind(closing)
    inner = text[first.start + len(opening) : last].strip("\n")
    return [Element(start=first.start, end=last + len(closing), inner=inner)]


def answered_tool(text: str) -> tuple[str, str]:
    """The tool that an answer is from, and what stands behind the header; empty where this is no answer.

    >>> answered_tool("[read_file for 'a.py'] Result:"), answered_tool("[x] done")
    (('read_file', ''), ('', ''))
    """
    header = _HEADER.match(text)
    end = text.find(_RESULT) if header else -1
    if header is None or end < 0:
        return "", ""
    return header.group(1), text[end + len(_RESULT) :].removeprefix("\n")


def tools_named(items: Sequence[Any]) -> set[str]:
    """The tools that answers name: extensions and forks have more than the list above."""
    blocks = (as_dict(block) for item in items for block in as_list(as_dict(item).get("content")))
    return {tool for block in blocks if (tool := answered_tool(as_text(block.get("text")))[0])}


def split_environment(text: str) -> tuple[str, str]:
    """What stands before `<environment_details>`, and from there on."""
    at = text.find("<environment_details>")
    if at < 0 or not text.rstrip().endswith("</environment_details>"):
        return text, ""
    return text[:at].rstrip("\n"), text[at:]
