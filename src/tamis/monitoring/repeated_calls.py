"""Results of calls, and calls that give back again what was taken out.

Two outputs are compared by their lines, without the numbers that views put before them. What a call asks for
is known by the files that it reads, as the ledger tells them, and by its words.
"""

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from tamis.archive.recall_tool import TOOL_NAME
from tamis.ledger.events import FileChange
from tamis.ledger.files.extractor import extract_files
from tamis.ledger.files.file_tools import command_line, shape_of
from tamis.ledger.outputs.waste import MIN_TOKENS
from tamis.ledger.reader import LedgerReader
from tamis.messages import Counter, Message, ToolCall, ToolResult, part_text

LEAST_AGAIN = 0.5
"""So much of an output must have been there before."""

MAX_OUTPUTS = 2_000
MAX_WAITING = 256
_LINE_NUMBER = re.compile(r"(?<!\s)\s*+\d{1,6}(?:[\t:→│|]|-(?!\d)|\s\s)")
_LEAST_CHARS = 3
_MAY_SHOW = (None, "read", "editor", "shell", "python")
"""Shapes of calls that are made for what they give back; the others are made for what they change."""

_TOOLS = frozenset({TOOL_NAME, "expand"})
_COMMAND = re.compile(r"\A\s*+tamis\s+(?:recall|expand)\b")

CallRegretKind = Literal["recall", "reread", "rerun"]
Subject = tuple[Literal["file", "call"], str]


@dataclass(frozen=True, kw_only=True, slots=True)
class RepeatedCall:
    """A call that gave back what had been taken out: at which turn it was made, what it asked, its tokens."""

    kind: CallRegretKind
    turn: int
    asked: str
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class _Asked:
    """A call that waits for its result."""

    call: ToolCall
    turn: int
    place: tuple[str, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Output:
    """What a call gave back: in which message, after how many messages, about what, which lines."""

    message_id: str
    at: int
    subjects: frozenset[Subject]
    lines: frozenset[int]


@dataclass(kw_only=True)
class CallOutputs:
    """Reads messages in order, and is told which of them were taken out.

    The newest 2,000 outputs are remembered, as hashes of their lines.
    """

    counter: Counter
    _reader: LedgerReader = field(default_factory=lambda: LedgerReader(extractors=(extract_files,)))
    _waiting: dict[str, _Asked] = field(default_factory=dict)
    _held: deque[_Output] = field(default_factory=lambda: deque(maxlen=MAX_OUTPUTS))
    _gone: deque[_Output] = field(default_factory=lambda: deque(maxlen=MAX_OUTPUTS))
    _visible: set[int] = field(default_factory=set)
    _read: int = 0
    _changed_at: int = -1

    def read(self, message: Message, turn: int) -> list[RepeatedCall]:
        """The results of the next message that give back what was taken out."""
        self._read += 1
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolCall):
                self._waiting[part.id] = _Asked(call=part, turn=turn, place=(message.id, index))
        while len(self._waiting) > MAX_WAITING:
            del self._waiting[next(iter(self._waiting))]
        files = self._files(message)
        found: list[RepeatedCall] = []
        for result in message.results:
            asked = self._waiting.pop(result.call_id, None)
            if asked is None:
                continue
            read = files.get(asked.place, set())
            output = _Output(
                message_id=message.id,
                at=self._read,
                subjects=frozenset({("call", _words(asked.call)), *(("file", path) for path in read)}),
                lines=lines_of(result.text),
            )
            if (again := self._judge(asked, result, output)) is not None:
                found.append(again)
            self._held.append(output)
        for part in message.parts:
            if self._gone:
                self._visible |= lines_of(part_text(part))
        return found

    def take_out(self, ids: Iterable[str], shown: Sequence[Message]) -> None:
        """Messages were taken out, and these are shown now."""
        gone = frozenset(ids)
        self._visible = {line for m in shown for part in m.parts for line in lines_of(part_text(part))}
        self._gone.extend(output for output in self._held if output.message_id in gone)
        held = (output for output in self._held if output.message_id not in gone)
        self._held = deque(held, maxlen=MAX_OUTPUTS)

    def _judge(self, asked: _Asked, result: ToolResult, output: _Output) -> RepeatedCall | None:
        if not self._gone:
            return None
        tokens = self.counter.count(part_text(asked.call)) + self.counter.count(result.text)
        told = RepeatedCall(kind="recall", turn=asked.turn, asked=_words(asked.call), tokens=tokens)
        if is_recall(asked.call):
            return told
        if tokens < MIN_TOKENS or not output.lines or shape_of(asked.call) not in _MAY_SHOW:
            return None
        for subject in sorted(output.subjects, reverse=True):  # files first
            what, name = subject
            earlier = [gone for gone in self._gone if subject in gone.subjects]
            if what == "call":  # after a change it asks how things are now
                earlier = [gone for gone in earlier if gone.at > self._changed_at]
            had = frozenset[int]().union(*(gone.lines for gone in earlier)) - self._visible
            if len(output.lines & had) >= LEAST_AGAIN * len(output.lines):
                return replace(told, kind="reread" if what == "file" else "rerun", asked=name)
        return None

    def _files(self, message: Message) -> dict[tuple[str, int], set[str]]:
        """The files that were read, by the place of the call; and a note of what was changed."""
        read: dict[tuple[str, int], set[str]] = {}
        for event in self._reader.read(message):
            if not isinstance(event.value, FileChange):
                continue
            if event.value.action == "read":
                place = event.source.message_id, event.source.part
                read.setdefault(place, set()).add(event.value.path)
            else:
                self._changed_at = self._read
        return read


def is_recall(call: ToolCall) -> bool:
    """Whether a call asks the archive for what was taken out: by the tool, over MCP, or by the command.

    >>> is_recall(ToolCall(id="1", name="mcp__tamis__expand")), is_recall(ToolCall(id="1", name="expand"))
    (True, False)
    """
    before, _, name = call.name.rpartition("__")
    if name in _TOOLS:
        return name == TOOL_NAME or "tamis" in before
    return _COMMAND.match(command_line(call) or "") is not None


def lines_of(text: str) -> frozenset[int]:
    r"""The lines that say something, as hashes.

    >>> lines_of("  12\tdef total():\n") == lines_of("def total():")
    True
    """
    bare = (_LINE_NUMBER.sub("", line, count=1).strip() for line in text.splitlines())
    return frozenset(hash(line) for line in bare if len(line) >= _LEAST_CHARS)


def _words(call: ToolCall) -> str:
    """What makes two calls the same: their command line, or else name and arguments."""
    return " ".join((command_line(call) or part_text(call)).split())
