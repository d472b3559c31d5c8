"""Tasks: off todo tools, check boxes, and what is said to be left or done.

A tool's list stands as a whole. In prose, only what is laid out as a list of work counts, and a few plain
sentences: better to miss a task than to hold on to one that nobody has.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from tamis.ledger.events import Source, Task
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.files.file_tools import command_line
from tamis.ledger.speech.harness import page_start
from tamis.ledger.speech.prose import without_harness
from tamis.ledger.tasks.todo_tools import (
    BOX,
    NEXT_STATUS,
    TaskStatus,
    box_status,
    created_by_result,
    created_number,
    created_task,
    moved_by_result,
    updated_task,
    written_list,
)
from tamis.messages import Message, Text, ToolCall, ToolResult, part_text
from tamis.text.cues.tasks import (
    FOR_NOW,
    GIVES_UP,
    HEADING,
    HEADING_CUES,
    IN_TREE,
    LABEL,
    LABEL_CUES,
    NOTHING,
    PUT_OFF,
    PUT_OFF_CUES,
    may_hold,
)
from tamis.text.key_words import key_words
from tamis.text.sentences import prose_sentences

MAX_TASK_CHARS = 400
MAX_GIVING_UP_CHARS = 2_000
"""In a longer text of the user's nothing is given up in passing."""

MAX_NUMBERED_TASKS = 500
"""How many created tasks are remembered by number."""


def extract_tasks(message: Message, context: ReadContext) -> Iterator[EventDraft]:
    """The tasks of a message: what is new, and what stands differently than before."""
    memory = context.memory.setdefault("tasks", {"lists": {}, "created": {}, "standing": {}, "told": {}})
    standing: dict[str, list[str]] = memory["standing"]
    for draft in _drafts(message, context, memory):
        task = draft.value
        standing.pop(draft.subject, None)
        if isinstance(task, Task) and task.status not in ("done", "dropped"):
            standing[draft.subject] = [task.text, task.status]
        else:
            memory["told"].pop(draft.subject, None)
        while len(standing) > MAX_NUMBERED_TASKS:
            del standing[next(iter(standing))]
        yield draft


def _drafts(message: Message, context: ReadContext, memory: dict[str, Any]) -> Iterator[EventDraft]:
    for index, part in enumerate(message.parts):
        if isinstance(part, ToolCall):
            if _GOES_ON.search((command_line(part) or "")[:MAX_TASK_CHARS]):
                memory["told"] = {
                    subject: [text, asked, True] for subject, (text, asked, _) in memory["told"].items()
                }
            place = _CallPlace(message.id, index, part)
            yield from _list_drafts(place, memory["lists"])
            yield from _single_drafts(place, memory["created"])
        elif isinstance(part, ToolResult):
            if opened := context.calls.get(part.call_id):
                yield from _result_drafts(message, index, opened.call, memory["created"])
        elif isinstance(part, Text) and message.role in ("user", "assistant") and message.origin != "meta":
            given_up: set[int] = set()
            if message.role == "user":
                for text, status, start, end in _given_up(part.text, memory["standing"]):
                    given_up.add(start)
                    source = Source(message_id=message.id, part=index, start=start, end=end)
                    yield _draft(text, status, source)
            own = part.text[: page_start(part.text)]
            listed = list(_prose_tasks(own, by_user=message.role == "user"))
            yield from _overtaken(message, index, listed, memory["told"])
            for start, end, status in listed:
                if start not in given_up:
                    source = Source(message_id=message.id, part=index, start=start, end=end)
                    yield _draft(part.text[start:end], status, source)


def _overtaken(
    message: Message, index: int, listed: list[tuple[int, int, TaskStatus]], told: dict[str, list[Any]]
) -> Iterator[EventDraft]:
    """What the agent wrote to be left, where it no longer is: it writes another list, or the work went on.

    It did where the user has asked for something four times since, or twice and something was committed,
    pushed or merged.
    """
    part = message.parts[index]
    text = part.text if isinstance(part, Text) else ""
    new = {
        task_subject(text[start:end]): text[start:end] for start, end, status in listed if status == "open"
    }
    if message.origin == "conversation" and message.role == "user":
        for record in told.values():
            record[1] += bool(without_harness(text).strip())
        gone = [
            subject for subject, (_, asked, committed) in told.items() if asked >= (2 if committed else 4)
        ]
    elif new:
        gone = [subject for subject in told if subject not in new]
        told.update({subject: [said, 0, False] for subject, said in new.items() if subject not in told})
    else:
        return
    for subject in gone:
        source = Source(message_id=message.id, part=index, start=0, end=len(text))
        yield _draft(told[subject][0], "dropped", source)


def _given_up(text: str, standing: dict[str, list[str]]) -> Iterator[tuple[str, TaskStatus, int, int]]:
    """The standing tasks that a user's text gives up or puts off; "it" is what is under way."""
    if not standing or len(text) > MAX_GIVING_UP_CHARS:
        return
    for sentence in prose_sentences(text):
        found = GIVES_UP.match(text[sentence.body : sentence.end])
        if found is None:
            continue
        status: TaskStatus = "deferred" if FOR_NOW.search(found[0]) else "dropped"
        words = key_words(FOR_NOW.sub("", found["what"] or found["zh"] or ""))
        meant = [task for task, _ in standing.values() if _is_meant(words, task)]
        if not words:
            under_way = [task for task, status in standing.values() if status == "in_progress"]
            meant = under_way or ([task for task, _ in standing.values()] if len(standing) == 1 else [])
        for task in meant:
            if not task.lower().startswith((found["verb"] or "\n").lower()):  # to drop it is the task
                yield task, status, sentence.body, sentence.end


def _is_meant(words: frozenset[str], task: str) -> bool:
    own = key_words(task)
    return bool(words and own) and (words <= own or own <= words)


def task_subject(text: str) -> str:
    """What a task is known by, however it is marked up.

    >>> task_subject("**Fix** the `parser`.") == task_subject("fix the parser")
    True
    """
    return " ".join(re.sub(r"[*_`\"'“”]", "", text).lower().split()).rstrip(".;。；:：")


def _draft(text: str, status: TaskStatus, source: Source) -> EventDraft:
    return EventDraft(
        kind="task", subject=task_subject(text), value=Task(text=text, status=status), source=source
    )


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


def _list_drafts(place: _CallPlace, lists: dict[str, dict[str, str]]) -> Iterator[EventDraft]:
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


def _single_drafts(place: _CallPlace, created: dict[str, Any]) -> Iterator[EventDraft]:
    if text := created_task(place.call):
        yield _draft(text, "open", place.source(text))
    elif (update := updated_task(place.call)) and (known := created.get(update.number)):
        if update.text and update.text != known["text"]:
            yield _draft(known["text"], "dropped", place.source(""))
        known["text"] = update.text or known["text"]
        known["status"] = update.status or known["status"]
        yield _draft(known["text"], known["status"], place.source(known["text"]))


def _result_drafts(
    message: Message, index: int, call: ToolCall, created: dict[str, Any]
) -> Iterator[EventDraft]:
    """The numbers of new tasks; and the tasks themselves, where an export left out what the calls said."""
    result = part_text(message.parts[index])
    if (text := created_task(call)) and (number := created_number(result)):
        created[number] = {"text": text, "status": "open"}
    elif made := created_by_result(call, result):
        created[made[1]] = {"text": made[2].strip(), "status": "open"}
        source = Source(message_id=message.id, part=index, start=made.start(2), end=made.end(2))
        yield _draft(made[2].strip(), "open", source)
    elif known := created.get(moved_by_result(call, result) or ""):
        known["status"] = NEXT_STATUS.get(known["status"], known["status"])
        source = Source(message_id=message.id, part=index, start=0, end=len(result))
        yield _draft(known["text"], known["status"], source)
    while len(created) > MAX_NUMBERED_TASKS:
        del created[next(iter(created))]


_STATUSES: tuple[TaskStatus, ...] = ("open", "deferred", "done")
_GOES_ON = re.compile(r"\bgit (?:commit|push|merge)\b|\bgh pr (?:merge|create|ready)\b")
_BULLET = re.compile(r"\A[ \t]*(?:[-*+•]|\d+[.)])[ \t]+(\S.*)")


def _prose_tasks(text: str, *, by_user: bool) -> Iterator[tuple[int, int, TaskStatus]]:
    """The ranges of the tasks in prose, and where they stand; in order, one a line at most."""
    found: dict[int, tuple[int, TaskStatus]] = {}  # by the end of the line: what is found first is surest
    for start, end, status in (*_boxes(text, by_user=by_user), *_labelled(text), *_listed(text)):
        found.setdefault(end, (start, status))
    if by_user and may_hold(text, PUT_OFF_CUES):
        for sentence in prose_sentences(text):
            names_it = key_words(FOR_NOW.sub("", text[sentence.body : sentence.end]))
            if names_it and PUT_OFF.search(text, sentence.body, sentence.end):
                found.setdefault(sentence.end, (sentence.body, "deferred"))
    fences = _fences(text) if found and "```" in text else []
    for end, (start, status) in sorted(found.items()):
        said = text[start:end].rstrip()
        if not 1 < len(said) <= MAX_TASK_CHARS or NOTHING.match(said):
            continue
        if not any(opened <= start < closed for opened, closed in fences):
            yield start, start + len(said), status


def _boxes(text: str, *, by_user: bool) -> Iterator[tuple[int, int, TaskStatus]]:
    """Check boxes. Those of forms that a user fills in and pastes (issue templates) are nobody's work."""
    if not may_hold(text, "[☐☑☒") or (by_user and "<!--" in text):
        return
    for box in BOX.finditer(text):
        status = box_status(box)
        if status == "open" or not by_user:
            yield box.start(3), box.end(3), status


def _labelled(text: str) -> Iterator[tuple[int, int, TaskStatus]]:
    """`TODO: ...` and the like, at the beginning of a line."""
    if may_hold(text, LABEL_CUES):
        for label in LABEL.finditer(text):
            if not IN_TREE.match(label[4]):
                yield label.start(4), label.end(4), _status_of(label)


def _listed(text: str) -> Iterator[tuple[int, int, TaskStatus]]:
    """The points of the list right below a heading that says what they are."""
    if not may_hold(text, HEADING_CUES):
        return
    for heading in HEADING.finditer(text):
        numbered = _BULLET.match(heading[0])
        depth = _indent(heading[0]) + 1 if numbered else 0  # the least, then that of the first point
        points = 0
        for start, end in _lines(text, heading.end() + 1):
            line = text[start:end]
            bullet = _BULLET.fullmatch(line)
            if not line.strip():
                continue
            indent = _indent(line)
            if indent < depth or not (bullet or (points and indent > depth)):
                break
            if points == 0:
                depth = indent
            if bullet and indent == depth:
                points += 1
                yield start + bullet.start(1), end, _status_of(heading)


def _lines(text: str, start: int) -> Iterator[tuple[int, int]]:
    """The ranges of the lines from `start` on."""
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _status_of(match: re.Match[str]) -> TaskStatus:
    """The status that the named group which took part stands for."""
    return next(status for status in _STATUSES if match.groupdict().get(status) is not None)


def _fences(text: str) -> list[tuple[int, int]]:
    """The ranges of fenced code."""
    marks = [mark.start() for mark in re.finditer(r"^[ \t]*```", text, re.MULTILINE)]
    marks += [len(text)] if len(marks) % 2 else []
    return list(zip(marks[::2], marks[1::2], strict=True))
