"""Taking up an earlier brief that nothing else speaks for: what it says counts as if it had been read.

Its story becomes statements again; rules, open tasks and files become events, whose source is the brief, so
that what is newer replaces them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.parser import BriefLine
from tamis.ledger.events import FileAction, FileChange, Request, Source, Task
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.files.trail import end_subject
from tamis.ledger.speech.constraints import extract_constraints, retold_rule
from tamis.ledger.speech.facts import telling
from tamis.ledger.speech.requests import request_subject
from tamis.ledger.tasks.extractor import task_subject
from tamis.ledger.tasks.todo_tools import TaskStatus
from tamis.messages import Message, Text

_TASK = re.compile(r"\[(?P<mark> |~|later)\] (?P<text>.+)")
_STATUSES: dict[str, TaskStatus] = {" ": "open", "~": "in_progress", "later": "deferred"}
_FILES = re.compile(r"(?P<what>changed|made)(?: \([^)]*\))?: (?P<names>.+)")
_ADDED = re.compile(r"\A(?P<path>\S+): (?:perhaps )?(?P<action>created|modified|deleted|reverted|renamed)")
_MORE = re.compile(r" and \d+ more$")


def statements_of_brief(lines: Sequence[BriefLine]) -> list[Statement]:
    """The story of a brief as statements, each in the episode in which it stood.

    What stands under "Asked" was added to the story, which had lost it; it comes first, as facts do.
    """
    first = min((line.turns[0] for line in lines if line.section == "story"), default=0)
    return [
        Statement(
            kind=line.kind,
            text=line.text,
            turn=first if line.section in ("asked", "facts") else line.turns[line.kind != "asked"],
            place=(-1 if line.section in ("asked", "facts") else 0, at),
            flags=("retold", *(("item",) if line.kind == "concluded" else ())),
        )
        for at, line in enumerate(lines)
        if line.section in ("story", "summary")
        or (line.kind == "asked" and line.section in ("asked", "facts"))
    ]


@dataclass(frozen=True, slots=True)
class BriefExtractor:
    """Reads off a brief what the ledger keeps as state. It is an extractor, in the place of all others."""

    lines: Sequence[BriefLine]

    def __call__(self, message: Message, context: ReadContext) -> Iterator[EventDraft]:
        """The events that a brief tells of."""
        for line in self.lines:
            source = Source(message_id=message.id, part=0, start=line.start + 2, end=line.end)
            if line.section == "rules" and line.kind == "asked":
                yield retold_rule(line.text, source, context, by="user")
            elif line.section == "facts" and line.kind == "asked":
                yield telling(line.text, source)
            elif line.kind == "asked" and line.section in ("story", "asked"):
                request = Request(text=line.text)
                subject = request_subject(line.text)
                yield EventDraft(kind="request", subject=subject, value=request, source=source)
                said = Message(id=message.id, role="user", parts=(Text(text=line.text),))
                for rule in extract_constraints(
                    said, replace(context, works=True)
                ):  # told with what was asked
                    at = replace(source, start=source.start + rule.source.start)
                    yield replace(rule, source=replace(at, end=source.start + rule.source.end))
            elif task := _TASK.fullmatch(line.text):
                value = Task(text=task["text"], status=_STATUSES[task["mark"]])
                yield EventDraft(kind="task", subject=task_subject(value.text), value=value, source=source)
            elif line.section in ("state", "files"):
                yield from _files(line.text, source)


def _files(text: str, source: Source) -> Iterator[EventDraft]:
    found: list[tuple[str, FileAction]] = []
    if listed := _FILES.fullmatch(text):
        action: FileAction = "modified" if listed["what"] == "changed" else "created"
        names = _MORE.sub("", listed["names"]).split(", ")
        found = [(name.rstrip("*"), action) for name in names]
    elif added := _ADDED.fullmatch(text):
        found = [(added["path"], added["action"])]  # type: ignore[list-item]
    for path, action in found:
        change = FileChange(path=path, action=action)
        yield EventDraft(kind="file", subject=end_subject(path), value=change, source=source)
