"""aider's chat history (`.aider.chat.history.md`): one Markdown file to which every chat is appended.

    # aider chat started at 2024-08-05 19:33:32     each chat is a session
    #### please add a test                          what the user typed
    > Applied edit to tests/test_app.py             what aider printed
    anything else                                   what the model said

aider ends the lines of the second and third kind with two spaces. That tells them from headings and quotes
of a reply, and says where a printed text of several lines ends, of which only the first has the mark.

Edit blocks of a reply become calls of `search_replace`, shell commands that aider ran calls of `bash`. What
else aider printed, and what it alone was told (`/add`, `/exit`), is a message of origin `meta`. Text before
the first heading is a session as well.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tamis.messages import Origin, Part, Session, Text, ToolCall, ToolResult, Unread
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.formats.aider.edit_blocks import split_edits
from tamis.sessions.loose import file_stem

_STARTED = "# aider chat started at "
_APPLIED = re.compile(r"Applied edit to (.+)")
_FAILED = re.compile(r"\A## Search\w+: .* in (.+)")
_RUNNING = re.compile(r"Running (.+)")
_EXITED = re.compile(r"\ACommand .* exited with status (\d+)")
_COMMIT = re.compile(r"Commit ([0-9a-f]{7,40})\b ?(.*)")
_ADDED = re.compile(r"\AAdded (\S.*?) to (?:the chat|read-only files)\.?")
_MODEL = re.compile(r"(?:Main model|Models?): (\S+)(?: with (.*?) edit format)?")
_FOLDER = re.compile(r"Git working dir: (.+)")
_COMMAND = re.compile(r"/(?!as|arch|co(?:de|n)|he|un)[a-z-]{1,20}(?: [^\n]*)?\s*")
"""A line for aider itself; `/ask`, `/architect`, `/code` and `/help` hand on words, `/undo` is news."""

_PROMPTS = ("Add ", "Run ", "Running ", "Added ", "Tokens: ", "Applied ", "Commit ", "To retry", "You can ")


class Aider:
    """Reads aider's chat histories, one session a chat."""

    name = "aider"
    title = "aider chat history Markdown"
    streams = True
    many = True

    def sniff(self, document: Document) -> float:
        """Certain where a chat's heading stands in the head; else by aider's own marks."""
        if document.kind != "text":
            return 0.0
        lines = document.head.split("\n")
        if any(line.startswith(_STARTED) for line in lines):
            return 0.95
        ended = [line for line in lines if line.endswith("  ")]
        typed, printed = (any(line.startswith(mark) for line in ended) for mark in ("#### ", "> "))
        return 0.4 if typed and printed else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """One session per chat, in order; the text before the first heading, if any, comes first."""
        stem = file_stem(document.path.name)
        started: str | None = None
        count = 0
        lines: list[str] = []
        unread: list[Unread] = []
        for line in document.lines():
            if line.text is None:
                unread.append(Unread(line=line.number, reason=line.reason))
            elif line.text.startswith(_STARTED):
                if started is not None or any(map(str.strip, lines)):
                    yield _session(f"{stem}#{count}", document, started, lines, unread)
                count += 1
                started, lines, unread = line.text.removeprefix(_STARTED).strip(), [], []
            else:
                lines.append(line.text)
        if started is not None or any(map(str.strip, lines)) or unread:
            yield _session(f"{stem}#{count}", document, started, lines, unread)


def _session(
    name: str, document: Document, started: str | None, lines: Sequence[str], unread: Sequence[Unread]
) -> Session:
    builder = SessionBuilder(format=Aider.name, id=name, unread=list(unread))
    chat = _Chat(builder)
    for block in _blocks(lines):
        chat.take(block)
    builder.first_cwd = chat.meta.pop("folder", None)
    builder.model = chat.meta.pop("model", None)
    builder.meta = {"started": started, **chat.meta}
    builder.meta |= {"commits": tuple(chat.commits), "files": tuple(chat.files)}
    return builder.session(document)


_Kind = Literal["typed", "printed", "said"]


@dataclass(frozen=True, slots=True)
class _Block:
    kind: _Kind
    lines: list[str]


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    """Cut a chat into what was typed, printed and said; neighbours of one kind that no line parts are one."""
    strict = any(line.startswith(("> ", "#### ")) and line.endswith("  ") for line in lines)
    ending = _next_endings(lines)
    before = _Block("printed", [])
    fenced = parted = False
    at = 0
    while at < len(lines):
        line = lines[at]
        marked = not (strict and not line.endswith("  ")) and not (fenced and not strict)
        until = at + 1
        kind: _Kind = "said"
        if marked and line.startswith("####") and line[4:5] in (" ", ""):
            kind = "typed"
        elif line.startswith(">") and line[1:2] in (" ", ""):
            if marked:
                kind = "printed"
            elif end := _printed_until(lines, at, ending[at], before):
                kind, until = "printed", end
            elif before.kind != "said":
                kind = "printed"
        elif before.kind == "printed" and not parted and line.strip() and before.lines:
            kind = "printed"
        if kind == "said" and not line.strip() and before.kind != "said":
            parted = True
            at = until
            continue
        fenced = fenced ^ line.startswith("```") if kind == "said" else False
        taken = [_unmarked(each, kind) for each in lines[at:until]]
        if kind == before.kind and not (parted and kind == "typed"):
            before.lines.extend(taken)
        else:
            if before.lines:
                yield before
            before = _Block(kind, taken)
        parted = False
        at = until
    if before.lines:
        yield before


def _next_endings(lines: Sequence[str]) -> list[int]:
    """For each line the next one behind it that ends with two spaces; -1 if there is none."""
    endings = [-1] * len(lines)
    for number in range(len(lines) - 1, 0, -1):
        ends = lines[number].endswith("  ") and lines[number].strip()
        endings[number - 1] = number if ends else endings[number]
    return endings


def _printed_until(lines: Sequence[str], at: int, ending: int, before: _Block) -> int:
    """The end of a printed text whose first line is `at`, or 0 where this is a quote in a reply."""
    if ending < 0 or lines[ending].startswith(("> ", "#### ")):
        return 0
    after_command = before.kind == "printed" or (before.kind == "typed" and before.lines[0].startswith("/"))
    close = ending - at <= 2 and all(map(str.strip, lines[at:ending]))
    return ending + 1 if after_command or close else 0


def _unmarked(line: str, kind: str) -> str:
    if kind == "said":
        return line
    mark = "####" if kind == "typed" else ">"
    bare = line.removeprefix(mark).removeprefix(" ") if line.startswith(mark) else line
    return bare.removesuffix("  ")


@dataclass(slots=True)
class _Chat:
    """A chat as far as it was read: its messages, and the edits that wait to be applied."""

    builder: SessionBuilder
    waiting: dict[str | None, deque[ToolCall]] = field(default_factory=dict)
    calls: int = 0
    begun: bool = False
    meta: dict[str, Any] = field(default_factory=dict)
    commits: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    def take(self, block: _Block) -> None:
        text = "\n".join(block.lines)
        if block.kind == "typed":
            self.begun = True
            self.waiting = {}
            origin: Origin = "meta" if _COMMAND.fullmatch(text) else "conversation"
            self.builder.add("user", [Text(text=text)], origin=origin)
        elif block.kind == "printed":
            self._printed(block.lines)
        elif self.begun:
            self._said(text.strip("\n"))
        else:
            self.builder.add("user", text.strip("\n"), origin="meta")

    def _said(self, text: str) -> None:
        if not text:
            return
        parts: list[Part] = []
        self.waiting = {}
        for piece in split_edits(text):
            if isinstance(piece, str):
                parts.append(Text(text=piece))
                continue
            arguments = {"path": piece.path, "search": piece.search, "replace": piece.replace}
            call = ToolCall(id=self._next_id("edit"), name="search_replace", arguments=arguments)
            parts.append(call)
            self.waiting.setdefault(piece.path, deque()).append(call)
        self.builder.add("assistant", parts)

    def _printed(self, lines: Sequence[str]) -> None:
        results: list[ToolResult] = []
        rest: list[str] = []
        ran: list[tuple[str, list[str]]] = []
        output: list[str] | None = None
        for line in lines:
            self._note(line)
            if applied := _APPLIED.fullmatch(line):
                calls = self._waiting_for(applied.group(1))
                results += [ToolResult(call_id=c.id, name=c.name, text=line, is_error=False) for c in calls]
                rest += [] if calls else [line]
                output = None
            elif (failed := _FAILED.fullmatch(line)) and (calls := self._waiting_for(failed.group(1), 1)):
                results.append(ToolResult(call_id=calls[0].id, name=calls[0].name, text=line, is_error=True))
            elif (running := _RUNNING.fullmatch(line)) and self.begun:
                output = []
                ran.append((running.group(1), output))
            elif output is not None and not line.startswith(_PROMPTS):
                output.append(line)
            else:
                output = None
                rest.append(line)
        self.builder.add("tool", results)
        for command, printed in ran:
            self._ran(command, printed)
        self.builder.add("user", "\n".join(rest).strip("\n"), origin="meta")

    def _ran(self, command: str, output: Sequence[str]) -> None:
        """A shell command of the model that aider ran; it has a result where something was printed."""
        call = ToolCall(id=self._next_id("run"), name="bash", arguments={"command": command})
        self.builder.add("assistant", [call])
        if not output:
            return
        code = next((int(found[1]) for line in output if (found := _EXITED.fullmatch(line))), None)
        text = "\n".join(output)
        self.builder.add("tool", [ToolResult(call_id=call.id, name=call.name, text=text, exit_code=code)])

    def _waiting_for(self, path: str, most: int | None = None) -> list[ToolCall]:
        """The edits of this file that have no result yet, which they are about to get."""
        waiting = self.waiting.get(path, deque())
        return [waiting.popleft() for _ in range(len(waiting) if most is None else min(most, len(waiting)))]

    def _note(self, line: str) -> None:
        if commit := _COMMIT.fullmatch(line):
            self.commits.append(commit.group(1))
        elif added := _ADDED.fullmatch(line):
            self.files.append(added.group(1))
        elif model := _MODEL.match(line):
            self.meta.setdefault("model", model.group(1))
            self.meta.setdefault("edit_format", model.group(2))
        elif folder := _FOLDER.fullmatch(line):
            self.meta.setdefault("folder", folder.group(1))

    def _next_id(self, kind: str) -> str:
        self.calls += 1
        return f"{kind}-{self.calls}"
