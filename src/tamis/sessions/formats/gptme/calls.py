"""The calls in what gptme's assistant wrote: code blocks, `@tool(id): {...}` lines, and XML.

A block is found as gptme finds it: a bare fence closes unless text follows on the next line, which makes it
the opening of a block inside. Where that closes nothing, the first bare fence does, as in early versions.
"""

import html
import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from tamis.messages import Part, Text, Thinking, ToolCall

TOOLS = frozenset(
    {"shell", "ipython", "save", "append", "patch", "patch_many", "morph", "tmux", "browser", "read", "gh"}
    | {"chats", "computer", "screenshot", "subagent", "todo", "todowrite", "todoread", "rag", "vision", "mcp"}
    | {"choice", "form", "complete", "restart", "hashline_edit", "lessons", "youtube", "elicit"}
)
"""Tags that only a tool has. Others (`bash`, `python`, a file's name) were tools in some versions."""

_MAYBE = frozenset(["bash", "sh", "python", "py", "terminal", "stdin"])
_PATHS = frozenset(["save", "append", "patch", "morph", "hashline_edit"])
_TEXT_NAMES = {"shell": "command", "bash": "command", "sh": "command", "ipython": "code", "python": "code"}
_TEXT_NAMES |= {"py": "code", "patch": "patch", "morph": "edit"}

_CALL_LINE = re.compile(r"^@(\w+)\(([\w\-:.]+)\):\s*(?=\{)", re.MULTILINE)
_XML = re.compile(r"<tool-use>\s*<(\w++)([^>]*+)>\n?")
_XML_END = re.compile(r"</(\w+)>\s*</tool-use>")
_XML_ARGUMENTS = re.compile(r"""=(?:"([^"]*)"|'([^']*)')""")
_THOUGHT = re.compile(r"\A\s*<(think|thinking)>\n?(.*?)\n?</\1>\s*", re.DOTALL)
_SEAL = re.compile(r"<!--\s*+think-sig:\s*+((?:(?!-->)[^\s<])*+)\s*+-->\s*+")
_ANSWER = re.compile(
    r"(?:Ran|Executed|Saved|Appended|Patch|Successfully|Error|Failed|Aborted|Allowlisted|Running|No output|"
    r"Created|Updated|Interrupted|User interrupted|Command|Result|Session|Sent|Shell|Return|⚠|❌|✅)"
)
_EXIT_CODE = re.compile(r"^(?:Return code|Exit code|exit code): (-?\d+)", re.MULTILINE)


@dataclass(frozen=True, kw_only=True, slots=True)
class WrittenToolCall:
    """A call, and where and how it stands in the text; without an id of its own it has none.

    `sure`: no reader would take it for an example of code.
    """

    start: int
    source: str
    call: ToolCall
    sure: bool = True


def written_parts(text: str) -> Iterator[WrittenToolCall | Part]:
    r"""The text in pieces: reasoning in front, prose, and calls.

    >>> [type(part).__name__ for part in written_parts("Look:\n```shell\nls\n```\ndone")]
    ['Text', 'WrittenToolCall', 'Text']
    """
    if thought := _THOUGHT.match(text):
        seal = _SEAL.search(thought[2])
        yield Thinking(text=_SEAL.sub("", thought[2]), signature=seal[1] if seal else None)
        text = text[thought.end() :]
    at = 0
    for written in sorted(_calls(text), key=lambda found: found.start):
        if written.start < at:
            continue
        if text[at : written.start].strip():
            yield Text(text=text[at : written.start])
        yield written
        at = written.start + len(written.source)
    if text[at:].strip():
        yield Text(text=text[at:])


def is_answer(text: str) -> bool:
    """Whether a system message reads like what a tool gives back, and not like a note of gptme's."""
    return _ANSWER.match(text) is not None or text.startswith("```stdout")


def exit_code(text: str) -> int | None:
    """The exit code that a shell's answer names."""
    found = _EXIT_CODE.search(text)
    return int(found[1]) if found else None


def _calls(text: str) -> Iterator[WrittenToolCall]:
    for match in _CALL_LINE.finditer(text):
        try:
            arguments, end = json.JSONDecoder(strict=False).raw_decode(text, match.end())
            raw = None
        except (ValueError, RecursionError):
            arguments, end, raw = {}, len(text), text[match.end() :]
        call = ToolCall(id=match[2], name=match[1], arguments=arguments, raw_arguments=raw)
        yield WrittenToolCall(start=match.start(), source=text[match.start() : end], call=call)
    yield from _elements(text)
    for start, end, tag, content in _blocks(text):
        tool, _, rest = tag.partition(" ")
        sure = tool in TOOLS and (bool(rest) or tool not in _PATHS)
        if not sure and tool not in _MAYBE:
            if "." not in tag and "/" not in tag:
                continue
            tool, rest = "save", tag  # early versions saved a block that was called like a file
        call = _call(tool, rest, content)
        yield WrittenToolCall(start=start, source=text[start:end], call=call, sure=sure)


def _elements(text: str) -> Iterator[WrittenToolCall]:
    """The calls that are written as XML, each from its opening tags to the first closing ones of its name."""
    ends: dict[str, list[re.Match[str]]] = {}
    for end in _XML_END.finditer(text):
        ends.setdefault(end[1], []).append(end)
    done = 0
    for opening in _XML.finditer(text):
        closing = ends.get(opening[1], [])
        place = bisect_left(closing, opening.end(), key=re.Match.start)
        if opening.start() < done or place == len(closing):
            continue
        end = closing[place]
        done = end.end()
        given = " ".join(html.unescape(one or other) for one, other in _XML_ARGUMENTS.findall(opening[2]))
        content = text[opening.end() : end.start()].removesuffix("\n")
        call = _call(opening[1], given, html.unescape(content))
        yield WrittenToolCall(start=opening.start(), source=text[opening.start() : done], call=call)


def _call(tool: str, rest: str, content: str) -> ToolCall:
    given = {"path" if tool in _PATHS else "args": rest} if rest else {}
    return ToolCall(id="", name=tool, arguments={**given, _TEXT_NAMES.get(tool, "content"): content})


def _blocks(text: str) -> Iterator[tuple[int, int, str, str]]:
    """The outermost closed code blocks with a tag: where they stand, the tag, and what is inside."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    fences = [n for n, line in enumerate(lines) if line.startswith("```")]
    at = 0
    for opened in fences:
        if opened < at:
            continue
        closed = _closing(lines, fences, opened)
        if closed is None:
            continue
        at = closed + 1
        if tag := lines[opened][3:].strip():
            inside = "\n".join(lines[opened + 1 : closed])
            yield starts[opened], starts[closed] + len(lines[closed]), tag, inside


def _closing(lines: list[str], fences: list[int], opened: int) -> int | None:
    """The line of the fence that closes the block, blocks inside counted; else the first bare one."""
    behind = [n for n in fences if n > opened]
    depth = 1
    for n in behind:
        following = lines[n + 1] if n + 1 < len(lines) else ""
        bare = lines[n].strip() == "```"
        depth += -1 if bare and (not following.strip() or following.startswith("```")) else 1
        if depth == 0:
            return n
    return next((n for n in behind if lines[n].strip() == "```"), None)
