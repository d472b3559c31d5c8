"""SpecStory's Markdown: histories of several agents, written for people.

    <!-- Claude Code Session 68ceef0c-... (2026-06-11 15:44:15Z) -->

    _**User (2026-06-11 15:44:15Z)**_
    ...
    ---
    _**Agent (claude-opus-4-6 2026-06-11 15:44:20Z)**_
    <think>...</think>
    <tool-use data-tool-type="shell" data-tool-name="Bash">...</tool-use>

Files of 2025 have neither times nor tags: a call is a line `Tool use: **Bash** ...`. A file may hold several
sessions. What sub-agents said stands between the rest; it goes into one sidechain.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile

from tamis.messages import Message, Origin, Part, Role, Session, Text, Thinking, ToolCall, ToolResult, Unread
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.formats.claude_code.lines import is_harness_text
from tamis.sessions.formats.specstory.outline import (
    GENERATED,
    HEADER,
    MARKER,
    TIME,
    TOOL,
    OutlineSection,
    OutlineTurn,
    outline,
)
from tamis.sessions.formats.specstory.tools import PATCHED, WRITE, read_call
from tamis.sessions.loose import as_text, file_stem

_TITLE = re.compile(r"#{1,2} (\S.*)")
_THINK = re.compile(r"<think>(?:<details><summary>.*?</summary>)?\s*(.*)")
_THINK_END = re.compile(r"\A(.*?)(?:</details>)?</think>\s*")
_MESSAGE_ID = re.compile(r"\A<!-- message-id: (.+?) -->\s*")
_BARE_CALL = "Tool use: **"
_CONTINUED = "This session is being continued from a previous conversation"
SIDECHAIN = "sidechain"
"""The name of all that sub-agents said: SpecStory does not tell one from another."""


class SpecStory:
    """Reads the histories that SpecStory writes, every generation of them."""

    name = "specstory"
    title = "SpecStory Markdown"
    streams = False
    many = True

    def sniff(self, document: Document) -> float:
        """Certain where SpecStory says so; sure where a session marker and a header stand in the head."""
        if document.kind != "text":
            return 0.0
        lines = document.head.split("\n")
        if any(line.startswith(GENERATED) for line in lines[:10]):
            return 0.97
        headers = any(line.startswith("_**") and HEADER.fullmatch(line) for line in lines)
        marker = any(line.startswith("<!-- ") and MARKER.fullmatch(line) for line in lines)
        return 0.9 if headers and marker else 0.5 if headers else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """The sessions of the file, in order."""
        lines: list[str] = []
        unread: list[Unread] = []
        for line in document.lines():
            if line.text is None:
                unread.append(Unread(line=line.number, reason=line.reason))
            lines.append(line.text or "")
        for number, section in enumerate(outline(lines)):
            name = file_stem(document.path.name) + (f"#{number + 1}" if number else "")
            gaps = [gap for gap in unread if section.start < gap.line <= section.end]
            history = _History(lines, section, SessionBuilder(format=self.name, id=name, unread=gaps))
            history.read()
            yield history.builder.session(document)


@dataclass(slots=True)
class _History:
    lines: Sequence[str]
    section: OutlineSection
    builder: SessionBuilder
    calls: int = 0

    def read(self) -> None:
        turns = self.section.turns
        self._front(turns[0].start - 1 if turns else self.section.end)
        for turn in turns:
            if turn.by_user:
                self._user(turn)
            else:
                self._agent(turn)
        aside = self.builder.sidechains.get(SIDECHAIN, [])
        self.builder.first_cwd = _folder([*self.builder.messages, *aside])

    def _front(self, end: int) -> None:
        """What stands before the first header: title, agent, id. Other text there is counted as not read."""
        if marker := self.section.marker:
            self.builder.id = marker.group(2)
            self.builder.meta |= {"agent": marker.group(1), "started": marker.group(3) or ""}
        for number in range(self.section.start, end):
            line = self.lines[number]
            if title := _TITLE.fullmatch(line):
                self.builder.meta.setdefault("title", title.group(1))
            elif line.strip() and not line.startswith("<!--"):
                self.builder.miss(number + 1, "text before the first header")

    def _user(self, turn: OutlineTurn) -> None:
        if text := _trimmed(self.lines[turn.start : turn.end]):
            origin: Origin = "meta" if is_harness_text(text) else "conversation"
            self._add(turn, "user", [Text(text=text)], "summary" if text.startswith(_CONTINUED) else origin)

    def _agent(self, turn: OutlineTurn) -> None:
        """The parts under an agent's header; a call has its result right behind it and ends a message."""
        self.builder.model = self.builder.model or _model(turn.about)
        parts: list[Part] = []
        behind_block = False
        prose = at = turn.start
        while at < turn.end:
            line = self.lines[at]
            thinking = _THINK.fullmatch(line) if line.startswith("<think>") else None
            tool = TOOL.fullmatch(line) if at in self.section.blocks else None
            bare = line.startswith(_BARE_CALL)
            patch = line.startswith("**") and self._is_patch(at, turn.end)
            if not (thinking or tool or bare or patch):
                at += 1
                continue
            parts += self._prose(prose, at, behind_block=behind_block)
            if thinking:
                thought, at = self._thought(thinking.group(1), at, turn.end)
                parts.append(Thinking(text=thought))
            else:
                end = turn.end if tool is None else min(self.section.blocks[at], turn.end)
                kind, name = (tool.group(1), tool.group(2)) if tool else ("", "")
                lines = _block(self.lines[at + bool(tool) : end])
                if patch:  # it is shown as what was done to the file
                    kind, name, lines = WRITE, "apply_patch", [*lines, "Output:"]
                self._call(turn, parts, name, kind, lines)
                parts, at = [], end + 1
            prose, behind_block = at, True
        parts += self._prose(prose, turn.end, behind_block=behind_block)
        self._add(turn, "assistant", parts)

    def _is_patch(self, at: int, end: int) -> bool:
        """Whether a patch begins on a line: in a session that was resumed, no tags are around it."""
        behind = next((line for line in self.lines[at + 1 : end][:3] if line.strip()), "")
        return behind.startswith("```diff") and PATCHED.fullmatch(self.lines[at]) is not None

    def _prose(self, start: int, end: int, *, behind_block: bool) -> list[Part]:
        text = _trimmed(self.lines[start:end], behind_block=behind_block)
        return [Text(text=text)] if text else []

    def _thought(self, first: str, at: int, end: int) -> tuple[str, int]:
        """A thought and the line behind it; without its closing tag it goes on to the end of the turn."""
        thought: list[str] = []
        for behind, line in enumerate([first, *self.lines[at + 1 : end]], at + 1):
            closing = _THINK_END.fullmatch(line) if "</think>" in line else None
            thought.append(closing[1] if closing else line)
            if closing:
                end = behind
                break
        return "\n".join(thought).strip("\n"), end

    def _call(
        self, turn: OutlineTurn, before: Sequence[Part], name: str, kind: str, lines: Sequence[str]
    ) -> None:
        self.calls += 1
        rendered = read_call(name, kind, lines)
        call = ToolCall(id=f"call-{self.calls}", name=rendered.name, arguments=rendered.arguments)
        self._add(turn, "assistant", [*before, call])
        if rendered.result is not None:
            result = ToolResult(call_id=call.id, name=call.name, text=rendered.result)
            result = replace(result, is_error=rendered.is_error, exit_code=rendered.exit_code)
            self._add(turn, "tool", [result])

    def _add(
        self, turn: OutlineTurn, role: Role, parts: Sequence[Part], origin: Origin = "conversation"
    ) -> None:
        if turn.sidechain and parts:
            aside = Message(id="", role=role, parts=tuple(parts), origin=origin, timestamp=turn.time)
            self.builder.sidechains.setdefault(SIDECHAIN, []).append(aside)
            return
        if origin == "summary":
            self.builder.cut()
        self.builder.add(role, parts, origin=origin, timestamp=turn.time)


def _model(about: str) -> str | None:
    """The model in a header: `claude-opus-4-6 2026-...`, or Cursor's `model claude-4, mode Agent`."""
    words = TIME.sub("", about).strip()
    if words.startswith("model "):
        words = words.removeprefix("model ").partition(",")[0].strip()
    return words or None


def _folder(messages: Sequence[Message]) -> str | None:
    """The folder that the session worked in, which SpecStory does not say, or None where nothing proves it.

    It shortens most paths to `./path`, but not those that a tool reports. A file that is named both ways
    tells where `.` is; of several answers, the one that most files give.
    """
    paths = {as_text(call.arguments.get("file_path")) for message in messages for call in message.calls}
    endings: dict[str, set[str]] = {}
    for path in paths:
        if path.startswith("./"):
            endings.setdefault(path.rpartition("/")[2], set()).add(path[1:])
    votes: Counter[str] = Counter()
    for path in sorted(paths):
        if path.startswith("/"):
            shortened = endings.get(path.rpartition("/")[2], ())
            votes.update(path.removesuffix(short) for short in shortened if path.endswith(short))
    return votes.most_common(1)[0][0] if votes else None


def _trimmed(lines: Sequence[str], *, behind_block: bool = False) -> str:
    """A text without the empty lines around it, the rules between parts, and the message's id."""

    def is_frame(line: str) -> bool:
        return not line.strip() or bool(_MESSAGE_ID.fullmatch(line)) or (behind_block and line == "---")

    return "\n".join(dropwhile(is_frame, _without_rule(lines)))


def _without_rule(lines: Sequence[str]) -> Sequence[str]:
    """The lines without the rule, and the empty lines, at their end."""
    end = len(lines)
    for rule in (True, False):
        while end and not lines[end - 1].strip():
            end -= 1
        if rule and end and lines[end - 1].strip() == "---":
            end -= 1
    return lines[:end]


def _block(lines: Sequence[str]) -> list[str]:
    """A tool's block without what is around it: the rule, and Cursor's tags on lines of their own."""
    kept = [line.removeprefix("<details>") for line in _without_rule(lines)]
    while kept and not kept[0].strip():
        del kept[0]
    while kept and kept[-1].strip() in ("", "</details>"):
        del kept[-1]
    return kept
