"""Task lists as agents keep them with tools: what a call says about which task.

Two shapes are in use. A list that is written whole each time (`TodoWrite`, `update_plan`,
`update_todo_list` ...), so that what is missing in the new one was dropped; and single tasks that are created
and then updated by number (`TaskCreate`, `TaskUpdate`).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tamis.ledger.outputs.commands import name_words
from tamis.messages import ToolCall

TaskStatus = Literal["open", "in_progress", "done", "deferred", "dropped"]

TODO_WORDS = frozenset({"todo", "todos", "plan", "task", "tasks", "checklist", "chain"})
"""A tool with one of these words in its name, and a list with states among its arguments, keeps tasks."""

_TEXTS = ("content", "step", "title", "description", "text", "task", "subject", "name")
_STATUSES: Mapping[str, TaskStatus] = {
    "pending": "open", "todo": "open", "open": "open", "not_started": "open", "planned": "open",
    "in_progress": "in_progress", "doing": "in_progress", "active": "in_progress", "started": "in_progress",
    "completed": "done", "complete": "done", "done": "done", "finished": "done",
    "deferred": "deferred", "blocked": "deferred", "paused": "deferred", "on_hold": "deferred",
    "cancelled": "dropped", "canceled": "dropped", "deleted": "dropped", "removed": "dropped",
    "skipped": "dropped",
}  # fmt: skip

BOX = re.compile(
    r"^[ \t>]*+(?:(?:[-*+•]|\d+[.)])[ \t]*+)?(?:\[([ xX~/>-])\]|([☐☑☒]))[ \t]+(\S.*)$", re.MULTILINE
)
"""A check box at the beginning of a line: its mark, and the text behind it."""

_MARKS: Mapping[str, TaskStatus] = {
    " ": "open", "☐": "open", "x": "done", "X": "done", "☑": "done", "☒": "done",
    "~": "in_progress", "-": "in_progress", "/": "in_progress", ">": "deferred",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TaskItem:
    """A task and where it stands."""

    text: str
    status: TaskStatus


def box_status(box: re.Match[str]) -> TaskStatus:
    """What the mark in a check box means."""
    return _MARKS[box[1] or box[2]]


def written_list(call: ToolCall) -> list[TaskItem] | None:
    """The whole task list that a call writes, or None if it writes none.

    >>> plan = [{"step": "Fix it", "status": "in_progress"}]
    >>> written_list(ToolCall(id="1", name="update_plan", arguments={"plan": plan}))
    [TaskItem(text='Fix it', status='in_progress')]
    """
    if isinstance(progress := call.arguments.get("task_progress"), str):
        return _boxes(progress)
    if name_words(call.name).isdisjoint(TODO_WORDS):
        return None
    for argument in call.arguments.values():
        if isinstance(argument, list) and (items := list(_items(argument))):
            return items
        if isinstance(argument, str) and (items := _boxes(argument)):
            return items
    return None


def _items(entries: list[Any]) -> Iterator[TaskItem]:
    for entry in entries:
        if isinstance(entry, Mapping) and isinstance(entry.get("status"), str):
            text = next((entry[key] for key in _TEXTS if isinstance(entry.get(key), str)), "").strip()
            status = task_status(entry["status"])
            if text and status:
                yield TaskItem(text, status)


def _boxes(text: str) -> list[TaskItem]:
    return [TaskItem(box[3].strip(), box_status(box)) for box in BOX.finditer(text)]


def task_status(word: str) -> TaskStatus | None:
    """What an agent's word for a state means: `completed` is done."""
    return _STATUSES.get(word.lower().replace("-", "_").replace(" ", "_"))


_CREATE, _UPDATE = {"task", "create"}, {"task", "update"}
_NUMBER = re.compile(r"#?(\d+)")


def created_task(call: ToolCall) -> str | None:
    """The text of the single task that a call creates."""
    text = call.arguments.get("subject") or call.arguments.get("title")
    return text.strip() if name_words(call.name) >= _CREATE and isinstance(text, str) else None


def created_number(result: str) -> str | None:
    """The number that a new task was given: `Task #3 created`."""
    match = _NUMBER.search(result[:200])
    return match[1] if match else None


_RESULT_CREATED = re.compile(r"Task #(\d{1,6}) created(?: successfully)?: (\S[^\n]*)")
_RESULT_STATUS = re.compile(r"Updated task #(\d{1,6}) (?:\w+, )*status\b")


def created_by_result(call: ToolCall, result: str) -> re.Match[str] | None:
    """The number and the text (groups 1 and 2) of a new task whose call is recorded without them.

    >>> created_by_result(ToolCall(id="1", name="TaskCreate"), "Task #3 created successfully: Sort rows")[2]
    'Sort rows'
    """
    is_bare = name_words(call.name) >= _CREATE and created_task(call) is None
    return _RESULT_CREATED.match(result) if is_bare else None


def moved_by_result(call: ToolCall, result: str) -> str | None:
    """The number of a task that a call, recorded without its arguments, put into its next state."""
    is_bare = name_words(call.name) >= _UPDATE and not call.arguments
    moved = _RESULT_STATUS.match(result) if is_bare else None
    return moved[1] if moved else None


NEXT_STATUS: Mapping[TaskStatus, TaskStatus] = {"open": "in_progress", "in_progress": "done"}
"""What a task becomes, where it is only known that it was moved."""


@dataclass(frozen=True, slots=True)
class TaskUpdate:
    """A change to the task with a number; what is None stays."""

    number: str
    text: str | None
    status: TaskStatus | None


def updated_task(call: ToolCall) -> TaskUpdate | None:
    """What a call says about a task that was created before."""
    number = call.arguments.get("taskId", call.arguments.get("task_id", call.arguments.get("id")))
    if not name_words(call.name) >= _UPDATE or not isinstance(number, str | int):
        return None
    text, status = call.arguments.get("subject"), call.arguments.get("status")
    return TaskUpdate(
        number=str(number).lstrip("#"),
        text=text.strip() if isinstance(text, str) and text.strip() else None,
        status=task_status(status) if isinstance(status, str) else None,
    )
