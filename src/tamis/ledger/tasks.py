"""Tasks: off todo and plan tools, check boxes, and what is said to be left, done or put off.

A tool's list stands as a whole. In prose, only what is laid out as a list of work counts, and a few plain
sentences: better to miss a task than to hold on to one that nobody has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tamis.ledger.events import Source, Task
from tamis.ledger.extract import Draft, ReadContext
from tamis.ledger.sentences import prose_sentences
from tamis.ledger.todo_tools import (
    BOX,
    TaskStatus,
    box_status,
    created_number,
    created_task,
    updated_task,
    written_list,
)
from tamis.messages import Message, Text, ToolCall, ToolResult, part_text

MAX_TASK_CHARS = 400
MAX_NUMBERED_TASKS = 500
"""How many created tasks are remembered by number."""


def extract_tasks(message: Message, context: ReadContext) -> Iterator[Draft]:
    """The tasks of a message: what is new, and what stands differently than before."""
    memory = context.memory.setdefault(__name__, {"lists": {}, "created": {}})
    for index, part in enumerate(message.parts):
        if isinstance(part, ToolCall):
            place = _CallPlace(message.id, index, part)
            yield from _list_drafts(place, memory["lists"])
            yield from _single_drafts(place, memory["created"])
        elif isinstance(part, ToolResult):
            opened = context.calls.get(part.call_id)
            if opened and (text := created_task(opened.call)) and (number := created_number(part.text)):
                memory["created"][number] = {"text": text, "status": "open"}
                while len(memory["created"]) > MAX_NUMBERED_TASKS:
                    del memory["created"][next(iter(memory["created"]))]
        elif isinstance(part, Text) and message.role in ("user", "assistant") and message.origin != "meta":
            for start, end, status in _prose_tasks(part.text, by_user=message.role == "user"):
                source = Source(message_id=message.id, part=index, start=start, end=end)
                yield _draft(part.text[start:end], status, source)


def task_subject(text: str) -> str:
    """What a task is known by, however it is marked up.

    >>> task_subject("**Fix** the `parser`.") == task_subject("fix the parser")
    True
    """
    return " ".join(re.sub(r"[*_`\"'“”]", "", text).lower().split()).rstrip(".;。；:：")


def _draft(text: str, status: TaskStatus, source: Source) -> Draft:
    return Draft(kind="task", subject=task_subject(text), value=Task(text=text, status=status), source=source)


class _CallPlace:
    """Where a call's texts stand in it, looked for from left to right."""

    def __init__(self, message_id: str, part: int, call: ToolCall) -> None:
        self.call = call
        self._message_id, self._part = message_id, part
        self._text: str | None = None
        self._from = 0

    def source(self, text: str) -> Source:
        """The place of a text as JSON; the whole call where it does not stand there as one piece."""
        if self._text is None:
            self._text = part_text(self.call)
        written = json.dumps(text, ensure_ascii=False)[1:-1]
        start = self._text.find(written, self._from)
        if start < 0:
            return Source(message_id=self._message_id, part=self._part, start=0, end=len(self._text))
        self._from = start + len(written)
        return Source(message_id=self._message_id, part=self._part, start=start, end=self._from)


def _list_drafts(place: _CallPlace, lists: dict[str, dict[str, str]]) -> Iterator[Draft]:
    items = written_list(place.call)
    if items is None:
        return
    before = lists.get(place.call.name, {})
    for item in items:
        if before.get(item.text) != item.status:
            yield _draft(item.text, item.status, place.source(item.text))
    still_there = {task_subject(item.text) for item in items}
    for text, status in before.items():
        if status in ("open", "in_progress") and task_subject(text) not in still_there:
            yield _draft(text, "dropped", place.source(""))
    lists[place.call.name] = {item.text: item.status for item in items}


def _single_drafts(place: _CallPlace, created: dict[str, Any]) -> Iterator[Draft]:
    if text := created_task(place.call):
        yield _draft(text, "open", place.source(text))
    elif (update := updated_task(place.call)) and (known := created.get(update.number)):
        if update.text and update.text != known["text"]:
            yield _draft(known["text"], "dropped", place.source(""))
        known["text"] = update.text or known["text"]
        known["status"] = update.status or known["status"]
        yield _draft(known["text"], known["status"], place.source(known["text"]))


_HEADING_WORDS: tuple[tuple[TaskStatus, str], ...] = (
    (
        "deferred",
        r"deferred|out[ -]of[ -]scope|not in scope|follow[- ]?ups?(?: (?:work|tasks|items))?|future work|for later|later"
        r"|暂缓|以后再做|后续工作|不在范围(?:内)?|延后",
    ),
    (
        "open",
        r"(?:what(?:'s| is) )?(?:still )?(?:remaining|outstanding|pending|unfinished|left)(?: (?:to do|work|tasks?|items?|steps?"
        r"|issues?|todos?))?|still to do|to[- ]?dos?(?: list)?|open (?:items|tasks|points)|next(?: steps?| up| tasks?)?"
        r"|待办(?:事项)?|未完成(?:的?(?:任务|工作))?|剩余(?:的?(?:任务|工作))?|接下来(?:要做的?)?|下一步(?:计划)?|还需要(?:做的?)?",
    ),
)
_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+)?(?:\d+[.)][ \t]*)?[*_]{0,2}(?:"
    + "|".join(f"(?P<{status}>{words})" for status, words in _HEADING_WORDS)
    + r")(?:[ \t]*[(（][^()（）\n]{0,40}[)）])?[ \t]*[:：]?[*_]{0,2}[ \t]*[:：]?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING_CUES = tuple(
    "defer cope ollow uture ater emaining utstanding ending nfinished eft till o-do odo ODO pen ext "
    "暂缓 以后 后续 不在 延后 待办 未完成 剩余 接下来 下一步 还需要".split()
)
_BULLET = re.compile(r"[ \t]*(?:[-*+•]|\d+[.)])[ \t]+(\S.*)")

_LABEL = re.compile(
    r"^[ \t]*(?:[-*+•][ \t]+)?[*_]{0,2}(?:(?P<open>TODO|To-do|Still to do|Remaining|待办|还需要|还要做)"
    r"|(?P<deferred>Deferred|Out of scope|Follow-up|暂缓|延后)|(?P<done>已完成))[*_]{0,2}[:：][*_]{0,2}[ \t]*(\S.*)$",
    re.MULTILINE,
)
_LABEL_CUES = (
    "TODO",
    "o-do",
    "till to do",
    "emaining",
    "eferred",
    "ut of scope",
    "ollow-up",
    "待办",
    "还",
    "暂缓",
    "延后",
    "已完成",
)

_PUT_OFF = re.compile(
    r"\b(?:(?:leave|save|keep|defer|postpone|push|do|handle|tackle|fix|add|address|revisit|come back to)\b.{0,120}\b"
    r"(?:for later|until later|to later|later(?: on)?[.!]?$|in a (?:follow[- ]?up|separate|later|future) \w+|(?:for|until) (?:the )?next "
    r"(?:release|sprint|version|week|month|pr)|for now[.!]?$)|(?:is|are|be) out of scope|(?:defer|postpone|park) (?:the|that|this|it)\b)"
    r"|暂缓|以后再|之后再|稍后再|先不(?:做|管)|推迟|不在.{0,6}范围",
    re.IGNORECASE,
)
_PUT_OFF_CUES = (
    "later",
    "ollow",
    "scope",
    "defer",
    "postpone",
    "next ",
    "for now",
    "park ",
    "eparate ",
    "暂缓",
    "再",
    "先不",
    "推迟",
    "范围",
)


def _prose_tasks(text: str, *, by_user: bool) -> Iterator[tuple[int, int, TaskStatus]]:
    """The ranges of the tasks in prose, and where they stand; in order, each once."""
    found: dict[int, tuple[int, TaskStatus]] = {}
    if "[" in text or "☐" in text or "☑" in text or "☒" in text:
        for box in BOX.finditer(text):
            found[box.start(3)] = (box.end(3), box_status(box))
    if any(cue in text for cue in _HEADING_CUES):
        for start, end, status in _listed(text):
            found.setdefault(start, (end, status))
    if any(cue in text for cue in _LABEL_CUES):
        for label in _LABEL.finditer(text):
            found.setdefault(label.start(4), (label.end(4), _status_of(label)))
    if by_user and any(cue in text for cue in _PUT_OFF_CUES):
        for sentence in prose_sentences(text):
            if _PUT_OFF.search(text, sentence.body, sentence.end):
                found.setdefault(sentence.body, (sentence.end, "deferred"))
    fences = _fences(text) if found and "```" in text else []
    for start, (end, status) in sorted(found.items()):
        end = start + len(text[start:end].rstrip())
        if 3 < end - start <= MAX_TASK_CHARS and not any(a <= start < b for a, b in fences):
            yield start, end, status


def _listed(text: str) -> Iterator[tuple[int, int, TaskStatus]]:
    """The points of the list right below a heading that says what they are."""
    for heading in _HEADING.finditer(text):
        at = heading.end()
        indent: int | None = None
        while (at := at + 1) <= len(text):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            line = text[at:end]
            if bullet := _BULLET.fullmatch(line):
                depth = len(line) - len(line.lstrip())
                indent = depth if indent is None else indent
                if depth <= indent and not BOX.match(line):
                    yield at + bullet.start(1), end, _status_of(heading)
            elif line.strip() and not (indent is not None and line.startswith((" ", "\t"))):
                break
            at = end


def _status_of(match: re.Match[str]) -> TaskStatus:
    status: Any = next(name for name, value in match.groupdict().items() if value is not None)
    return status


def _fences(text: str) -> list[tuple[int, int]]:
    """The ranges of fenced code."""
    marks = [mark.start() for mark in re.finditer(r"^[ \t]*```", text, re.MULTILINE)]
    marks += [len(text)] if len(marks) % 2 else []
    return list(zip(marks[::2], marks[1::2], strict=True))
