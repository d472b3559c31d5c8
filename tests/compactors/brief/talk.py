"""Small talks for the tests of the brief, and what is made of them."""

from __future__ import annotations

from collections.abc import Sequence

from compactors.conversations import COUNTER, run, say
from tamis.compactors.brief.choice.stock import settled
from tamis.compactors.brief.choice.worth import default_worth
from tamis.compactors.brief.reading.deeds.action import Action
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.writer import write_brief
from tamis.messages import Message, ToolCall, ToolResult

TASK = say("user", "Please make src/rows.py skip empty rows.", id="task")


def use(call_id: str, tool: str, output: str, **arguments: object) -> tuple[Message, Message]:
    """A call of a tool and what it gave back."""
    call = ToolCall(id=call_id, name=tool, arguments=arguments)
    result = ToolResult(call_id=call_id, text=output)
    return (
        Message(id=f"{call_id}-call", role="assistant", parts=(call,)),
        Message(id=f"{call_id}-result", role="tool", parts=(result,)),
    )


def edit(call_id: str, path: str, old: str, new: str) -> tuple[Message, Message]:
    """A file edited in place."""
    done = f"The file {path} has been updated."
    return use(call_id, "Edit", done, file_path=path, old_string=old, new_string=new)


def write(call_id: str, path: str, content: str) -> tuple[Message, Message]:
    """A file written whole."""
    return use(call_id, "Write", f"File created successfully at: {path}", file_path=path, content=content)


def reading_of(span: Sequence[Message]) -> StatementReader:
    """A span, read."""
    reading = StatementReader()
    reading.read(span)
    return reading


def told(span: Sequence[Message]) -> list[Statement]:
    """The statements of a span, settled."""
    return settled(reading_of(span))


def texts(span: Sequence[Message], *kinds: str) -> list[str]:
    """What the statements of these kinds say; of all kinds, where none is named."""
    return [s.text for s in told(span) if not kinds or s.kind in kinds]


def brief(span: Sequence[Message], room: int = 600) -> str:
    """The text of a brief of so many tokens; empty where nothing fits."""
    written = write_brief(reading_of(span), worth=default_worth(), counter=COUNTER, room=room)
    return written.text if written else ""


def section(text: str, title: str) -> list[str]:
    """The lines of a section of a brief."""
    found: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith(("## ", "```")):
            inside = line == f"## {title}"
        elif inside:
            found.append(line)
    return found


def deed(command: str, output: str, exit_code: int | None = None) -> Action:
    """What a shell was told and printed, as a deed without events."""
    call, result = run("c", command, output, exit_code)
    return Action(call=call.calls[0], result=result.results[0], turn=1, part=0, events=(), cwd=None)


DONE = say("assistant", "The rows of `src/rows.py` that hold nothing are skipped.")


def todo(*tasks: tuple[str, str]) -> tuple[Message, Message]:
    todos = [{"content": text, "status": status, "activeForm": text} for text, status in tasks]
    return use("todo", "TodoWrite", "Todos have been modified successfully.", todos=todos)
