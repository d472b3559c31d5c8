"""A span written by hand, of which it is plain what it proves."""

from __future__ import annotations

from typing import Any

from tamis.messages import Message, Text, ToolCall, ToolResult
from tamis.messages.conversation import Role


def says(role: Role, text: str, *, id: str) -> Message:  # noqa: A002
    return Message(id=id, role=role, parts=(Text(text=text),))


def calls(tool: str, *, id: str, said: str = "", **arguments: Any) -> Message:  # noqa: A002
    spoken = (Text(text=said),) if said else ()
    return Message(id=id, role="assistant", parts=(*spoken, ToolCall(id=id, name=tool, arguments=arguments)))


def gives(call: str, text: str, *, exit_code: int | None = None) -> Message:
    return Message(
        id=f"{call}-result",
        role="tool",
        parts=(ToolResult(call_id=call, text=text, exit_code=exit_code, is_error=bool(exit_code)),),
    )


TRACEBACK = """Traceback (most recent call last):
  File "/repo/src/loader.py", line 41, in load_table
    return table[column]
KeyError: 'postcode missing in the customer table'
"""

SPAN = (
    says("user", "Repair the loader. Never delete anything in the customer archive folder.", id="u1"),
    calls("Read", id="c1", file_path="/repo/src/schema.py"),
    gives("c1", "class Schema:\n    pass\n"),
    calls("Bash", id="c2", command="python -m loader --strict"),
    gives("c2", TRACEBACK, exit_code=1),
    calls(
        "Write", id="c3", file_path="/repo/src/fallback.py", content="def fill_postcode():\n    return None\n"
    ),
    gives("c3", "File created successfully at: /repo/src/fallback.py"),
    calls(
        "Edit",
        id="c4",
        file_path="/repo/src/loader.py",
        old_string="def load_table(column):\n    return table[column]",
        new_string="def load_table(column):\n    return table.get(column)",
    ),
    gives("c4", "The file /repo/src/loader.py has been updated."),
    calls("Bash", id="c5", command="git status --short", said="Next I will add a regression test for gaps."),
    gives("c5", " M src/loader.py\n?? src/fallback.py", exit_code=0),
)
